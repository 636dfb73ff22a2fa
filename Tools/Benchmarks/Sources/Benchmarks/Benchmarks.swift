internal import BenchmarkReport
internal import BenchmarkWorkloads
internal import Foundation

/// Runs the C, Holt and peer implementations of all workloads in one process.
///
///     Benchmarks [--quick] [--json FILE] [--svg FILE] [--ways FILE] [--allocations FILE]
///                [--only WORKLOAD] [--way NAME]
///
/// `--allocations` adds the lines of a CountAllocations report. `--way` runs only one
/// implementation, for a profiler.
@main struct Benchmarks {
  static func main() async {
    do {
      try await run(Options(Array(CommandLine.arguments.dropFirst())))
    } catch {
      FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Prints a line without buffering.
  private static func writeOutput(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  private static func run(_ options: Options) async throws {
    let isQuick = options.has("--quick")
    let rounds = isQuick ? 7 : 9
    let only = options.value(of: "--only")
    let fixture = try Fixture(isQuick ? .quick : Scale())
    defer { fixture.remove() }

    writeOutput("Through one libsqlite3, the median of \(rounds) alternating rounds\n")
    var lines: [ReportLine] = []
    var ways: [Measurements.Way] = []
    for workload in Workloads.all(fixture) where workload.name == only ?? workload.name {
      let workload = workload.leaving(options.value(of: "--way"))
      let measurements = try await workload.measure(rounds: rounds)
      lines += measurements.lines
      ways += measurements.ways
      writeOutput(measurements.table)
    }
    if let path = options.value(of: "--allocations") {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let counted = try JSONDecoder().decode([ReportLine].self, from: data)
      lines += counted.filter { $0.workload == only ?? $0.workload }
    }
    writeOutput(ReportLine.summary(lines))
    try options.write("--json") { ReportLine.json(lines) }
    try options.write("--svg") { BarChart(lines).svg() }
    try options.write("--ways") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return String(decoding: try encoder.encode(ways), as: UTF8.self) + "\n"
    }
  }
}

internal import BenchmarkReport
internal import CAllocations
internal import Foundation

/// Counts what the workloads allocate for a row, and how much of it is not the row's own values; and
/// what they allocate for a record that is coded.
///
///     CountAllocations [--json FILE]
@main struct CountAllocations {
  /// The workloads, and the way of GRDB's that is told in the report.
  static let peers = [
    ("W1", "GRDB, records by position"), ("W3", "GRDB, statement"),
    ("W4", "GRDB, cached statement, in one access"), ("W4b", "GRDB, cached statement"),
  ]

  /// The workloads of coding, by the first words of their titles.
  static let coded = ["decode", "encode"]

  static func main() async throws {
    var lines: [ReportLine] = []
    if allocations_are_counted() != 0 {
      print("Allocations a row, counted\n")
      let count = try await AllocationCount(workloads: peers.map(\.0) + coded.map { "F1 \($0)" })
      for (workload, peer) in peers {
        lines += count.lines(workload, peer: peer)
        print(count.table(workload))
      }
      for label in coded {
        lines.append(count.line(coding: label))
        print(count.table(coding: label))
      }
    } else {
      print("Allocations are counted with glibc alone, and not here.")
    }
    let arguments = CommandLine.arguments
    if let index = arguments.lastIndex(of: "--json"), arguments.indices.contains(index + 1) {
      let file = URL(fileURLWithPath: arguments[index + 1])
      try Data(ReportLine.json(lines).utf8).write(to: file)
    }
  }
}

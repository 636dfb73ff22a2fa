internal import BenchmarkReport
internal import CAllocations
internal import Foundation

/// Counts the allocations of the workloads per row, and those beyond the row's values, and the
/// allocations per encoded or decoded record.
///
///     CountAllocations [--json FILE]
@main struct CountAllocations {
  /// The workloads, with GRDB's implementation to report.
  static let peers = [
    ("W1", "GRDB, records by position"), ("W3", "GRDB, statement"),
    ("W4", "GRDB, cached statement, in one access"), ("W4b", "GRDB, cached statement"),
  ]

  /// The encoding and decoding workloads, identified by the first words of their titles.
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
      print("Allocations can only be counted with glibc, which is not available here.")
    }
    let arguments = CommandLine.arguments
    if let index = arguments.lastIndex(of: "--json"), arguments.indices.contains(index + 1) {
      let file = URL(fileURLWithPath: arguments[index + 1])
      try Data(ReportLine.json(lines).utf8).write(to: file)
    }
  }
}

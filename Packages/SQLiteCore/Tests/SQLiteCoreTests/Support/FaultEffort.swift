import Foundation

/// How many faults are tried: some in `make test`, all of them in `make faults`.
enum FaultEffort {
  static let isFull = ProcessInfo.processInfo.environment["HOLT_FAULTS"] == "all"

  /// The numbers from 1 to `count`: all of them, or every `step`-th; else a few by chance.
  static func places(_ count: Int, step: Int = 1, sample: Int, seed: UInt64) -> [Int] {
    if isFull { return Array(stride(from: 1, through: count, by: step)) }
    var random = SeededGenerator(seed: seed)
    return (0..<sample).map { _ in Int.random(in: 1...max(1, count), using: &random) }
  }
}

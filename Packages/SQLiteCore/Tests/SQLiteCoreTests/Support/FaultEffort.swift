import Foundation

/// The number of faults to inject: a few in `make test`, all of them in `make faults`.
enum FaultEffort {
  static let isFull = ProcessInfo.processInfo.environment["HOLT_FAULTS"] == "all"

  /// Returns every `step`-th number up to `count` in `make faults`, otherwise `sample` random ones.
  static func places(_ count: Int, step: Int = 1, sample: Int, seed: UInt64) -> [Int] {
    if isFull { return Array(stride(from: 1, through: count, by: step)) }
    var random = SeededGenerator(seed: seed)
    return (0..<sample).map { _ in Int.random(in: 1...max(1, count), using: &random) }
  }
}

internal import CBaseline

/// The result of one round of an implementation.
public struct Work: Sendable {
  /// A checksum that must be equal for all implementations; `nil` if they may do different amounts
  /// of work.
  let checksum: UInt64?
  /// The measured time; `nil` for the time of the whole round.
  let time: Time?
  /// Additional counts by name.
  let counts: [String: Double]

  init(checksum: UInt64?, time: Time? = nil, counts: [String: Double] = [:]) {
    self.checksum = checksum
    self.time = time
    self.counts = counts
  }
}

extension Work {
  /// The count names of workloads that process text.
  static let records = "records", bytes = "bytes"
}

/// A duration in seconds.
struct Time: Sendable {
  /// The CPU time of all threads of the process.
  var cpu: Double
  var wall: Double
}

extension [Time] {
  /// The sum of the times.
  var sum: Time {
    reduce(into: Time(cpu: 0, wall: 0)) {
      $0.cpu += $1.cpu; $0.wall += $1.wall
    }
  }
}

/// Measures the time since its creation.
struct Stopwatch: Sendable {
  private let cpu = baseline_cpu_seconds()
  private let start = ContinuousClock.now

  var wall: Double { (ContinuousClock.now - start) / .seconds(1) }
  var time: Time { Time(cpu: baseline_cpu_seconds() - cpu, wall: wall) }
}

struct BaselineError: Error {
  let code: Int32
}

/// Runs a function of the C baseline and returns its checksum, or throws its error.
func baseline(_ body: (inout UInt64) -> Int32) throws -> Work {
  var sum: UInt64 = 0
  let code = body(&sum)
  guard code == 0 else { throw BaselineError(code: code) }
  return Work(checksum: sum)
}

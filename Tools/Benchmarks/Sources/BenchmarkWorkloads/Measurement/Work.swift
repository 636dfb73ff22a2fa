internal import CBaseline

/// What one round of a contestant came to.
public struct Work: Sendable {
  /// What every contestant of the workload must share; `nil` where each may do a different amount.
  let checksum: UInt64?
  /// The time that counts; `nil` where it is that of the whole round.
  let time: Time?
  /// What was counted besides.
  let counts: [String: Double]

  init(checksum: UInt64?, time: Time? = nil, counts: [String: Double] = [:]) {
    self.checksum = checksum
    self.time = time
    self.counts = counts
  }
}

extension Work {
  /// What workloads count that are about text.
  static let records = "records", bytes = "bytes"
}

/// How long something took, in seconds.
struct Time: Sendable {
  /// Of all threads of the process.
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

/// Runs from when it is made.
struct Stopwatch: Sendable {
  private let cpu = baseline_cpu_seconds()
  private let start = ContinuousClock.now

  var wall: Double { (ContinuousClock.now - start) / .seconds(1) }
  var time: Time { Time(cpu: baseline_cpu_seconds() - cpu, wall: wall) }
}

struct BaselineError: Error {
  let code: Int32
}

/// What the C baseline computed, or the error that it met.
func baseline(_ body: (inout UInt64) -> Int32) throws -> Work {
  var sum: UInt64 = 0
  let code = body(&sum)
  guard code == 0 else { throw BaselineError(code: code) }
  return Work(checksum: sum)
}

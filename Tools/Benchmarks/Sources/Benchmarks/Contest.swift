import CBaseline

/// One way to do a workload.
struct Contestant {
  let name: String
  let kind: Kind
  /// Does the work, and gives a checksum that every contestant of the workload must share.
  let run: () throws -> UInt64

  enum Kind { case c, holt, peer }
}

/// The same work, done in several ways.
struct Workload {
  let name: String
  let title: String
  let contestants: [Contestant]
}

/// What one contestant took: CPU seconds of each round.
struct Measurement {
  let contestant: Contestant
  var seconds: [Double] = []

  var median: Double {
    let sorted = seconds.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted.count % 2 == 1
      ? sorted[sorted.count / 2]
      : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
  }
}

/// Two contestants did not do the same work.
struct ChecksumError: Error, CustomStringConvertible {
  let workload: String, contestant: String, expected: UInt64, found: UInt64

  var description: String {
    "\(workload): \(contestant) has the checksum \(found), where \(expected) was expected"
  }
}

extension Workload {
  /// The workload with the contestant of this name alone; with all of them for `nil`.
  func leaving(_ way: String?) -> Workload {
    Workload(
      name: name, title: title, contestants: contestants.filter { $0.name == way ?? $0.name })
  }

  /// Runs every contestant once to warm up, and then `rounds` times in turn.
  func measure(rounds: Int) throws -> [Measurement] {
    var measurements = contestants.map { Measurement(contestant: $0) }
    var expected: UInt64?
    for round in 0...rounds {
      for index in measurements.indices {
        let contestant = measurements[index].contestant
        let start = baseline_cpu_seconds()
        let sum = try contestant.run()
        let seconds = baseline_cpu_seconds() - start
        if round > 0 { measurements[index].seconds.append(seconds) }
        guard sum == expected ?? sum else {
          throw ChecksumError(
            workload: name, contestant: contestant.name, expected: expected ?? 0, found: sum)
        }
        expected = sum
      }
    }
    return measurements
  }
}

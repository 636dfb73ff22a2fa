extension Workload {
  /// Runs each implementation once to warm up, and then `rounds` times alternately.
  public func measure(rounds: Int) async throws -> Measurements {
    var measurements = Measurements(self)
    var expected: UInt64?
    for round in 0...rounds {
      for benchmarkImplementation in implementations {
        let watch = Stopwatch()
        let work = try await benchmarkImplementation.run()
        let time = work.time ?? watch.time
        if round > 0 { measurements.add(benchmarkImplementation, time, work.counts) }
        guard let sum = work.checksum else { continue }
        guard sum == expected ?? sum else {
          throw ChecksumError(
            workload: name, benchmarkImplementation: benchmarkImplementation.name,
            expected: expected ?? 0, found: sum)
        }
        expected = sum
      }
    }
    return measurements
  }
}

/// Two implementations did not do the same work.
struct ChecksumError: Error, CustomStringConvertible {
  let workload: String, benchmarkImplementation: String, expected: UInt64, found: UInt64

  var description: String {
    "\(workload): \(benchmarkImplementation) has the checksum \(found), expected \(expected)"
  }
}

import SQLiteCore

/// The timings of a statement that runs repeatedly.
struct StatementMeasurement {
  private let connection: Connection
  private let statement: Statement
  private let plan: QueryPlan
  private var seconds: [Double] = []
  private var rowCount = 0
  private var counts: [(counter: Statement.Counter, count: Int)] = []

  static let counters: [(Statement.Counter, String)] = [
    (.fullScanSteps, "full scan steps"), (.sorts, "sorts"),
    (.automaticIndexRows, "automatic index rows"),
    (.machineSteps, "machine steps"),
  ]

  init(_ connection: Connection, _ sql: String, _ parameters: Parameters) throws {
    self.connection = connection
    statement = try connection.prepare(SQL(unsafe: sql))
    var parameters = parameters
    try parameters.bind(to: statement)
    try parameters.throwIfUnused()
    // The plan is determined without the bound values.
    plan = try connection.queryPlan(for: SQL(unsafe: sql), values: [])
  }

  /// Runs the statement repeatedly and records the timings.
  ///
  /// - Parameters:
  ///   - times: The number of runs; `nil` to run for `limit` seconds, at least three times.
  ///   - report: Receives the progress and the total, as numbers of runs or in milliseconds.
  mutating func run(
    times: Int?, seconds limit: Double, _ report: (Int, Int) -> Void
  ) throws {
    // The first run fills the caches and is not measured.
    _ = try runOnce()
    for (counter, _) in Self.counters { _ = try statement.count(of: counter, resetting: true) }
    let start = ContinuousClock.now
    while true {
      seconds.append(try runOnce())
      if seconds.count == 1 {
        counts = try Self.counters.map { ($0.0, try statement.count(of: $0.0)) }
      }
      let elapsed = Self.seconds(ContinuousClock.now - start)
      if let times {
        report(seconds.count, times)
        if seconds.count >= times { break }
      } else {
        report(Int(elapsed * 1_000), Int(limit * 1_000))
        if elapsed >= limit, seconds.count >= 3 { break }
      }
    }
    seconds.sort()
  }

  private mutating func runOnce() throws -> Double {
    let isWriting = !statement.isReadOnly
    if isWriting { try connection.execute("SAVEPOINT holt_bench") }
    defer {
      if isWriting { try? connection.execute("ROLLBACK TO holt_bench; RELEASE holt_bench") }
    }
    let start = ContinuousClock.now
    var count = 0
    while try statement.step() { count += 1 }
    let elapsed = Self.seconds(ContinuousClock.now - start)
    rowCount = count
    return elapsed
  }

  private static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  /// Returns the given quantile of the sorted times.
  static func quantile(_ sorted: [Double], _ part: Double) -> Double {
    guard !sorted.isEmpty else { return 0 }
    let index = Int((Double(sorted.count) * part).rounded(.up)) - 1
    return sorted[max(0, min(sorted.count - 1, index))]
  }

  private var median: Double { Self.quantile(seconds, 0.5) }
  private var rowsPerSecond: Double { median > 0 ? Double(rowCount) / median : 0 }

  var text: String {
    var text = """
      runs      \(seconds.count)
      rows      \(rowCount)
      min       \(Self.formatted(seconds.first ?? 0))
      median    \(Self.formatted(median))
      p95       \(Self.formatted(Self.quantile(seconds, 0.95)))

      """
    if rowCount > 0 { text += "rows/s    \(Int(rowsPerSecond))\n" }
    text += "\n\(plan)\n\n"
    for (counter, count) in counts {
      let name = Self.counters.first { $0.0 == counter }?.1 ?? ""
      text += "\(name): \(count)\n"
    }
    return text
  }

  /// Returns a time with three significant digits in a suitable unit.
  static func formatted(_ seconds: Double) -> String {
    let (value, unit) =
      seconds >= 1
      ? (seconds, "s") : seconds >= 1e-3 ? (seconds * 1e3, "ms") : (seconds * 1e6, "µs")
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
    let factor = [1.0, 10.0, 100.0][digits]
    let rounded = (value * factor).rounded() / factor
    return "\(digits == 0 ? "\(Int(rounded))" : "\(rounded)") \(unit)"
  }

  var json: JSONText {
    .object([
      ("runs", .integer(seconds.count)), ("rows", .integer(rowCount)),
      (
        "seconds",
        .object([
          ("min", .number(seconds.first ?? 0)), ("median", .number(median)),
          ("p95", .number(Self.quantile(seconds, 0.95))),
        ])
      ), ("rowsPerSecond", .number(rowsPerSecond)),
      (
        "counters",
        .object(
          counts.map { counter, count in
            (
              Self.counters.first { $0.0 == counter }?.1.replacing(" ", with: "_") ?? "",
              .integer(count)
            )
          })
      ), ("plan", .array(plan.details.map(JSONText.text))),
    ])
  }
}

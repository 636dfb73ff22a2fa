internal import BenchmarkReport

/// An implementation of a workload.
public struct BenchmarkImplementation: Sendable {
  public let name: String
  /// Runs the workload once.
  public let run: @Sendable () async throws -> Work
  /// Runs the workload once, without checking the result afterwards.
  public let runUnchecked: @Sendable () async throws -> Void

  init(
    _ name: String, run: @escaping @Sendable () async throws -> Work,
    unchecked: (@Sendable () async throws -> Void)? = nil
  ) {
    self.name = name
    self.run = run
    runUnchecked = unchecked ?? { _ = try await run() }
  }
}

/// A workload with several implementations.
public struct Workload: Sendable {
  public let name: String
  public let title: String
  /// The measures of each implementation.
  let measures: [Measure]
  public let implementations: [BenchmarkImplementation]
  let comparisons: [Comparison]

  init(
    _ name: String, _ title: String, measures: [Measure] = [.cpuMilliseconds],
    implementations: [BenchmarkImplementation], comparisons: [Comparison]
  ) {
    self.name = name
    self.title = title
    self.measures = measures
    self.implementations = implementations
    self.comparisons = comparisons
  }

  /// Returns the workload with only the named implementation, or with all for `nil`.
  public func leaving(_ way: String?) -> Workload {
    Workload(
      name, title, measures: measures,
      implementations: implementations.filter { $0.name == way ?? $0.name },
      comparisons: comparisons)
  }
}

/// A measurement of a round. Less is better, except for speeds, which are not used in comparisons.
struct Measure: Sendable {
  let title: String
  let value: @Sendable (Time, [String: Double]) -> Double

  static let cpuMilliseconds = Measure(title: "CPU ms") { time, _ in time.cpu * 1_000 }

  /// The wall-clock time of one of `count` operations.
  static func wall(_ operation: String, _ count: Int) -> Measure {
    Measure(title: "wall µs \(operation)") { time, _ in time.wall / Double(count) * 1e6 }
  }

  static func cpu(_ operation: String, _ count: Int) -> Measure {
    Measure(title: "CPU µs \(operation)") { time, _ in time.cpu / Double(count) * 1e6 }
  }

  static let perRecord = Measure(title: "CPU µs a record") { time, counts in
    time.cpu / (counts[Work.records] ?? .nan) * 1e6
  }

  /// The cost per byte of the implementation's own text.
  static let perByte = Measure(title: "CPU ns a byte") { time, counts in
    time.cpu / (counts[Work.bytes] ?? .nan) * 1e9
  }

  static let megabytesPerSecond = Measure(title: "MB/s") { time, counts in
    (counts[Work.bytes] ?? .nan) / time.cpu / 1e6
  }

  static let recordsPerSecond = Measure(title: "records/s") { time, counts in
    (counts[Work.records] ?? .nan) / time.cpu
  }

  static let megabytes = Measure(title: "MB") { _, counts in (counts[Work.bytes] ?? .nan) / 1e6 }

  static func counted(_ title: String) -> Measure {
    Measure(title: title) { _, counts in counts[title] ?? .nan }
  }
}

/// The compared implementations and the measure of a line of the report.
struct Comparison: Sendable {
  let metric: String
  /// The title of the measure.
  let measure: String
  let holt: String?
  let c: String?
  let peer: ReportLine.Peer
  let other: String?
  var relation = Relation.none

  /// The relation to another implementation that a line reports instead of absolute measurements.
  enum Relation: Sendable {
    case none
    /// The given implementation's share of each implementation's cost.
    case share(of: String)
    /// Each implementation's cost as a multiple of the given implementation's.
    case multiple(of: String)
  }

  init(
    _ measure: Measure, _ label: String? = nil, holt: String? = "Holt", c: String? = "C",
    grdb: String? = nil
  ) {
    self.measure = measure.title
    metric = label.map { "\(measure.title), \($0)" } ?? measure.title
    self.holt = holt
    self.c = c
    peer = .grdb
    other = grdb
  }

  init(
    metric: String, _ measure: Measure, _ relation: Relation, holt: String? = "Holt",
    c: String? = "C", grdb: String? = nil
  ) {
    self.metric = metric
    self.measure = measure.title
    self.relation = relation
    self.holt = holt
    self.c = c
    peer = .grdb
    other = grdb
  }

  /// - Parameter foundation: The name of Foundation's implementation.
  init(_ measure: Measure, _ label: String, holt: String = "Holt", foundation: String?) {
    self.measure = measure.title
    metric = "\(measure.title), \(label)"
    self.holt = holt
    c = nil
    peer = .foundation
    other = foundation
  }
}

internal import BenchmarkReport
internal import BenchmarkWorkloads
internal import CAllocations
import Primitives

/// The allocations of each implementation of some workloads.
///
/// Each implementation processes 10,000 and 20,000 rows: the difference is the allocations for
/// 10,000 rows, without one-time allocations.
struct AllocationCount {
  private static let rows = 10_000
  private let less: Part
  private let more: Part

  init(workloads: [String]) async throws {
    less = try await Part(rows: Self.rows, workloads)
    more = try await Part(rows: 2 * Self.rows, workloads)
  }

  /// The number of allocations per record of an implementation that encodes or decodes records.
  func line(coding label: String) -> ReportLine {
    let workload = "F1 \(label)"
    return ReportLine(
      workload: "F1", metric: "allocations a record, \(label)", holt: each(workload, "Holt"),
      foundation: each(workload, "Foundation"))
  }

  func table(coding label: String) -> String {
    let workload = "F1 \(label)"
    var table = TextTable([workload, "a record"])
    for way in more.ways(workload) {
      table.add([way, ReportLine.text(each(workload, way) ?? .nan)])
    }
    return table.text + "\n"
  }

  /// All allocations, and the allocations that are neither for the values nor SQLite's.
  func lines(_ workload: String, peer: String) -> [ReportLine] {
    let (holt, c, grdb) = (
      each(workload, "Holt"), each(workload, "C"), each(workload, peer)
    )
    let engine = engine(workload)
    let swift = values(workload, inC: false)
    return [
      ReportLine(workload: workload, metric: "allocations a row", holt: holt, c: c, grdb: grdb),
      ReportLine(
        workload: workload, metric: "allocations a row beyond the values",
        holt: holt.map { $0 - swift - engine },
        c: c.map { $0 - values(workload, inC: true) - engine },
        grdb: grdb.map { $0 - swift - engine }),
    ]
  }

  func table(_ workload: String) -> String {
    var table = TextTable(["\(workload)", "a row"])
    table.add(["the values themselves, in Swift", ReportLine.text(values(workload, inC: false))])
    table.add(["the values themselves, in C", ReportLine.text(values(workload, inC: true))])
    table.add(["SQLite itself", ReportLine.text(engine(workload))])
    for way in more.ways(workload) {
      table.add([way, ReportLine.text(each(workload, way) ?? .nan)])
    }
    return table.text + "\n"
  }

  private func each(_ workload: String, _ way: String) -> Double? {
    guard let more = more.count(workload, way), let less = less.count(workload, way) else {
      return nil
    }
    return Double(more - less) / Double(Self.rows)
  }

  private func values(_ workload: String, inC isC: Bool) -> Double {
    Double(more.values(workload, inC: isC) - less.values(workload, inC: isC)) / Double(Self.rows)
  }

  /// SQLite's allocations: the C implementation's allocations without its values. They are the same
  /// for all implementations.
  private func engine(_ workload: String) -> Double {
    (each(workload, "C") ?? 0) - values(workload, inC: true)
  }
}

/// The allocations of all implementations for a number of rows.
private struct Part {
  private let rows: Int
  private let fixture: Fixture
  private var counts: [String: [(way: String, count: Int)]] = [:]

  init(rows: Int, _ names: [String]) async throws {
    self.rows = rows
    var scale = Scale.quick
    scale.rows = rows
    scale.inserts = rows
    scale.lookups = rows
    scale.records = rows
    fixture = try Fixture(scale)
    defer { fixture.remove() }
    for workload in Workloads.all(fixture) {
      let name = Self.name(of: workload)
      guard names.contains(name) else { continue }
      for benchmarkImplementation in workload.implementations {
        // The first run allocates type metadata and buffers that are kept.
        try await benchmarkImplementation.runUnchecked()
        allocations_begin()
        try await benchmarkImplementation.runUnchecked()
        let count = Int(allocations_end())
        counts[name, default: []].append((benchmarkImplementation.name, count))
      }
    }
  }

  /// The identifier of a workload: its name and, if several share it, the first word of the title.
  private static func name(of workload: Workload) -> String {
    guard workload.name == "F1" else { return workload.name }
    return "F1 " + workload.title.prefix { $0 != " " }
  }

  func ways(_ workload: String) -> [String] { (counts[workload] ?? []).map(\.way) }

  func count(_ workload: String, _ way: String) -> Int? {
    counts[workload]?.first { $0.way == way }?.count
  }

  /// The number of allocations for the values; 0 if they exist before the measurement.
  func values(_ workload: String, inC isC: Bool) -> Int {
    switch workload {
    case "W1": fixture.allocations(ofRows: 0..<rows, inC: isC)
    case "W3": 0
    default: fixture.allocationsOfLookups(inC: isC)
    }
  }
}

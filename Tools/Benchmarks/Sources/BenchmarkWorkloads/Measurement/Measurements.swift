public import BenchmarkReport
import Primitives

/// The measurements of all rounds of a workload.
public struct Measurements: Sendable {
  let workload: Workload
  /// The values of all rounds, by implementation and measure.
  private var values: [String: [String: [Double]]] = [:]

  init(_ workload: Workload) { self.workload = workload }

  mutating func add(
    _ benchmarkImplementation: BenchmarkImplementation, _ time: Time, _ counts: [String: Double]
  ) {
    for measure in workload.measures {
      values[benchmarkImplementation.name, default: [:]][measure.title, default: []]
        .append(measure.value(time, counts))
    }
  }

  /// Returns the median of the rounds; `nil` if the implementation was not measured.
  func median(_ way: String?, _ measure: String) -> Double? {
    guard let way, let median = values[way]?[measure]?.median, median.isFinite else { return nil }
    return median
  }

  /// The lines of the report, except lines without a measurement of Holt.
  public var lines: [ReportLine] {
    workload.comparisons.compactMap { comparison in
      let number = { (way: String?) in self.number(way, comparison) }
      guard let holt = number(comparison.holt) else { return nil }
      return ReportLine(
        workload: workload.name, metric: comparison.metric, holt: holt, c: number(comparison.c),
        comparison.peer, number(comparison.other))
    }
  }

  private func number(_ way: String?, _ comparison: Comparison) -> Double? {
    guard let median = median(way, comparison.measure) else { return nil }
    switch comparison.relation {
    case .none: return median
    case .share(let part): return self.median(part, comparison.measure).map { $0 / median }
    case .multiple(let base): return self.median(base, comparison.measure).map { median / $0 }
    }
  }

  /// A table of all implementations and their measurements, with the ratios of the first measure to
  /// C and Holt.
  public var table: String {
    let measures = workload.measures.map(\.title)
    let others = ["C", "Holt"].filter { values[$0] != nil }
    var table = TextTable(["way"] + measures + others.map { "over \($0)" }, indent: 4)
    for benchmarkImplementation in workload.implementations {
      let own = median(benchmarkImplementation.name, measures[0])
      let ratios = others.map { other -> String in
        guard let own, let other = median(other, measures[0]) else { return "" }
        return ReportLine.text(own / other)
      }
      let numbers = measures.map {
        median(benchmarkImplementation.name, $0).map(ReportLine.text) ?? ""
      }
      table.add([benchmarkImplementation.name] + numbers + ratios)
    }
    return "\(workload.name)  \(workload.title)\n" + table.text + "\n"
  }

  /// The statistics of all implementations, for export.
  public var ways: [Way] {
    workload.implementations.flatMap { benchmarkImplementation in
      workload.measures.compactMap { measure in
        guard let rounds = values[benchmarkImplementation.name]?[measure.title],
          let median = median(benchmarkImplementation.name, measure.title)
        else { return nil }
        return Way(
          workload: workload.name, title: workload.title, way: benchmarkImplementation.name,
          metric: measure.title, median: median, least: rounds.min() ?? median,
          most: rounds.max() ?? median)
      }
    }
  }

  /// The statistics of one implementation and measure over all rounds.
  public struct Way: Encodable, Sendable {
    let workload, title, way, metric: String
    let median, least, most: Double
  }
}

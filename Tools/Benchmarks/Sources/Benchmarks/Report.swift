import Foundation

/// A line of the JSON report.
struct ReportLine: Encodable {
  let workload: String
  let metric: String
  let way: String
  let seconds: Double
  /// The same work in C, over this.
  let overC: Double
  /// How many times as long as Holt it takes.
  let overHolt: Double

  enum CodingKeys: String, CodingKey {
    case workload, metric, way, seconds
    case overC = "over_c"
    case overHolt = "over_holt"
  }
}

/// The measurements of all workloads, as text for people and as JSON for programs.
struct Report {
  private(set) var lines: [ReportLine] = []

  mutating func add(_ workload: Workload, _ measurements: [Measurement]) {
    let c = measurements.first { $0.contestant.kind == .c }?.median ?? .nan
    let holt = measurements.first { $0.contestant.kind == .holt }?.median ?? .nan
    for measurement in measurements {
      lines.append(
        ReportLine(
          workload: workload.name, metric: "CPU seconds, median", way: measurement.contestant.name,
          seconds: measurement.median, overC: measurement.median / c,
          overHolt: measurement.median / holt))
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(lines)
  }

  static func table(_ workload: Workload, _ measurements: [Measurement]) -> String {
    var report = Report()
    report.add(workload, measurements)
    var text = "\(workload.name)  \(workload.title)\n"
    text += "    " + pad("way", 30) + right("ms CPU", 10) + right("over C", 10)
    text += right("over Holt", 11) + "\n"
    for line in report.lines {
      text += "    " + pad(line.way, 30) + right(number(line.seconds * 1_000, 1), 10)
      text += right(number(line.overC, 2), 10) + right(number(line.overHolt, 2), 11) + "\n"
    }
    return text
  }

  private static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension ReportLine {
  /// The lines as JSON: an array, an object a line, with all fields in their order.
  public static func json(_ lines: [ReportLine]) -> String {
    guard !lines.isEmpty else { return "[]\n" }
    return "[\n" + lines.map { "  " + $0.json }.joined(separator: ",\n") + "\n]\n"
  }

  private var json: String {
    let values: [(key: CodingKeys, text: String)] = [
      (.workload, Self.quoted(workload)), (.metric, Self.quoted(metric)),
      (.holt, Self.number(holt)), (.c, Self.number(c)), (.grdb, Self.number(grdb)),
      (.holtOverC, Self.number(holtOverC)), (.holtOverGRDB, Self.number(holtOverGRDB)),
    ]
    return "{" + values.map { "\"\($0.key.rawValue)\": \($0.text)" }.joined(separator: ", ") + "}"
  }

  private static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

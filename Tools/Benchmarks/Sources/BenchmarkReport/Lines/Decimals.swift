extension Double {
  /// Returns the number with `count` decimals, independent of the locale.
  func decimals(_ count: Int) -> String {
    guard isFinite else { return "–" }
    let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (magnitude * scale).rounded()
    guard scaled < 9e15 else { return "\(self)" }
    let digits = String(Int64(scaled))
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard count > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, count + 1 - digits.count)) + digits
    return sign + padded.dropLast(count) + "." + padded.suffix(count)
  }

  /// The number with about three significant digits.
  var brief: String { decimals(magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2) }
}

extension ReportLine {
  /// Formats a measured number for display.
  public static func text(_ value: Double) -> String { value.brief }
}

/// A duration of months, days and microseconds, which PostgreSQL keeps apart: a month has no fixed number of days,
/// and a day no fixed number of hours.
public struct PostgreSQLInterval: Hashable, Sendable {
  public var months: Int32
  public var days: Int32
  public var microseconds: Int64

  public init(months: Int32 = 0, days: Int32 = 0, microseconds: Int64 = 0) {
    self.months = months
    self.days = days
    self.microseconds = microseconds
  }
}

extension PostgreSQLInterval: CustomStringConvertible {
  /// The interval in the format of ISO 8601: `P1Y2M3DT4H5M6.5S`.
  public var description: String {
    var text = "P"
    if months / 12 != 0 { text += "\(months / 12)Y" }
    if months % 12 != 0 { text += "\(months % 12)M" }
    if days != 0 { text += "\(days)D" }
    let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if microseconds != 0 {
      text += "T"
      if seconds / 3_600 != 0 { text += "\(seconds / 3_600)H" }
      if seconds / 60 % 60 != 0 { text += "\(seconds / 60 % 60)M" }
      if seconds % 60 != 0 || fraction != 0 {
        text += microseconds < 0 ? "-" : ""
        text += "\((seconds % 60).magnitude)"
        if fraction != 0 {
          var digits = String(1_000_000 + fraction.magnitude).dropFirst()
          while digits.hasSuffix("0") { digits.removeLast() }
          text += "." + digits
        }
        text += "S"
      }
    }
    return text == "P" ? "PT0S" : text
  }
}

extension Int {
  /// The number with thousands separators: 15,017.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}

extension Double {
  /// The number with one decimal.
  var oneDecimal: String {
    let tenths = Int((self * 10).rounded())
    return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  /// Returns the degrees with a direction: 47.4° N.
  func degrees(_ positive: String, _ negative: String) -> String {
    "\(magnitude.oneDecimal)° \(self < 0 ? negative : positive)"
  }
}

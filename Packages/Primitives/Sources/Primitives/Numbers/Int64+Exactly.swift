extension Int64 {
  /// The integer that digits denote, with or without `-` before them; `nil` if there is none, or 64 bits do not hold it.
  public static func exactly(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var at = range.lowerBound
    let isNegative = at < range.upperBound && bytes[at] == 0x2D
    if isNegative { at &+= 1 }
    guard at < range.upperBound else { return nil }
    var value: Int64 = 0
    while at < range.upperBound {
      let digit = Int64(bytes[at]) - 0x30
      guard 0...9 ~= digit else { return nil }
      let (tens, lost) = value.multipliedReportingOverflow(by: 10)
      let (sum, lostToo) =
        isNegative
        ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if lost || lostToo { return nil }
      value = sum
      at &+= 1
    }
    return value
  }
}

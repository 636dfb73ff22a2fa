/// Formats values as SQL literals that evaluate to the same values, bit for bit.
struct SQLLiterals {
  /// A statement with which SQLite parses a number: releases differ in the last bit.
  private let reading: Statement

  init(_ connection: Connection) throws(SQLiteError) {
    reading = try connection.prepare("SELECT CAST(?1 AS REAL)")
  }

  func literal(
    in row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> String {
    if case .text = try row.storageClass(at: index) {
      let stored = row.cursor.value(at: index.rawValue)
      switch stored.text {
      case .text(let text): return Self.literal(text)
      case .invalid: return "CAST(\(SQLiteValue.blob(stored.textBytes)) AS TEXT)"
      case .outOfMemory, .other: throw row.outOfMemory(at: index)
      }
    }
    let value = try row.value(at: index)
    if case .real(let number) = value { return try literal(number) }
    return value.description
  }

  private func literal(_ number: Double) throws(SQLiteError) -> String {
    let text = SQLiteValue.real(number).description
    defer { reading.reset() }
    try reading.bindAll(text)
    guard try reading.step(),
      try reading.row.real(at: 0).bitPattern == number.bitPattern
    else { return Self.product(number) }
    return text
  }

  /// Returns a number as an integer times powers of two, which are all exact.
  private static func product(_ number: Double) -> String {
    var exponent = Int(number.exponent) - Double.significandBitCount
    var significand = Int64(number.significandBitPattern)
    if number.isNormal {
      significand |= 1 << Int64(Double.significandBitCount)
    } else {
      exponent = Int(Double.leastNormalMagnitude.exponent) - Double.significandBitCount
    }
    if number.sign == .minus { significand = -significand }
    var text = "(1.0*\(significand)"
    while exponent != 0 {
      let step = min(62, abs(exponent))
      text += "\(exponent > 0 ? "*" : "/")\(Int64(1) << Int64(step))"
      exponent += exponent > 0 ? -step : step
    }
    return text + ")"
  }

  /// Returns a text literal. A NUL character, which a literal can't contain, is concatenated with
  /// `char(0)`.
  static func literal(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text.quoted(with: UInt8(ascii: "'")) }
    let pieces = text.utf8.split(separator: 0, omittingEmptySubsequences: false).map {
      String(Substring($0)).quoted(with: UInt8(ascii: "'"))
    }
    return joined(pieces[...])
  }

  /// Concatenates the pieces as a balanced tree, since SQLite limits the depth of expressions.
  private static func joined(_ pieces: ArraySlice<String>) -> String {
    guard pieces.count > 1 else { return pieces.first ?? "''" }
    let middle = pieces.startIndex + pieces.count / 2
    return "(\(joined(pieces[..<middle]))||char(0)||\(joined(pieces[middle...])))"
  }
}

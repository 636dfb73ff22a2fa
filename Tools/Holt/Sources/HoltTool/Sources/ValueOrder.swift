import SQLiteCore

/// SQLite's order of values: NULL, numbers, text by its bytes, blobs.
enum ValueOrder {
  /// Returns a negative number if `a` comes first, and 0 if SQLite considers both values equal.
  static func compare(_ a: SQLiteValue, _ b: SQLiteValue) -> Int {
    switch (a, b) {
    case (.null, .null): return 0
    case (.integer(let a), .integer(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.real(let a), .real(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.integer(let a), .real(let b)): return compare(a, b)
    case (.real(let a), .integer(let b)): return -compare(b, a)
    case (.text(let a), .text(let b)): return compare(a.utf8, b.utf8)
    case (.blob(let a), .blob(let b)): return compare(a, b)
    default: return rank(a) - rank(b)
    }
  }

  static func compare(_ a: [SQLiteValue], _ b: [SQLiteValue]) -> Int {
    for (a, b) in zip(a, b) {
      let order = compare(a, b)
      if order != 0 { return order }
    }
    return a.count - b.count
  }

  private static func rank(_ value: SQLiteValue) -> Int {
    switch value {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Compares exactly, even if a double can't represent the integer.
  private static func compare(_ a: Int64, _ b: Double) -> Int {
    if b >= 9_223_372_036_854_775_808 { return -1 }
    if b < -9_223_372_036_854_775_808 { return 1 }
    let whole = Int64(b.rounded(.towardZero))
    if a != whole { return a < whole ? -1 : 1 }
    let rest = b - b.rounded(.towardZero)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  private static func compare<Bytes: Collection<UInt8>>(_ a: Bytes, _ b: Bytes) -> Int {
    var others = b.makeIterator()
    for byte in a {
      guard let other = others.next() else { return 1 }
      if byte != other { return byte < other ? -1 : 1 }
    }
    return others.next() == nil ? 0 : -1
  }
}

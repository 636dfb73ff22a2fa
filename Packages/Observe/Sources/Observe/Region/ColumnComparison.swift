internal import SQLiteCore

extension ChangeSet {
  /// The comparison of a column with a value, to the extent that it can be evaluated without the engine.
  ///
  /// SQLite's comparisons are derived from the schema: https://sqlite.org/datatype3.html. A ``ChangeSource`` selects one
  /// of the rules here for each of its columns. A comparison that can't be evaluated counts as possibly true.
  public struct ColumnComparison: Hashable, Sendable {
    enum Collation: Hashable, Sendable { case binary, noCase, rightTrim, unknown }

    /// The values of a column of another engine, all in one form.
    enum Domain: Hashable, Sendable { case integers, reals, texts, blobs }

    enum Order: Hashable, Sendable {
      case less, equal, greater
      /// Not equal, with an unknown order.
      case unequal
    }

    /// The conversion of the value; `nil` if it is unknown.
    var affinity: ColumnAffinity?
    var collation = Collation.binary
    /// Databases in UTF-16 order text by its bytes in that encoding.
    var isUTF8 = true
    /// The values that can be compared; `nil` for SQLite's rules.
    private var domain: Domain?

    /// Returns a value, stored or bound, converted for a comparison with the column, or `nil` if the
    /// conversion is unknown.
    func operand(_ value: SQLiteValue) -> SQLiteValue? {
      // Optional values: `.none` means unknown, `.some(.null)` means NULL.
      if let domain { return domain.operand(value) }
      switch (affinity, value) {
      case (_, .null): return .some(.null)
      case (nil, _): return .none
      case (_, .real(let number)) where number.isNaN: return .some(.null)
      case (.numeric, .text(let text)), (.integer, .text(let text)), (.real, .text(let text)):
        return text.asNumber
      case (.text, .integer(let number)): return .some(.text(String(number)))
      // SQLite's decimal representation of a real number can't be reproduced.
      case (.text, .real): return .none
      default: return .some(value)
      }
    }

    /// Returns the order of two operands that are not NULL, or `nil` if it is unknown.
    func order(_ a: SQLiteValue, _ b: SQLiteValue) -> Order? {
      switch (a, b) {
      case (.integer(let a), .integer(let b)): a < b ? .less : a > b ? .greater : .equal
      case (.integer(let a), .real(let b)): Self.order(a, b)
      case (.real(let a), .integer(let b)):
        switch Self.order(b, a) {
        case .less: .greater
        case .greater: .less
        case let order: order
        }
      case (.real(let a), .real(let b)): a < b ? .less : a > b ? .greater : .equal
      case (.text(let a), .text(let b)): order(a, b)
      case (.blob(let a), .blob(let b)): Self.order(a, b)
      default: a.rank < b.rank ? .less : .greater
      }
    }

    /// Returns a key that equal operands share, for lookups; `nil` if it is unknown or the operand is
    /// NULL.
    func key(_ operand: SQLiteValue) -> SQLiteValue? {
      switch operand {
      case .null: return .none
      case .integer, .blob: return .some(operand)
      case .real(let number): return Int64(exactly: number).map { .integer($0) } ?? operand
      case .text(let text): return folded(text).map { .text(String(decoding: $0, as: UTF8.self)) }
      }
    }

    private func order(_ a: String, _ b: String) -> Order? {
      if collation == .binary, a.utf8.elementsEqual(b.utf8) { return .equal }
      guard let a = folded(a), let b = folded(b) else { return nil }
      let order = Self.order(a, b)
      return isUTF8 || order == .equal || collation == .noCase ? order : .unequal
    }

    /// Returns the bytes that the collation compares.
    private func folded(_ text: String) -> [UInt8]? {
      switch collation {
      case .binary: return Array(text.utf8)
      case .noCase:
        // SQLite compares only up to the first NUL character, and then the lengths.
        if text.utf8.contains(0) { return nil }
        return text.utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
      case .rightTrim:
        var bytes = Array(text.utf8)
        while bytes.last == 32 { bytes.removeLast() }
        return bytes
      case .unknown: return nil
      }
    }

    private static func order(_ a: [UInt8], _ b: [UInt8]) -> Order {
      for (a, b) in zip(a, b) where a != b { return a < b ? .less : .greater }
      return a.count < b.count ? .less : a.count > b.count ? .greater : .equal
    }

    /// Compares without rounding the integer.
    private static func order(_ a: Int64, _ b: Double) -> Order {
      if b >= 0x1p63 { return .less }
      if b < -0x1p63 { return .greater }
      let whole = b.rounded(.towardZero)
      let integer = Int64(whole)
      if a != integer { return a < integer ? .less : .greater }
      return whole < b ? .less : whole > b ? .greater : .equal
    }
  }
}

extension ChangeSet.ColumnComparison {
  /// Comparisons are not evaluated; only whether a value is NULL.
  public static let unknown = Self(affinity: nil)
  /// Integers, which are compared with integers. A Boolean is 0 or 1.
  public static let integers = Self(domain: .integers)
  /// Floating-point numbers with 64 bits, which are compared with numbers. NaN is not compared.
  public static let reals = Self(domain: .reals)
  /// Byte strings, in the order of their bytes.
  public static let bytes = Self(domain: .blobs)
  /// Strings that are compared regardless of the case of ASCII letters, such as UUIDs.
  public static let caseInsensitiveText = Self(domain: .texts, collation: .noCase)

  /// Strings that are equal if their bytes are.
  ///
  /// - Parameter ordersByBytes: Whether strings are ordered by their bytes, as with PostgreSQL's collation `C`. Otherwise,
  ///   their order is not known.
  public static func text(ordersByBytes: Bool) -> Self {
    Self(domain: .texts, ordersTexts: ordersByBytes)
  }

  private init(
    domain: Domain, collation: Collation = .binary, ordersTexts: Bool = true
  ) {
    self.init(affinity: .blob, collation: collation, isUTF8: ordersTexts)
    self.domain = domain
  }

  init(
    affinity: ColumnAffinity?, collation: Collation = .binary, isUTF8: Bool = true
  ) {
    self.affinity = affinity
    self.collation = collation
    self.isUTF8 = isUTF8
  }
}

extension ChangeSet.ColumnComparison.Domain {
  /// Returns a value in the form of the column's values, or `nil` if the engine may convert it in another way.
  fileprivate func operand(_ value: SQLiteValue) -> SQLiteValue? {
    switch (self, value) {
    case (_, .null): .some(.null)
    case (.integers, .integer), (.texts, .text), (.blobs, .blob): .some(value)
    case (.integers, .real(let number)): Int64(exactly: number).map { .integer($0) }
    case (.reals, .integer(let number)): Double(exactly: number).map { .real($0) }
    case (.reals, .real(let number)): number.isNaN ? .none : .some(value)
    default: .none
    }
  }
}

extension SQLiteValue {
  /// Numbers sort before text, and text before blobs.
  fileprivate var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

extension String {
  /// The text converted with `NUMERIC` affinity; `nil` if that depends on SQLite's own parsing of
  /// numbers.
  fileprivate var asNumber: SQLiteValue? {
    func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }
    guard utf8.contains(where: isDigit) else { return .some(.text(self)) }
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    var digits = Substring(self).utf8.drop(while: isSpace)
    while let last = digits.last, isSpace(last) { digits.removeLast() }
    guard let number = Int64(Substring(digits)) else { return .none }
    return .some(.integer(number))
  }
}

extension ChangeSet.ColumnComparison {
  init(_ column: TableSchema.Column, isUTF8: Bool) {
    // In a strict table `ANY` means no conversion; elsewhere it has numeric affinity.
    affinity = column.declaredType.uppercased() == "ANY" ? nil : column.affinity
    collation =
      switch column.collation?.uppercased() {
      case "BINARY": .binary
      case "NOCASE": .noCase
      case "RTRIM": .rightTrim
      default: .unknown
      }
    self.isUTF8 = isUTF8
  }
}

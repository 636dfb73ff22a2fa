internal import SQLiteCore

/// The rules for comparing a column with values, to the extent needed to recognize whole-table filters.
///
/// SQLite's rules: https://sqlite.org/datatype3.html
public struct ComparisonRules: Sendable {
  /// The set of values that a column can hold.
  enum Domain: Sendable {
    case any
    /// Text and blobs: `TEXT` affinity converts numbers to text.
    case texts
    /// 64-bit integers: the column is the rowid, or has an integer type that the engine enforces.
    case integers
    /// Numbers.
    case numbers
  }

  var domain = Domain.any
  var canBeNull = true
  /// `nil` if values can't be ordered as the column orders them.
  private var affinity: ColumnAffinity?
  private var ordersTexts = true
  private var ignoresCase = false
  /// Indicates whether a value of an unknown order equals at most one of several different values.
  private(set) var isExact = false

  /// The rules for a column whose values have an unknown order: each may be less than, equal to or greater than a given
  /// value.
  static let unordered = ComparisonRules(affinity: nil)

  /// Returns the rules for a column whose values have an unknown order.
  ///
  /// - Parameters:
  ///   - canBeNull: Whether the column can be NULL.
  ///   - isExact: Whether a value of the column equals at most one of several different values.
  public static func unordered(canBeNull: Bool, isExact: Bool = false) -> ComparisonRules {
    var rules = unordered
    rules.canBeNull = canBeNull
    rules.isExact = isExact
    return rules
  }

  /// Returns the rules for a column that contains only text values, in the order of their UTF-8 bytes.
  public static func texts(canBeNull: Bool) -> ComparisonRules {
    var rules = ComparisonRules(affinity: .text)
    rules.domain = .texts
    rules.canBeNull = canBeNull
    return rules
  }

  /// Returns the rules for a column that contains only numbers.
  ///
  /// - Parameters:
  ///   - isInteger: Whether the column contains only integers.
  ///   - canBeNull: Whether the column can be NULL.
  public static func numbers(isInteger: Bool, canBeNull: Bool) -> ComparisonRules {
    var rules = ComparisonRules(affinity: .blob, ordersTexts: false)
    rules.domain = isInteger ? .integers : .numbers
    rules.canBeNull = canBeNull
    return rules
  }

  /// Returns the rules for a part of JSON, which has no affinity and is compared byte by byte.
  static func ofJSON(isUTF8: Bool) -> ComparisonRules {
    ComparisonRules(affinity: .blob, ordersTexts: isUTF8)
  }

  private init(affinity: ColumnAffinity?, ordersTexts: Bool = true) {
    self.affinity = affinity
    self.ordersTexts = ordersTexts
  }

  init(_ column: TableSchema.Column, of table: TableSchema, isUTF8: Bool) {
    canBeNull = !table.isNeverNull(column)
    // The values of a view or a virtual table can be any, and `ANY` has another meaning in a strict table.
    guard table.kind == .table, column.declaredType.lowercased() != "any" else { return }
    let affinity = column.affinity
    self.affinity = affinity
    if table.isRowIDColumn(column.name) {
      domain = .integers
    } else if affinity == .text {
      domain = .texts
    }
    switch column.collation?.uppercased() {
    case "BINARY": ordersTexts = isUTF8
    case "NOCASE": ignoresCase = true
    default: ordersTexts = false
    }
  }

  /// Returns a value converted for a comparison; `nil` if the conversion or the order is unknown.
  func operand(_ value: SQLiteValue) -> SQLiteValue? {
    guard let affinity, !value.isBoundAsNull else { return .none }
    switch (affinity, value) {
    case (.text, .integer(let number)): return .text(String(number))
    // SQLite's decimal representation of a real number can't be reproduced.
    case (.text, .real): return .none
    default: return element(value)
    }
  }

  /// Returns a value converted for a comparison within a list, to which `TEXT` affinity does not apply.
  func element(_ value: SQLiteValue) -> SQLiteValue? {
    guard let affinity, !value.isBoundAsNull else { return .none }
    guard case .text(let text) = value else { return value }
    // SQLite may convert a text with digits to a number.
    if affinity != .text, affinity != .blob,
      text.utf8.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      return Int64(text).map { .integer($0) }
    }
    guard ordersTexts else { return .none }
    guard ignoresCase else { return value }
    // `NOCASE` compares only up to a NUL character.
    guard !text.utf8.contains(0) else { return .none }
    let folded = text.utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    return .text(String(decoding: folded, as: UTF8.self))
  }
}

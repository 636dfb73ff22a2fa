internal import SQLiteCore

/// SQLite's rules for comparing a column with values, to the extent needed to recognize whole-table filters:
/// https://sqlite.org/datatype3.html
struct ComparisonRules {
  /// The set of values that a column can hold.
  enum Domain {
    case any
    /// Text and blobs: `TEXT` affinity converts numbers to text.
    case texts
    /// 64-bit integers: the column is the rowid.
    case rowids
  }

  var domain = Domain.any
  var canBeNull = true
  /// `nil` if values can't be ordered as the column orders them.
  private var affinity: ColumnAffinity?
  private var ordersTexts = true
  private var ignoresCase = false

  /// The rules for a column whose values have an unknown order: each may be less than, equal to or greater than a given
  /// value.
  static let unordered = ComparisonRules(affinity: nil)

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
      domain = .rowids
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

/// A partition of a column's values by the values that a filter compares it with: each of these, in SQLite's order, and
/// the intervals between them.
struct ValueIntervals {
  /// The position of values relative to a bound.
  struct Position: OptionSet {
    let rawValue: UInt8

    static let less = Position(rawValue: 1)
    static let equal = Position(rawValue: 2)
    static let greater = Position(rawValue: 4)
  }

  private let rules: ComparisonRules
  private var bounds: [SQLiteValue] = []

  init(_ rules: ComparisonRules) { self.rules = rules }

  /// Adds values that ``ComparisonRules`` has converted for comparison.
  mutating func add(_ values: [SQLiteValue]) {
    for value in values {
      let index = index(of: value)
      if index == bounds.count || !bounds[index].isSame(as: value) {
        bounds.insert(value, at: index)
      }
    }
  }

  /// The regions that can hold a value. Odd ones are single values, and even ones are the intervals before them; the
  /// last one is the interval after all of them.
  var all: [Int] { (0...2 * bounds.count).filter(canHoldValue) }

  /// Returns the regions at a position relative to one of the values.
  func regions(_ position: Position, _ value: SQLiteValue) -> Set<Int> {
    let own = 2 * index(of: value) + 1
    var regions: Set<Int> = []
    if position.contains(.less) { regions.formUnion(0..<own) }
    if position.contains(.equal) { regions.insert(own) }
    if position.contains(.greater), own < 2 * bounds.count {
      regions.formUnion(own + 1...2 * bounds.count)
    }
    return regions
  }

  /// Returns the index of the first bound that is not less than a value.
  private func index(of value: SQLiteValue) -> Int {
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle].isLess(than: value) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func canHoldValue(_ region: Int) -> Bool {
    let index = region / 2
    if region % 2 == 1 { return canHold(bounds[index]) }
    // `SQLiteValue?` needs `.none`, because `nil` would be the value NULL.
    let lower: SQLiteValue? = index == 0 ? .none : bounds[index - 1]
    let upper: SQLiteValue? = index == bounds.count ? .none : bounds[index]
    switch rules.domain {
    case .any:
      let isBelowNumbers = lower == .none && upper == .real(-.infinity)
      return !isBelowNumbers && !(lower == .real(.infinity) && upper == .text(""))
    case .texts: return upper.map { SQLiteValue.text("").isLess(than: $0) } ?? true
    case .rowids:
      let lowest = lower.map(Self.next) ?? Int64.min
      guard let lowest else { return false }
      return upper.map { SQLiteValue.integer(lowest).isLess(than: $0) } ?? true
    }
  }

  private func canHold(_ value: SQLiteValue) -> Bool {
    switch (rules.domain, value) {
    case (.any, _), (.rowids, .integer), (.texts, .text), (.texts, .blob): true
    case (.rowids, .real(let number)): Int64(exactly: number) != nil
    default: false
    }
  }

  /// Returns the least integer that is greater than a value, or `nil` if there is none.
  private static func next(_ value: SQLiteValue) -> Int64? {
    switch value {
    case .integer(let number): return number == .max ? nil : number + 1
    case .real(let number):
      if number < -0x1p63 { return .min }
      return number >= 0x1p63 ? nil : next(.integer(Int64(number.rounded(.down))))
    default: return nil
    }
  }
}

extension SQLiteValue {
  /// Returns whether SQLite orders a value that is not NULL before another one: numbers, then text byte by byte, then
  /// blobs.
  fileprivate func isLess(than other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)): a < b
    case (.integer(let a), .real(let b)): Self.isLess(a, b)
    case (.real(let a), .integer(let b)): !Self.isLess(b, a) && Int64(exactly: a) != b
    case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.blob(let a), .blob(let b)): a.lexicographicallyPrecedes(b)
    default: rank < other.rank
    }
  }

  fileprivate func isSame(as other: SQLiteValue) -> Bool {
    !isLess(than: other) && !other.isLess(than: self)
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Compares without rounding the integer.
  private static func isLess(_ a: Int64, _ b: Double) -> Bool {
    if b >= 0x1p63 { return true }
    if b < -0x1p63 { return false }
    let whole = Int64(b.rounded(.down))
    return a < whole || (a == whole && b != b.rounded(.down))
  }
}

internal import SQLiteCore

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
    case .numbers: return lower.map(\.isNumber) ?? (upper != .real(-.infinity))
    case .texts: return upper.map { SQLiteValue.text("").isLess(than: $0) } ?? true
    case .integers:
      let lowest = lower.map(Self.next) ?? Int64.min
      guard let lowest else { return false }
      return upper.map { SQLiteValue.integer(lowest).isLess(than: $0) } ?? true
    }
  }

  private func canHold(_ value: SQLiteValue) -> Bool {
    switch (rules.domain, value) {
    case (.any, _), (.integers, .integer), (.texts, .text), (.texts, .blob): true
    case (.numbers, let value): value.isNumber
    case (.integers, .real(let number)): Int64(exactly: number) != nil
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

  fileprivate var isNumber: Bool { rank == 1 }

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

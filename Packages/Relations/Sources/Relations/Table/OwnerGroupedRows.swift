public import SQLiteCore
internal import Primitives

/// Rows grouped by the key of their owner. Rows of one owner are adjacent.
@usableFromInline
struct OwnerGroupedRows<Row: Table>: Sendable {
  @usableFromInline var keys: [SQLiteValue] = []
  /// The rows of each key, as arrays.
  @usableFromInline var lists: [(any Sendable)?] = []
  /// The rows of the last key.
  @usableFromInline var rows: [Row] = []
  /// The last key, if it is an integer.
  @usableFromInline var number: Int64?
  /// The range of the keys, if rows of other keys may be read too.
  @usableFromInline let range: KeyRange?
  /// The index of the next requested key.
  @usableFromInline var next = 0
  /// A Boolean value that indicates whether the current row's key was not requested.
  @usableFromInline var isSkipping = false

  @inlinable
  init(_ range: KeyRange? = nil) { self.range = range }

  /// Begins the rows of another key, if the row's key differs from the last one.
  ///
  /// - Returns: Whether the row was requested.
  @inlinable
  mutating func advance(
    to row: borrowing SQLiteCore.Row, _ column: ColumnIndex
  ) throws(SQLiteError) -> Bool {
    if let number {
      // A key that is not an integer is not an error: keys may have several types.
      if let next = try? row.optionalInteger(at: column), next == number { return !isSkipping }
    } else if !isSkipping, let last = keys.last, try row.value(at: column) == last {
      return true
    }
    return begin(try row.value(at: column))
  }

  @inlinable
  mutating func begin(_ key: SQLiteValue) -> Bool {
    end()
    if case .integer(let value) = key { number = value } else { number = nil }
    isSkipping = !isRequested(key)
    if !isSkipping { keys.append(key) }
    return !isSkipping
  }

  /// Returns whether the rows of a key were requested.
  @usableFromInline
  mutating func isRequested(_ key: SQLiteValue) -> Bool {
    guard let range else { return true }
    let number: Int64
    switch key {
    case .integer(let integer): number = integer
    case .real(let real):
      guard let exact = Int64(exactly: real) else { return false }
      number = exact
    // The relation determines whether the value is one of its keys.
    default: return true
    }
    guard let requestedKeys = range.requestedKeys else { return true }
    while next < requestedKeys.count, requestedKeys[next] < number { next += 1 }
    return next < requestedKeys.count && requestedKeys[next] == number
  }

  /// Ends the rows of a key.
  @inlinable
  mutating func end() {
    guard keys.count > lists.count else { return }
    let count = rows.count
    // An array with much spare capacity is copied.
    lists.append(rows.capacity > count + count / 2 + 2 ? rows.map { $0 } : rows)
    rows = []
    // The next key may have a similar number of rows.
    rows.reserveCapacity(count)
  }
}

/// Grouped rows of any type. The lists are moved out, not copied.
final class GroupedRowLists: Sendable {
  let keys: [SQLiteValue]
  private let lists: Mutex<[(any Sendable)?]>

  init<Row: Table>(_ groups: consuming OwnerGroupedRows<Row>) {
    keys = groups.keys
    lists = Mutex(groups.lists)
  }

  /// Removes and returns the rows of each key, as arrays.
  func removeLists() -> [(any Sendable)?] {
    lists.withLock { lists in
      var removed: [(any Sendable)?] = []
      swap(&removed, &lists)
      return removed
    }
  }
}

/// A range of integers that contains almost only the requested keys.
@usableFromInline
struct KeyRange: Sendable {
  let first: Int64
  let last: Int64
  /// The keys in ascending order, if the range also contains other integers.
  let requestedKeys: [Int64]?

  /// Creates the range of some keys.
  ///
  /// - Parameter keys: Distinct keys.
  /// - Returns: `nil` if a key is not an integer, or if more than about one in 16 integers of the
  ///   range is not a key.
  init?(_ keys: [SQLiteValue]) {
    var integers: [Int64] = []
    integers.reserveCapacity(keys.count)
    for key in keys {
      guard case .integer(let integer) = key else { return nil }
      integers.append(integer)
    }
    guard let first = integers.min(), let last = integers.max() else { return nil }
    let (width, isTooWide) = last.subtractingReportingOverflow(first)
    guard !isTooWide, width - width / 16 < keys.count else { return nil }
    self.first = first
    self.last = last
    requestedKeys = width + 1 == keys.count ? nil : integers.sorted()
  }
}

extension Connection {
  /// Returns whether a result column has numeric affinity, so that it compares numbers numerically
  /// and uses its index for them.
  func isNumeric(_ column: ColumnIndex, of sql: String) throws -> Bool {
    let type = try withStatement(SQL(unsafe: sql)) { $0.declaredType(at: column) }
    return switch ColumnAffinity(declaredType: type ?? "") {
    case .integer, .real, .numeric: true
    case .text, .blob: false
    }
  }
}

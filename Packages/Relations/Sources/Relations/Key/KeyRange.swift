internal import SQLiteCore

/// Keys that are nearly all integers of a range.
@usableFromInline
struct KeyRange: Sendable {
  let first: Int64
  let last: Int64
  /// The keys, in ascending order, where the range has others, too.
  let asked: [Int64]?

  /// - Parameter keys: Keys, none of them twice.
  /// - Returns: `nil` where a key is no integer, or the range has too many others: of 16 integers, at most one.
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
    asked = width + 1 == keys.count ? nil : integers.sorted()
  }
}

extension Connection {
  /// Whether the column of a table that a statement gives compares what it holds to numbers as numbers, and finds them by an index.
  func isNumeric(_ column: ColumnIndex, of sql: String) throws -> Bool {
    let type = try withStatement(SQL(unsafe: sql)) { $0.declaredType(at: column) }
    return switch ColumnAffinity(declaredType: type ?? "") {
    case .integer, .real, .numeric: true
    case .text, .blob: false
    }
  }
}

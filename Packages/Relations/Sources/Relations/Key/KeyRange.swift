internal import SQLiteCore

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

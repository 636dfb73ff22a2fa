public import SQLiteCore

/// The changed columns of consecutive rows, and their values. All rows of a batch have the same
/// changed columns.
@usableFromInline
struct ColumnChanges: Sendable {
  /// The indexes of the columns that changed in the completed rows.
  private(set) var columns: [Int] = []
  /// For each completed row, the values of its changed columns and then its key; then the values of
  /// the current row.
  private var values: [SQLiteValue] = []
  /// The number of completed rows.
  private(set) var count = 0
  /// The number of values of the completed rows.
  private var end = 0
  /// The number of changed columns of the current row.
  private var changed = 0
  /// The indexes of the current row's changed columns, if they differ from `columns`.
  private var others: [Int]?

  /// A Boolean value that indicates whether the current row has no changed columns.
  var isUnchanged: Bool { changed == 0 }

  /// Begins a row, discarding a row that was not completed.
  mutating func begin() {
    if end < values.count { values.removeSubrange(end...) }
    changed = 0
    others = nil
  }

  /// Adds a changed column of the current row.
  @usableFromInline
  mutating func add(_ value: SQLiteValue, at column: Int) {
    values.append(value)
    if others != nil {
      others?.append(column)
    } else if changed == columns.count || columns[changed] != column {
      others = columns[..<changed] + [column]
    }
    changed += 1
  }

  /// Completes the current row, which must have changed.
  ///
  /// - Returns: The preceding rows, if their changed columns differ from the current row's.
  mutating func end(_ key: StoredKey, _ metadata: TableMetadata) -> UpdateBatch? {
    var former: UpdateBatch?
    if let others = others ?? (changed < columns.count ? Array(columns[..<changed]) : nil) {
      let own = Array(values[end...])
      values.removeSubrange(end...)
      former = removeBatch(metadata)
      (values, columns) = (own, others)
    }
    if case .integer(let key) = key {
      values.append(.integer(key))
    } else {
      values.append(contentsOf: key.values ?? [])
    }
    count += 1
    end = values.count
    return former
  }

  /// Reserves capacity for more rows of the same size.
  mutating func reserve(_ more: Int) {
    if count > 0 { values.reserveCapacity(values.count + values.count / count * more) }
  }

  /// Removes and returns the completed rows; `nil` if there are none.
  mutating func removeBatch(_ metadata: TableMetadata) -> UpdateBatch? {
    if count == 0 { return nil }
    begin()
    defer { self = ColumnChanges() }
    return UpdateBatch(metadata: metadata, changed: columns, parameters: values, count: count)
  }
}

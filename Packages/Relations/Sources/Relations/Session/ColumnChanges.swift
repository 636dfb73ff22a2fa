public import SQLiteCore

/// Columns of rows that have changed, and what they hold: of rows that follow one another, as long as it is the same columns.
@usableFromInline
struct ColumnChanges: Sendable {
  /// The places of the columns of the rows before.
  private(set) var places: [Int] = []
  /// For each of these rows the values of the columns, then its key; then the values of the row that was begun.
  private var values: [SQLiteValue] = []
  /// How many rows there are before it.
  private(set) var count = 0
  /// How many values these have.
  private var end = 0
  /// How many columns of the row that was begun have changed.
  private var changed = 0
  /// Their places, where these are no others than those of the rows before only as far as is known by now.
  private var others: [Int]?

  /// Whether nothing has changed of the row that was begun.
  var isUnchanged: Bool { changed == 0 }

  /// Begins a row, in the place of one that was begun.
  mutating func begin() {
    if end < values.count { values.removeSubrange(end...) }
    changed = 0
    others = nil
  }

  /// Adds a column of the row.
  @usableFromInline
  mutating func add(_ value: SQLiteValue, at place: Int) {
    values.append(value)
    if others != nil {
      others?.append(place)
    } else if changed == places.count || places[changed] != place {
      others = places[..<changed] + [place]
    }
    changed += 1
  }

  /// Ends the row, which has changed.
  ///
  /// - Returns: The rows before it, where other columns of these have changed.
  mutating func end(_ key: StoredKey, _ shape: TableMetadata) -> UpdateRun? {
    var former: UpdateRun?
    if let others = others ?? (changed < places.count ? Array(places[..<changed]) : nil) {
      let own = Array(values[end...])
      values.removeSubrange(end...)
      former = take(shape)
      (values, places) = (own, others)
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

  /// Makes room for more rows like those that there are.
  mutating func reserve(_ more: Int) {
    if count > 0 { values.reserveCapacity(values.count + values.count / count * more) }
  }

  /// Takes all rows but one that was only begun; `nil` where there are none.
  mutating func take(_ shape: TableMetadata) -> UpdateRun? {
    if count == 0 { return nil }
    begin()
    defer { self = ColumnChanges() }
    return UpdateRun(shape: shape, changed: places, parameters: values, count: count)
  }
}

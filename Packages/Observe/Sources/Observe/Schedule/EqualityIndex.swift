internal import SQLiteCore

/// Who waits for rows with given values in one column, by these values.
///
/// Which values are equal depends on how the column compares, which the first change tells, and each
/// change of the schema may tell anew.
struct EqualityIndex {
  typealias ID = Schedule.ID

  private var members: [ID: Set<SQLiteValue>] = [:]
  private var byKey: [SQLiteValue: Set<ID>] = [:]
  /// Those with a value that can't be looked up.
  private var unkeyed: Set<ID> = []
  /// How the column compares; `nil` where it is not stored, or not known yet.
  private var comparison: ColumnComparison?
  /// Where its values stand in a row.
  private var position: Int?

  var isEmpty: Bool { members.isEmpty }

  mutating func insert(_ id: ID, values: Set<SQLiteValue>) {
    members[id] = values
    if let comparison { add(id, values, comparison) }
  }

  mutating func remove(_ id: ID) {
    guard let values = members.removeValue(forKey: id), let comparison else { return }
    unkeyed.remove(id)
    for value in values {
      guard let key = comparison.operand(value).flatMap({ comparison.key($0) }) else { continue }
      byKey[key]?.remove(id)
      if byKey[key]?.isEmpty == true { byKey[key] = nil }
    }
  }

  /// Takes note of how the column compares now.
  mutating func prepare(for column: Region.ColumnName, in layout: TableLayout) {
    position = layout.columns.firstIndex(of: column)
    let current = position.map { layout.comparisons[$0] }
    if current == comparison { return }
    comparison = current
    byKey = [:]
    unkeyed = []
    if let current { for (id, values) in members { add(id, values, current) } }
  }

  /// Those for whom a row may have the value, before or since.
  func forEachCandidate(of row: ChangeSet.ChangedRow, in layout: TableLayout, _ body: (ID) -> Void)
  {
    guard let position, let comparison else {
      for id in members.keys { body(id) }
      return
    }
    for (values, isOld) in [(row.old, true), (row.new, false)] {
      guard let values else { continue }
      let image = RowImage(key: row.key, values: values, isOld: isOld, layout: layout)
      guard let operand = image.value(of: position).flatMap({ comparison.operand($0) }) else {
        for id in members.keys { body(id) }
        return
      }
      // Nothing equals NULL.
      if operand.isNull { continue }
      guard let key = comparison.key(operand) else {
        for id in members.keys { body(id) }
        return
      }
      for id in byKey[key] ?? [] { body(id) }
    }
    for id in unkeyed { body(id) }
  }

  private mutating func add(_ id: ID, _ values: Set<SQLiteValue>, _ comparison: ColumnComparison) {
    for value in values {
      guard let operand = comparison.operand(value) else {
        unkeyed.insert(id)
        continue
      }
      if operand.isNull { continue }
      if let key = comparison.key(operand) {
        byKey[key, default: []].insert(id)
      } else {
        unkeyed.insert(id)
      }
    }
  }
}

internal import SQLiteCore

/// The triggers on a source of computed texts, which write down the rows whose text is to be made again.
struct StaleTriggers {
  private(set) var all: [FullTextLayout.Object] = []

  init(
    _ index: FullTextIndex, number: Int, _ source: FullTextIndex.Source, _ table: TableSchema,
    on connection: Connection
  ) throws {
    let stale = SQLName.quoted(index.staleTable)
    let id = FullTextIndex.helperKey
    let row = SQLName.quoted(source.rowID)
    let prefix = "\(index.name)_source\(number)"
    let isOwn = number == 0
    // The number of a row is a unique key like others; a row that takes the place of another by it is told of anyway.
    let numberColumn = table.rowIDColumn
    let parts = TriggerParts(
      table: table, key: numberColumn, conflicts: try ConflictingRows(of: table, on: connection))

    // A conflict clause of the statement that fires a trigger holds within it too, so that there is none here.
    // What is no number of a row must not fail in the table of such numbers, and is the number of none.
    func mark(_ value: String) -> String {
      let value = "CAST(\(value) AS INTEGER)"
      return "INSERT INTO \(stale) SELECT \(value) WHERE \(value) IS NOT NULL"
        + " AND NOT EXISTS (SELECT 1 FROM \(stale) WHERE \(id) = \(value));"
    }
    func markAll(_ conditions: [String]) -> String {
      let all = conditions.map { "(\($0))" }.joined(separator: " OR ")
      let value = "CAST(\(row) AS INTEGER)"
      return "INSERT INTO \(stale) SELECT DISTINCT \(value) FROM \(parts.name) WHERE (\(all))"
        + " AND \(row) IS NOT NULL AND \(value) NOT IN (SELECT \(id) FROM \(stale));"
    }

    var conflicts = parts.conflicts.keys.map(\.condition)
    if let numberColumn {
      let number = SQLName.quoted(numberColumn)
      conflicts.append("\(number) = new.\(number)")
    }
    if !conflicts.isEmpty {
      let exist = conflicts.map { "EXISTS (SELECT 1 FROM \(parts.name) WHERE \($0))" }
      if !(isOwn && conflicts.count == 1) {
        all.append(
          parts.trigger(
            "\(prefix)_before_insert", "BEFORE INSERT", when: exist, [markAll(conflicts)])
        )
      }
      let unique = parts.keyColumns
      all.append(
        parts.trigger(
          "\(prefix)_before_update", "BEFORE UPDATE\(unique.areAll ? parts.of(unique.names) : "")",
          when: parts.updateConflict(isOther: "1")
            + (numberColumn.map(SQLName.quoted).map { ["new.\($0) <> old.\($0)"] } ?? []),
          [markAll(conflicts)]))
    }
    let watched = source.columns + [source.rowID]
    let changed = TriggerParts.differ(watched, "new.", "old.")
    all += [
      parts.trigger("\(prefix)_insert", "AFTER INSERT", [mark("new.\(row)")]),
      parts.trigger(
        "\(prefix)_update",
        "AFTER UPDATE\(source.columns.isEmpty ? "" : parts.of(watched))",
        when: source.columns.isEmpty ? [] : changed, [mark("old.\(row)"), mark("new.\(row)")]),
      parts.trigger("\(prefix)_delete", "AFTER DELETE", [mark("old.\(row)")]),
    ]
  }
}

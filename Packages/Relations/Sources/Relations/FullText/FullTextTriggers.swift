internal import SQLiteCore

/// The triggers that maintain an index of columns.
///
/// To delete a row from an external content table, FTS5 needs the text that was indexed; other text
/// corrupts the index. Each statement therefore checks first whether the row is indexed: it is not
/// if one of the user's triggers has changed a new row before the index's trigger runs. A row that
/// `REPLACE` deletes fires no trigger by default. Before a row is written, the rows that it may
/// replace are saved with their text, and checked afterwards. Usually there are no such rows, and
/// the table of saved rows is not written.
struct FullTextTriggers {
  private(set) var all: [FullTextLayout.Object] = []
  private let index: FullTextIndex
  private let key: String
  private let columns: [String]

  /// Creates the triggers of a table that the application writes.
  init(_ index: FullTextIndex, table: TableSchema, key: String) {
    self.init(index, key: key)
    let parts = TriggerBuilder(table, key: key)
    all = [
      stashReplacedRows(beforeInsert: parts), stashReplacedRows(beforeUpdate: parts),
      parts.trigger(
        "\(index.name)_insert", "AFTER INSERT", removeReplaced("new.\(self.key)") + [added]),
      updated(parts),
      parts.trigger(
        "\(index.name)_delete", "AFTER DELETE", when: [isIndexed("old.\(self.key)")],
        [removed + ";"]),
    ]
  }

  /// Creates the triggers of the table of computed text, which only the index writes.
  init(_ index: FullTextIndex, textTable: String) {
    self.init(index, key: FullTextIndex.helperKey)
    let name = SQLName.quoted(textTable)
    let changed = TriggerBuilder.differ(columns, "new.", "old.").joined(separator: " OR ")
    all = [
      ("insert", "INSERT ON \(name) BEGIN \(added) END"),
      ("update", "UPDATE ON \(name) WHEN \(changed) BEGIN \(removed); \(added) END"),
      ("delete", "DELETE ON \(name) BEGIN \(removed); END"),
    ].map { suffix, tail in
      FullTextLayout.Object(
        name: "\(index.name)_\(suffix)", head: "CREATE TRIGGER", tail: "AFTER \(tail)")
    }
  }

  private init(_ index: FullTextIndex, key: String) {
    self.index = index
    self.key = SQLName.quoted(key)
    columns = index.indexedColumns.map(\.name)
  }

  // MARK: Index entries

  private var name: String { SQLName.quoted(index.name) }
  private var replaced: String { SQLName.quoted(index.replacedTable) }

  private func list(_ prefix: String) -> String {
    columns.map { prefix + SQLName.quoted($0) }.joined(separator: ", ")
  }

  private func isIndexed(_ row: String) -> String {
    "EXISTS (SELECT 1 FROM \(SQLName.quoted(index.sizeTable)) WHERE id = \(row))"
  }

  private var added: String {
    "INSERT INTO \(name) (rowid, \(list(""))) SELECT new.\(key), \(list("new."))"
      + " WHERE NOT \(isIndexed("new.\(key)"));"
  }

  private var removed: String {
    "INSERT INTO \(name) (\(name), rowid, \(list(""))) SELECT 'delete', old.\(key), \(list("old."))"
  }

  // MARK: Replaced rows

  private var stashKey: String { FullTextIndex.helperKey }
  private var hasStashedRows: String { "EXISTS (SELECT 1 FROM \(replaced))" }

  private func stashReplacedRows(_ table: String, where condition: String) -> [String] {
    [
      "DELETE FROM \(replaced);",
      "INSERT INTO \(replaced) SELECT \(key), \(list("")) FROM \(table) WHERE \(condition);",
    ]
  }

  private func rows(in parts: TriggerBuilder) -> String {
    let others = parts.uniqueKeys.map { conflict in
      "SELECT \(parts.name).\(key) FROM \(parts.name) WHERE \(conflict.condition)"
    }
    return "\(key) IN (\((["SELECT new.\(key)"] + others).joined(separator: " UNION ")))"
  }

  private func stashReplacedRows(beforeInsert parts: TriggerBuilder) -> FullTextLayout.Object {
    // A row that is replaced by a row with the same text stays in the index.
    let differs = TriggerBuilder.differ(columns, "\(parts.name).", "new.").joined(separator: " OR ")
    let same = "EXISTS (SELECT 1 FROM \(parts.name) WHERE \(key) = new.\(key) AND (\(differs)))"
    return parts.trigger(
      "\(index.name)_before_insert", "BEFORE INSERT",
      when: [hasStashedRows, same]
        + parts.insertConflict(isOther: "\(parts.name).\(key) <> new.\(key)"),
      stashReplacedRows(parts.name, where: rows(in: parts)))
  }

  private func stashReplacedRows(beforeUpdate parts: TriggerBuilder) -> FullTextLayout.Object {
    let isOther = "\(parts.name).\(key) <> old.\(key)"
    let moved =
      "(new.\(key) <> old.\(key) AND EXISTS (SELECT 1 FROM \(parts.name) WHERE \(key) = new.\(key)))"
    let unique = parts.keyColumns
    return parts.trigger(
      "\(index.name)_before_update", "BEFORE UPDATE\(unique.areAll ? parts.of(unique.names) : "")",
      when: [hasStashedRows, moved] + parts.updateConflict(isOther: isOther),
      stashReplacedRows(parts.name, where: "\(rows(in: parts)) AND \(isOther)"))
  }

  /// Removes rows from the index that were deleted or replaced.
  private func removeReplaced(_ row: String, unless isSame: String? = nil) -> [String] {
    let stashedKey = "\(replaced).\(stashKey)"
    let existing = "SELECT 1 FROM \(SQLName.quoted(index.table.name)) WHERE \(key) = \(stashedKey)"
    let isReplaced = "\(stashedKey) = \(row)" + (isSame.map { " AND NOT \($0)" } ?? "")
    return [
      "INSERT INTO \(name) (\(name), rowid, \(list("")))"
        + " SELECT 'delete', \(replaced).* FROM \(replaced) WHERE \(isIndexed(stashedKey))"
        + " AND ((\(isReplaced)) OR NOT EXISTS (\(existing)));",
      "DELETE FROM \(replaced);",
    ]
  }

  private func updated(_ parts: TriggerBuilder) -> FullTextLayout.Object {
    let moved = "new.\(key) <> old.\(key)"
    let unique = parts.keyColumns
    return parts.trigger(
      "\(index.name)_update",
      "AFTER UPDATE\(unique.areAll ? parts.of(columns + unique.names) : "")",
      when: [hasStashedRows, moved] + TriggerBuilder.differ(columns, "new.", "old."),
      removeReplaced("new.\(key)", unless: "old.\(key) = new.\(key)")
        + ["\(removed) WHERE \(isIndexed("old.\(key)"));", added])
  }
}

extension FullTextIndex {
  /// Returns the triggers on a source of computed text, which record the rows whose text must be
  /// computed again.
  func staleTriggers(
    number: Int, _ source: Source, _ table: TableSchema
  ) -> [FullTextLayout.Object] {
    var triggers: [FullTextLayout.Object] = []
    let stale = SQLName.quoted(staleTable)
    let id = Self.helperKey
    let row = SQLName.quoted(source.rowID)
    let prefix = "\(name)_source\(number)"
    let isOwn = number == 0
    // The row identifier is a unique key too. A row that replaces another one by its identifier is
    // recorded anyway.
    let numberColumn = table.rowIDColumn
    let parts = TriggerBuilder(table, key: numberColumn)

    // There is no conflict clause here, because the clause of the statement that fires a trigger
    // overrides it. A value that is not a row identifier is cast to an integer that matches no row,
    // so that the insert can't fail.
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

    var conflicts = parts.uniqueKeys.map(\.condition)
    if let numberColumn {
      let number = SQLName.quoted(numberColumn)
      conflicts.append("\(number) = new.\(number)")
    }
    if !conflicts.isEmpty {
      let exist = conflicts.map { "EXISTS (SELECT 1 FROM \(parts.name) WHERE \($0))" }
      if !(isOwn && conflicts.count == 1) {
        triggers.append(
          parts.trigger(
            "\(prefix)_before_insert", "BEFORE INSERT", when: exist, [markAll(conflicts)])
        )
      }
      let unique = parts.keyColumns
      triggers.append(
        parts.trigger(
          "\(prefix)_before_update", "BEFORE UPDATE\(unique.areAll ? parts.of(unique.names) : "")",
          when: parts.updateConflict(isOther: "1")
            + (numberColumn.map(SQLName.quoted).map { ["new.\($0) <> old.\($0)"] } ?? []),
          [markAll(conflicts)]))
    }
    let watched = source.columns + [source.rowID]
    let changed = TriggerBuilder.differ(watched, "new.", "old.")
    triggers += [
      parts.trigger("\(prefix)_insert", "AFTER INSERT", [mark("new.\(row)")]),
      parts.trigger(
        "\(prefix)_update",
        "AFTER UPDATE\(source.columns.isEmpty ? "" : parts.of(watched))",
        when: source.columns.isEmpty ? [] : changed, [mark("old.\(row)"), mark("new.\(row)")]),
      parts.trigger("\(prefix)_delete", "AFTER DELETE", [mark("old.\(row)")]),
    ]
    return triggers
  }
}

/// The parts of triggers on a table.
struct TriggerBuilder {
  /// A unique key.
  struct UniqueKey {
    /// A condition that holds for a row that has the key of `new`.
    let condition: String
    /// A condition that holds if an update has changed the key; `nil` if this can't be determined.
    let hasChanged: String?
    /// The key's columns; `nil` if the key contains an expression.
    let columns: [String]?

    init(_ index: TableSchema.Index, of table: TableSchema) {
      let name = SQLName.quoted(table.name.name)
      let parts = index.keys.map { key in
        let collation = "COLLATE \(SQLName.quoted(key.collation))"
        if let column = key.column.map(SQLName.quoted) {
          return "\(name).\(column) \(collation) = new.\(column)"
        }
        let expression = key.expressionSQL ?? "NULL"
        let values = table.columns.map { column in
          "new.\(SQLName.quoted(column.name)) AS \(SQLName.quoted(column.name))"
        }
        let new =
          "(SELECT \(expression) FROM (SELECT \(values.joined(separator: ", "))) AS \(name))"
        return "(\(expression)) \(collation) = \(new)"
      }
      condition = (parts + [index.whereSQL.map { "(\($0))" }].compactMap(\.self))
        .joined(separator: " AND ")
      let columns = index.keys.compactMap(\.column)
      let isPlain =
        columns.count == index.keys.count && index.whereSQL == nil
        && columns.allSatisfy { name in
          table.columns.contains { $0.kind == .stored && SQLName.isSame($0.name, name) }
        }
      let changes = columns.map { column in
        let column = SQLName.quoted(column)
        return "new.\(column) COLLATE BINARY IS NOT old.\(column)"
      }
      hasChanged = isPlain ? "(\(changes.joined(separator: " OR ")))" : nil
      self.columns = isPlain ? columns : nil
    }
  }

  let table: TableSchema
  /// The column that holds the row identifier; `nil` in a table WITHOUT ROWID.
  let key: String?
  /// The unique keys, except the row identifier. `REPLACE` deletes the rows that conflict with a new
  /// row without firing triggers, unless `PRAGMA recursive_triggers` is on.
  let uniqueKeys: [UniqueKey]

  init(_ table: TableSchema, key: String?) {
    self.table = table
    self.key = key
    uniqueKeys = table.indexes.filter(\.isUnique).map { UniqueKey($0, of: table) }
  }

  /// The names by which an `UPDATE` can refer to the row identifier.
  private var keyNames: [String] {
    key.map { [$0, "rowid", "oid", "_rowid_"] } ?? []
  }

  var name: String { SQLName.quoted(table.name.name) }

  /// Returns ` OF …` for columns that an `UPDATE` can name; otherwise an empty string, which means
  /// any update.
  func of(_ columns: [String]) -> String {
    let isPlain = columns.allSatisfy { name in
      table.columns.contains { $0.kind == .stored && SQLName.isSame($0.name, name) }
    }
    guard isPlain else { return "" }
    var names: [String] = []
    for name in columns + keyNames
    where !names.contains(where: { SQLName.isSame($0, name) }) {
      names.append(name)
    }
    return names.isEmpty ? "" : " OF " + names.map(SQLName.quoted).joined(separator: ", ")
  }

  /// The columns of the unique keys, and whether only changes of these columns can change a key.
  var keyColumns: (names: [String], areAll: Bool) {
    (uniqueKeys.flatMap { $0.columns ?? [] }, uniqueKeys.allSatisfy { $0.columns != nil })
  }

  /// Returns conditions that hold if an inserted row conflicts with a row that has another row
  /// identifier.
  func insertConflict(isOther: String) -> [String] {
    uniqueKeys.map { "EXISTS (SELECT 1 FROM \(name) WHERE \($0.condition) AND \(isOther))" }
  }

  /// Returns conditions that hold if an updated row conflicts with another row.
  func updateConflict(isOther: String) -> [String] {
    uniqueKeys.map { key in
      let exists = "EXISTS (SELECT 1 FROM \(name) WHERE \(key.condition) AND \(isOther))"
      return key.hasChanged.map { "(\($0) AND \(exists))" } ?? exists
    }
  }

  /// Returns conditions that hold if the bytes of a column differ. Depending on the collation, `=`
  /// may consider different text equal.
  static func differ(_ columns: [String], _ a: String, _ b: String) -> [String] {
    columns.map { column in
      let name = SQLName.quoted(column)
      return "CAST(\(a)\(name) AS BLOB) IS NOT CAST(\(b)\(name) AS BLOB)"
    }
  }

  func trigger(
    _ name: String, _ event: String, when conditions: [String] = [], _ body: [String]
  ) -> FullTextLayout.Object {
    let when = conditions.isEmpty ? "" : " WHEN " + conditions.joined(separator: " OR ")
    return FullTextLayout.Object(
      name: name, head: "CREATE TRIGGER",
      tail: "\(event) ON \(self.name)\(when) BEGIN \(body.joined(separator: " ")) END")
  }
}

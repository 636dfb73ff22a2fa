internal import SQLiteCore

/// The triggers that keep an index of columns.
///
/// FTS5 takes the words of a row away by being told the text that it was given, and counts wrongly when told
/// another one. So each statement asks first whether the row is in the index: it is not yet where a trigger of
/// the user's has changed a new row before this one came to it. A row that `REPLACE` deletes fires no trigger, by
/// default: before a row is written, those which are in its way are put aside with their texts, and looked
/// for afterwards. None is, mostly, and nothing is written then.
struct FullTextTriggers {
  private(set) var all: [FullTextLayout.Object] = []
  private let index: FullTextIndex
  private let key: String
  private let columns: [String]

  /// For a table that anyone writes.
  init(_ index: FullTextIndex, table: TableSchema, key: String, conflicts: ConflictingRows) {
    self.init(index, key: key)
    let parts = TriggerParts(table: table, key: key, conflicts: conflicts)
    all = [
      setAside(beforeInsert: parts), setAside(beforeUpdate: parts),
      parts.trigger("\(index.name)_insert", "AFTER INSERT", settle("new.\(self.key)") + [added]),
      updated(parts),
      parts.trigger(
        "\(index.name)_delete", "AFTER DELETE", when: [isIndexed("old.\(self.key)")],
        [removed + ";"]),
    ]
  }

  /// For the table of computed texts, which is written here alone.
  init(_ index: FullTextIndex, textTable: String) {
    self.init(index, key: FullTextIndex.helperKey)
    let name = SQLName.quoted(textTable)
    let changed = TriggerParts.differ(columns, "new.", "old.").joined(separator: " OR ")
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

  // MARK: Words in and out of the index

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

  // MARK: Rows that others take the place of

  private var asideKey: String { FullTextIndex.helperKey }
  private var hasAside: String { "EXISTS (SELECT 1 FROM \(replaced))" }

  private func setAside(_ table: String, where condition: String) -> [String] {
    [
      "DELETE FROM \(replaced);",
      "INSERT INTO \(replaced) SELECT \(key), \(list("")) FROM \(table) WHERE \(condition);",
    ]
  }

  private func rows(in parts: TriggerParts) -> String {
    let others = parts.conflicts.keys.map { conflict in
      "SELECT \(parts.name).\(key) FROM \(parts.name) WHERE \(conflict.condition)"
    }
    return "\(key) IN (\((["SELECT new.\(key)"] + others).joined(separator: " UNION ")))"
  }

  private func setAside(beforeInsert parts: TriggerParts) -> FullTextLayout.Object {
    // One that is replaced by a row of the same texts stays in the index as it is.
    let differs = TriggerParts.differ(columns, "\(parts.name).", "new.").joined(separator: " OR ")
    let same = "EXISTS (SELECT 1 FROM \(parts.name) WHERE \(key) = new.\(key) AND (\(differs)))"
    return parts.trigger(
      "\(index.name)_before_insert", "BEFORE INSERT",
      when: [hasAside, same]
        + parts.insertConflict(isOther: "\(parts.name).\(key) <> new.\(key)"),
      setAside(parts.name, where: rows(in: parts)))
  }

  private func setAside(beforeUpdate parts: TriggerParts) -> FullTextLayout.Object {
    let isOther = "\(parts.name).\(key) <> old.\(key)"
    let moved =
      "(new.\(key) <> old.\(key) AND EXISTS (SELECT 1 FROM \(parts.name) WHERE \(key) = new.\(key)))"
    let unique = parts.keyColumns
    return parts.trigger(
      "\(index.name)_before_update", "BEFORE UPDATE\(unique.areAll ? parts.of(unique.names) : "")",
      when: [hasAside, moved] + parts.updateConflict(isOther: isOther),
      setAside(parts.name, where: "\(rows(in: parts)) AND \(isOther)"))
  }

  /// Takes those rows out of the index that are gone, or whose place another row has taken.
  private func settle(_ row: String, unless isSame: String? = nil) -> [String] {
    let aside = "\(replaced).\(asideKey)"
    let kept = "SELECT 1 FROM \(SQLName.quoted(index.table.name)) WHERE \(key) = \(aside)"
    let isTaken = "\(aside) = \(row)" + (isSame.map { " AND NOT \($0)" } ?? "")
    return [
      "INSERT INTO \(name) (\(name), rowid, \(list("")))"
        + " SELECT 'delete', \(replaced).* FROM \(replaced) WHERE \(isIndexed(aside))"
        + " AND ((\(isTaken)) OR NOT EXISTS (\(kept)));",
      "DELETE FROM \(replaced);",
    ]
  }

  private func updated(_ parts: TriggerParts) -> FullTextLayout.Object {
    let moved = "new.\(key) <> old.\(key)"
    let unique = parts.keyColumns
    return parts.trigger(
      "\(index.name)_update",
      "AFTER UPDATE\(unique.areAll ? parts.of(columns + unique.names) : "")",
      when: [hasAside, moved] + TriggerParts.differ(columns, "new.", "old."),
      settle("new.\(key)", unless: "old.\(key) = new.\(key)")
        + ["\(removed) WHERE \(isIndexed("old.\(key)"));", added])
  }
}

internal import SQLiteCore

/// What triggers on a table are written with.
struct TriggerParts {
  let table: TableSchema
  /// The column that is the number of a row; `nil` in a table without such numbers.
  let key: String?
  let conflicts: ConflictingRows

  /// The names by which an `UPDATE` may call the number of a row.
  private var keyNames: [String] {
    key.map { [$0, "rowid", "oid", "_rowid_"] } ?? []
  }

  var name: String { SQLName.quoted(table.name.name) }

  /// ` OF …`, where columns are given that an `UPDATE` can name; else an empty text, for any update.
  func of(_ columns: [String], withKey: Bool = true) -> String {
    let isPlain = columns.allSatisfy { name in
      table.columns.contains { $0.kind == .stored && SQLName.isSame($0.name, name) }
    }
    guard isPlain else { return "" }
    var names: [String] = []
    for name in columns + (withKey ? keyNames : [])
    where !names.contains(where: { SQLName.isSame($0, name) }) {
      names.append(name)
    }
    return names.isEmpty ? "" : " OF " + names.map(SQLName.quoted).joined(separator: ", ")
  }

  /// The columns of the unique keys, and whether they are all that changes a key.
  var keyColumns: (names: [String], areAll: Bool) {
    (conflicts.keys.flatMap { $0.columns ?? [] }, conflicts.keys.allSatisfy { $0.columns != nil })
  }

  /// Whether an insert is for a row that another one, with another number, is in the way of.
  func insertConflict(isOther: String) -> [String] {
    conflicts.keys.map { "EXISTS (SELECT 1 FROM \(name) WHERE \($0.condition) AND \(isOther))" }
  }

  /// Whether an update is for a row that another one is in the way of.
  func updateConflict(isOther: String) -> [String] {
    conflicts.keys.map { key in
      let exists = "EXISTS (SELECT 1 FROM \(name) WHERE \(key.condition) AND \(isOther))"
      return key.hasChanged.map { "(\($0) AND \(exists))" } ?? exists
    }
  }

  /// Whether the bytes of one of some columns differ: `=` holds texts equal that are not, as a collation has it.
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

internal import SQLiteCore

extension TableMetadata {
  /// What an upsert does that makes the row of a key what it says.
  var replacing: UpsertRule {
    var rule = UpsertRule(target: key, updated: columns.indices.filter { !key.contains($0) })
    if let version {
      rule.checksVersion = conflictPolicy != .keepMine
      rule.returned = [version]
    }
    return rule
  }

  /// Inserts a row, or updates the one that it contradicts.
  func upsertSQL(_ rule: UpsertRule) -> String {
    let table = SQLName.quoted(table)
    let names = columns.map { SQLName.quoted($0.name) }
    let changes = rule.updated.filter { $0 != version }.map {
      "\(names[$0]) = excluded.\(names[$0])"
    }
    let target = rule.target.map { names[$0] }.joined(separator: ", ")
    var sql = "\(insertSQL) ON CONFLICT (\(target))"
    // A unique index of rows that are not marked as deleted is found by its condition.
    if rule.target != key, let liveCondition { sql += " WHERE \(liveCondition)" }
    if rule.updated.isEmpty {
      sql += " DO NOTHING"
    } else {
      var changes = changes
      if let version { changes.append("\(names[version]) = \(table).\(names[version]) + 1") }
      sql += " DO UPDATE SET \(changes.joined(separator: ", "))"
      if rule.checksVersion, let version {
        sql += " WHERE \(table).\(names[version]) = excluded.\(names[version])"
      }
    }
    if rule.returned.isEmpty { return sql }
    return sql + " RETURNING \(rule.returned.map { names[$0] }.joined(separator: ", "))"
  }

  /// What an update does with the version, where the type has one.
  enum VersionUse {
    case check, count, leave
  }

  /// Changes some columns of the row of a key, which must have its version where that is checked.
  func updateSQL(_ changed: [Int], _ use: VersionUse) -> String {
    let changes = changed.map { "\(SQLName.quoted(columns[$0].name)) = ?" }
    let step = use == .leave ? "" : versionStep
    var sql =
      "UPDATE \(SQLName.quoted(table)) SET \(changes.joined(separator: ", "))\(step) "
      + "WHERE \(keyCondition)"
    if use == .check, let version { sql += " AND \(SQLName.quoted(columns[version].name)) = ?" }
    return sql
  }

  /// What is added to the assignments of an update.
  var versionStep: String {
    guard let version else { return "" }
    let name = SQLName.quoted(columns[version].name)
    return ", \(name) = \(name) + 1"
  }

  var deleteSQL: String { "DELETE FROM \(SQLName.quoted(table))" }
}

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
    // A unique index of rows that are not marked as deleted is found by its condition.
    let condition = rule.target == key ? nil : liveCondition.map { SQL(unsafe: $0) }
    var sql = schema.upsertSQL(
      onConflict: rule.target.map { columns[$0].name }, where: condition,
      updating: rule.updated.filter { $0 != version }.map { columns[$0].name },
      set: rule.updated.isEmpty ? [] : versionStep
    ).text
    if !rule.updated.isEmpty, rule.checksVersion, let version {
      let name = SQLName.quoted(columns[version].name)
      sql += " WHERE \(SQLName.quoted(table)).\(name) = excluded.\(name)"
    }
    if rule.returned.isEmpty { return sql }
    let returned = rule.returned.map { SQLName.quoted(columns[$0].name) }
    return sql + " RETURNING \(returned.joined(separator: ", "))"
  }

  /// What an update does with the version, where the type has one.
  enum VersionUse {
    case check, count, leave
  }

  /// Changes some columns of the row of a key, which must have its version where that is checked.
  func updateSQL(_ changed: [Int], _ use: VersionUse) -> String {
    let step = use == .leave ? [] : versionStep
    var sql = schema.updateSQL(changed.map { columns[$0].name }, set: step).text
    if use == .check, let version { sql += " AND \(SQLName.quoted(columns[version].name)) = ?" }
    return sql
  }

  /// What an update assigns besides, so that the version says that the row was changed.
  var versionStep: [SQL] {
    guard let version else { return [] }
    let name = SQLName.quoted(columns[version].name)
    return [SQL(unsafe: "\(name) = \(name) + 1")]
  }
}

internal import SQLiteCore

extension TableMetadata {
  /// The rule of an upsert that replaces all columns of the row with the same key.
  var replacing: UpsertRule {
    var rule = UpsertRule(target: key, updated: columns.indices.filter { !key.contains($0) })
    if let version {
      rule.checksVersion = conflictPolicy != .keepMine
      rule.returned = [version]
    }
    return rule
  }

  /// The statement that inserts a row, or updates the existing row that it conflicts with.
  func upsertSQL(_ rule: UpsertRule) -> String {
    // The condition identifies the partial unique index of rows that are not marked as deleted.
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

  /// The handling of the version column by an update, if the type has one.
  enum VersionUse {
    case check, count, leave
  }

  /// The statement that updates some columns of the row with a key. With `check`, the row must have
  /// the expected version.
  func updateSQL(_ changed: [Int], _ use: VersionUse) -> String {
    let step = use == .leave ? [] : versionStep
    var sql = schema.updateSQL(changed.map { columns[$0].name }, set: step).text
    if use == .check, let version { sql += " AND \(SQLName.quoted(columns[version].name)) = ?" }
    return sql
  }

  /// The additional assignment of an update that changes the row's version.
  var versionStep: [SQL] {
    guard let version else { return [] }
    let name = SQLName.quoted(columns[version].name)
    return [SQL(unsafe: "\(name) = \(name) + 1")]
  }
}

internal import Primitives

/// The difference between two definitions of a table, and the cheapest way to apply it.
struct TableChange {
  /// The change as `ALTER TABLE` statements, or `nil` if the table must be rebuilt.
  private(set) var alterations: [SchemaDiff.Step]?
  /// The data that rebuilding the table loses.
  private(set) var losses: [SchemaDiff.DataLoss] = []
  private(set) var explanation = ""

  /// Creates the change, or `nil` if the definitions are equivalent.
  init?(
    from old: TableSchema, to new: TableSchema, values: [String: String],
    options: SchemaDiff.Options, in schema: DatabaseSchema
  ) {
    guard let oldSQL = old.sql, let newSQL = new.sql, let before = TableDefinition(oldSQL),
      let after = TableDefinition(newSQL),
      !before.isEquivalent(to: after, ignoringColumnOrder: options.ignoresColumnOrder)
    else { return nil }
    let removed = before.columns.filter { after.column($0.name) == nil }
    let added = after.columns.filter { before.column($0.name) == nil }
    let columnsWithValues = Set(values.keys.map(\.asciiLowercased))
    losses = removed.filter { $0.generatedSQL == nil }.map { .column($0.name, of: new.name.name) }
    for column in after.columns where !columnsWithValues.contains(column.name.asciiLowercased) {
      guard let previous = before.column(column.name) else { continue }
      if Self.losesValues(previous, column, before.isStrict, after.isStrict) {
        losses.append(.conversion(of: column.name, in: new.name.name))
      }
    }
    explanation = Self.summary(before, after, removed: removed, added: added)
    // Values from the options are computed from the old rows, which requires a rebuild.
    guard columnsWithValues.isEmpty, before.options == after.options, removed.count <= 1,
      Self.hasSameColumns(before, after, removed, added, options),
      Self.hasSameConstraints(before, after, added),
      added.allSatisfy(\.canBeAdded),
      removed.allSatisfy({ Self.canBeDropped($0, from: before, in: schema) })
    else { return }
    let table = SQLName.quoted(new.name.name)
    func step(
      _ kind: SchemaDiff.Step.Kind, _ sql: String, losses: [SchemaDiff.DataLoss],
      _ explanation: String
    ) -> SchemaDiff.Step {
      SchemaDiff.Step(
        kind: kind, object: new.name.name, statements: [sql], losses: losses,
        explanation: explanation, action: .statements([sql]))
    }
    alterations =
      removed.map { column in
        step(
          .dropColumn, "ALTER TABLE \(table) DROP COLUMN \(SQLName.quoted(column.name))",
          losses: losses,
          "drop column \(column.name) of \(new.name.name)")
      }
      + added.map { column in
        step(
          .addColumn, "ALTER TABLE \(table) ADD COLUMN \(column.sql)", losses: [],
          "add column \(column.name) to \(new.name.name)")
      }
  }

  /// Returns whether the remaining columns are unchanged, with the new ones after them.
  private static func hasSameColumns(
    _ before: TableDefinition, _ after: TableDefinition, _ removed: [TableDefinition.Column],
    _ added: [TableDefinition.Column], _ options: SchemaDiff.Options
  ) -> Bool {
    let kept = before.columns.filter { column in !removed.contains { $0.name == column.name } }
    func canonicalColumns(_ columns: [TableDefinition.Column]) -> [ExactText] {
      let columns = columns.map(\.canonical)
      return (options.ignoresColumnOrder ? columns.sorted() : columns).map(ExactText.init)
    }
    return canonicalColumns(kept + added) == canonicalColumns(after.columns)
  }

  /// Returns whether no constraint differs, except those of new columns.
  private static func hasSameConstraints(
    _ before: TableDefinition, _ after: TableDefinition, _ added: [TableDefinition.Column]
  ) -> Bool {
    (before.canonicalConstraints + added.flatMap(\.canonicalConstraints)).sorted().map(
      ExactText.init)
      == after.canonicalConstraints.map(ExactText.init)
  }

  /// Returns whether no other part of the schema mentions a column's name.
  private static func canBeDropped(
    _ column: TableDefinition.Column, from table: TableDefinition, in schema: DatabaseSchema
  ) -> Bool {
    guard column.constraints.isEmpty, column.traits.allSatisfy({ !$0.contains("primary key") })
    else { return false }
    let others = table.columns.filter { $0.name != column.name }.map(\.canonical)
    let dependents =
      schema.indexes.compactMap(\.sql) + schema.views.map(\.sql) + schema.triggers.map(\.sql)
      + schema.tables.filter { $0.kind == .virtual }.compactMap(\.sql)
    return !(others + table.canonicalConstraints + dependents).contains {
      SQLTokens($0).mentions(column.name)
    }
  }

  /// Returns whether copying a column can change its values.
  private static func losesValues(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, _ oldIsStrict: Bool,
    _ newIsStrict: Bool
  ) -> Bool {
    if new.generatedSQL != nil { return old.generatedSQL == nil }
    let before = ColumnAffinity(declaredType: old.type, isStrict: oldIsStrict)
    let after = ColumnAffinity(declaredType: new.type, isStrict: newIsStrict)
    return !before.isPreserved(by: after)
  }

  private static func summary(
    _ before: TableDefinition, _ after: TableDefinition, removed: [TableDefinition.Column],
    added: [TableDefinition.Column]
  ) -> String {
    var summary = removed.map { "without column \($0.name)" }
    summary += added.map { "with column \($0.name)" }
    for column in after.columns {
      guard let previous = before.column(column.name), previous.canonical != column.canonical else {
        continue
      }
      summary.append("column \(column.name) was \(previous.canonical), is \(column.canonical)")
    }
    let old = before.canonicalConstraints
    let new = after.canonicalConstraints
    summary += old.filter { !new.contains($0) }.map { "without \($0)" }
    summary += new.filter { !old.contains($0) }.map { "with \($0)" }
    summary += before.options.subtracting(after.options).sorted().map { "not \($0)" }
    summary += after.options.subtracting(before.options).sorted()
    return summary.isEmpty ? "columns in another order" : summary.joined(separator: "; ")
  }
}

extension TableDefinition {
  var isStrict: Bool { options.contains("strict") }
}

extension TableDefinition.Column {
  /// Indicates whether `ALTER TABLE ADD COLUMN` accepts the column for any table content:
  /// https://sqlite.org/lang_altertable.html#alter_table_add_column
  fileprivate var canBeAdded: Bool {
    let kinds = constraints.map(\.kind)
    if kinds.contains(.primaryKey) || kinds.contains(.unique) || isStoredGenerated { return false }
    let isNull = defaultSQL.map { $0.isEqualIgnoringASCIICase("NULL") } ?? true
    if let defaultSQL, !Self.isLiteral(defaultSQL) { return false }
    if traits.contains(where: { $0.hasPrefix("not null") }), isNull, generatedSQL == nil {
      return false
    }
    return isNull || !kinds.contains(.foreignKey)
  }

  private static func isLiteral(_ sql: String) -> Bool {
    let tokens = SQLTokens(sql)
    let isSigned = tokens.is(0, "+") || tokens.is(0, "-")
    let last = isSigned ? 1 : 0
    guard tokens.count == last + 1 else { return false }
    switch tokens.kind(last) {
    case .number, .string, .blob: return true
    case .word: return ["NULL", "TRUE", "FALSE"].contains { tokens.is(last, $0) }
    default: return false
    }
  }
}

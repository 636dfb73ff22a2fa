internal import Primitives
internal import QueryGenDriver
internal import SQLSemantics
internal import SQLSyntax
internal import SQLiteCore

/// The tables and indexes of a project's schema, and the tables' numbers of rows.
struct SchemaObjects {
  /// The tables and virtual tables of the database itself that no temporary table hides, by lowercase
  /// name.
  var tables: [String: TableSchema] = [:]
  /// The indexes, by lowercase name.
  var indexes: [String: TableSchema.Index] = [:]
  /// The known numbers of rows, by lowercase name of the table.
  var rows: [String: Int] = [:]
  /// The selects of the views, by lowercase name.
  private(set) var views: [String: StatementFacts] = [:]
  /// The statements that create the triggers, by lowercase name.
  private(set) var triggers: [String: String] = [:]
  /// The tables to which the aliases in views refer; `nil` if one alias refers to several.
  private var viewAliases: [String: String?] = [:]

  init() {}

  init(_ connection: Connection, _ schema: PlanSchema) throws {
    let shadowed = schema.catalog.temporaryTableNames
    for table in try connection.tables()
    where table.kind != .view && !shadowed.contains(table.name.name.asciiLowercased) {
      tables[table.name.name.asciiLowercased] = table
      for index in table.indexes { indexes[index.name.asciiLowercased] = index }
    }
    if try connection.value(Int.self, "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'")
      != nil
    {
      try connection.forEach(
        "SELECT tbl, max(CAST(stat AS INTEGER)) FROM sqlite_stat1 GROUP BY tbl"
      ) { row in
        rows[try row.read(String.self, at: 0).asciiLowercased] = try row.read(Int.self, at: 1)
      }
    }
    for object in schema.catalog.statements() {
      if object.kind == .trigger { triggers[object.name.asciiLowercased] = object.sql }
      guard object.kind == .view else { continue }
      let source = SourceText(object.sql)
      var diagnostics = DiagnosticList()
      guard
        let statement = Parser.parseStatement(
          source, options: ParserOptions(), diagnostics: &diagnostics)
      else { continue }
      let facts = StatementFacts(statement, source: source, catalog: schema.catalog)
      views[object.name.asciiLowercased] = facts
      for found in facts.selects.flatMap(\.sources) {
        guard let table = found.table else { continue }
        let known = viewAliases[found.label]
        viewAliases[found.label] = .some(known == nil || known == table ? table : nil)
      }
    }
  }

  /// Returns the table that a label of a view refers to.
  func tableOfView(_ label: String) -> String? {
    if let alias = viewAliases[label] { return alias }
    return tables[label] == nil ? nil : label
  }

  /// Returns whether a table's index, or its key, begins with a column.
  func isIndexed(_ column: String, of table: TableSchema) -> Bool {
    table.isRowIDColumn(column)
      || table.indexes.contains { index in
        index.keys.first?.column.map { $0.asciiLowercased == column } ?? false
      }
  }

  /// Returns whether the columns contain a key, so that at most one row has their values.
  func isUnique(_ columns: Set<String>, of table: TableSchema) -> Bool {
    if let column = table.rowIDColumn, columns.contains(column.asciiLowercased) { return true }
    return table.uniqueKeys.contains { key in
      key.allSatisfy { columns.contains($0.asciiLowercased) }
    }
  }

  /// Returns a name for a new index that no other object has.
  func indexName(_ table: TableSchema, _ words: [String]) -> String {
    let base = ([table.name.name] + words).joined(separator: "_")
    var name = base
    var number = 2
    while indexes[name.asciiLowercased] != nil || tables[name.asciiLowercased] != nil {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }
}

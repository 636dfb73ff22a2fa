import PostgreSQL
import Primitives
import SQLiteCore

extension ServerCatalog {
  /// The statements that create the schema's objects, in an order that PostgreSQL accepts.
  var statements: [String] {
    func objects(_ kinds: Object.Kind...) -> [String] {
      self.objects.filter { kinds.contains($0.kind) }.map(\.sql)
    }
    let keys = tables.flatMap { table in
      table.constraints.filter { $0.kind == "f" }.map { $0.addition(to: table, in: self) }
    }
    let security = tables.filter(\.hasRowSecurity).map {
      "ALTER TABLE \(qualified($0.name)) ENABLE ROW LEVEL SECURITY"
    }
    // A function can use a table, and a default value a function. PostgreSQL checks the bodies of SQL functions.
    var functions = objects(.function)
    if !functions.isEmpty { functions.insert("SET check_function_bodies = off", at: 0) }
    let tables = tables.map { creation(of: $0) }
    let indexes = self.tables.flatMap { $0.indexes.map(\.definition) }
    return objects(.type, .sequence) + functions + tables + objects(.ownership) + indexes + keys
      + objects(.view, .trigger) + security + objects(.policy) + comments
  }

  /// A script that creates the schema.
  var sql: String { statements.map { $0 + ";\n" }.joined() }

  func qualified(_ name: String) -> String { PortableTable.qualified(name, schema) }

  /// The statement that creates a table with its constraints, except foreign keys.
  func creation(of table: Table) -> String {
    var lines = table.columns.map { "\(SQLName.quoted($0.name)) \($0.definition)" }
    lines += table.constraints.filter { $0.kind != "f" }.map {
      "CONSTRAINT \(SQLName.quoted($0.name)) \($0.definition)"
    }
    let partition = table.partitionKey.map { " PARTITION BY \($0)" } ?? ""
    return
      "CREATE TABLE \(qualified(table.name)) (\n  \(lines.joined(separator: ",\n  "))\n)\(partition)"
  }

  private var comments: [String] {
    tables.flatMap { table in
      let own = table.comment.map {
        [
          "COMMENT ON TABLE \(qualified(table.name)) IS \(LiteralValue.text($0).sql(forPostgreSQL: true))"
        ]
      }
      return (own ?? [])
        + table.columns.compactMap { column in
          column.comment.map {
            "COMMENT ON COLUMN \(qualified(table.name)).\(SQLName.quoted(column.name)) IS "
              + LiteralValue.text($0).sql(forPostgreSQL: true)
          }
        }
    }
  }
}

extension ServerCatalog.Column {
  /// The type of the column, and the clauses that follow it in `CREATE TABLE`.
  var definition: String {
    var sql = type
    if let collation { sql += " COLLATE \(collation)" }
    if let formula, isGenerated { sql += " GENERATED ALWAYS AS (\(formula)) STORED" }
    if !identity.isEmpty {
      sql += " GENERATED \(identity == "a" ? "ALWAYS" : "BY DEFAULT") AS IDENTITY"
    }
    if let formula, !isGenerated { sql += " DEFAULT \(formula)" }
    if isNotNull { sql += " NOT NULL" }
    return sql
  }

  private var formula: String? { expression }
}

extension ServerCatalog.Constraint {
  func addition(to table: ServerCatalog.Table, in catalog: ServerCatalog) -> String {
    "ALTER TABLE \(catalog.qualified(table.name)) ADD CONSTRAINT \(SQLName.quoted(name)) \(definition)"
  }
}

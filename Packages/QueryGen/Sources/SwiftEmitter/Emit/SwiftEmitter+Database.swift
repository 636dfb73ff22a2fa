import QueryModel

extension SwiftEmitter {
  /// The database type with its migrations, and the tables' structs.
  func databaseFile(_ project: Project, _ named: NamedProject) -> GeneratedFile {
    var writer = begin()
    writer.line()
    writer.documentation(
      """
      The database that `Migrations/` describes, with the queries of `Queries/` as its properties.

      Opening one brings its schema up to date.
      """)
    writer.block("\(typeAccess)struct \(options.databaseName): GeneratedDatabase") { writer in
      writer.documentation("The migrations, in the order in which they run.")
      migrations(project.migrations, &writer)
      writer.line()
      writer.documentation(
        "Where the queries run: for transactions, and for statements of your own.")
      writer.line("\(access)let database: Database")
      writer.line()
      writer.documentation(
        "Takes a database whose schema is up to date. `init(database:)` sees to it.")
      writer.block("\(access)init(migrated database: Database)") {
        $0.line("self.database = database")
      }
    }
    for table in project.tables.sorted(by: { $0.name < $1.name }) {
      guard let type = named.tableTypes[table.name] else { continue }
      writer.line()
      tableStruct(table, named: type, &writer)
    }
    return GeneratedFile(
      name: GeneratedFile.databaseFileName(options.databaseName), text: writer.text)
  }

  private func migrations(_ migrations: [MigrationDefinition], _ writer: inout SwiftWriter) {
    let head = "\(access)static let migrations: [Migration] = ["
    guard !migrations.isEmpty else {
      writer.line(head + "]")
      return
    }
    writer.line(head)
    writer.indented { writer in
      let comma = migrations.count > 1 ? "," : ""
      for migration in migrations {
        writer.line("Migration(")
        writer.indented { writer in
          writer.line("name: \(StringLiteral.singleLine(migration.name)),")
          writer.literal("sql: ", migration.sql, ")" + comma)
        }
      }
    }
    writer.line("]")
  }

  private func tableStruct(
    _ table: TableDefinition, named type: String, _ writer: inout SwiftWriter
  ) {
    let fields = Field.fields(of: table.columns)
    let kind = table.kind == .view ? "view" : "table"
    writer.documentation(
      table.documentation ?? "A row of the \(kind) `\(table.name)`.")
    var conformances = ["Hashable", "Sendable", "RowDecodable"]
    if isIdentifiable(table, fields) { conformances.insert("Identifiable", at: 1) }
    rowStruct(type, conformances, fields, &writer)
  }

  /// Whether the primary key is one column, never NULL, whose property is `id`.
  private func isIdentifiable(_ table: TableDefinition, _ fields: [Field]) -> Bool {
    guard table.primaryKey.count == 1, let key = table.primaryKey.first else { return false }
    return zip(table.columns, fields).contains { column, field in
      column.name == key && field.name == "id" && !column.isNullable
    }
  }
}

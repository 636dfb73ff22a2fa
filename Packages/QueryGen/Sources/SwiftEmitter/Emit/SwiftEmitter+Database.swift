import QueryModel

extension SwiftEmitter {
  /// The database type with its migrations, and the tables' structs.
  ///
  /// - Parameter tables: The tables whose structs are to be in the file.
  func databaseFile(
    _ project: Project, _ tables: [TableDefinition], _ named: NamedProject
  ) -> GeneratedFile {
    var writer = begin(mappings(of: tables, named))
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
    for table in tables {
      writer.line()
      tableTypes(table, named, &writer)
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
}

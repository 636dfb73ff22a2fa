public import QueryModel

/// Writes the Swift of a project: the database type, a struct for each table, and for each query its
/// input, its row and what runs it.
///
/// The same project gives the same bytes, in whatever order its parts were found.
///
/// ```swift
/// let result = SwiftEmitter().emit(project)
/// for file in result.files { print(file.name) }   // DB.generated.swift, Todo.queries.swift
/// ```
public struct SwiftEmitter: Sendable {
  public var options: EmitterOptions

  public init(options: EmitterOptions = EmitterOptions()) { self.options = options }

  /// - Returns: The files; none where a diagnostic says why.
  public func emit(_ project: Project) -> EmitterResult {
    var named = NamedProject(project, options: options)
    var shapes: [[QueryShape]] = []
    for (index, file) in named.files.enumerated() {
      shapes.append(file.queries.map { QueryShape($0, named) })
      for (number, shape) in shapes[index].enumerated() {
        named.check(shape, at: EmitterDiagnostic.Place(file: index, query: number))
      }
    }
    for table in project.tables { named.check(table, isCodable: isCodable(table)) }
    guard named.diagnostics.isEmpty else {
      return EmitterResult(files: [], diagnostics: named.diagnostics)
    }
    let tables = project.tables.sorted { $0.name < $1.name }
    var files = [databaseFile(project, options.splitsTables ? [] : tables, named)]
    if options.splitsTables { files += tables.compactMap { tableFile($0, named) } }
    for (file, shapes) in zip(named.files, shapes) {
      files.append(queryFile(file, shapes, project, named))
    }
    return EmitterResult(files: files.sorted { $0.name < $1.name }, diagnostics: [])
  }

  /// `public `, `package ` or nothing.
  var access: String { options.access == .internal ? "" : options.access.rawValue + " " }

  /// What a type begins with. Rows are read on the database's threads, so where a module's
  /// declarations belong to the main actor by default, these must not.
  var typeAccess: String { access + "nonisolated " }

  /// A file's first lines.
  ///
  /// - Parameter mappings: The types that the file says; `nil` where it needs no module at all.
  func begin(_ mappings: [SwiftMapping]?) -> SwiftWriter {
    var writer = SwiftWriter()
    writer.line(GeneratedFile.header)
    guard let mappings else { return writer }
    var modules = Set(options.imports + [options.runtimeModule])
    if mappings.contains(where: \.needsFoundation) { modules.insert("Foundation") }
    writer.line()
    if options.access == .internal {
      for module in modules.sorted() { writer.line("import \(module)") }
    } else {
      // Where imports are internal by default, what shows in signatures must be imported so.
      writer.line("#if hasFeature(InternalImportsByDefault)")
      for module in modules.sorted() { writer.line("  \(access)import \(module)") }
      writer.line("#else")
      for module in modules.sorted() { writer.line("  import \(module)") }
      writer.line("#endif")
    }
    return writer
  }

  /// The types of the tables' columns.
  func mappings(of tables: [TableDefinition], _ named: NamedProject) -> [SwiftMapping] {
    tables.flatMap { table in
      table.columns.map { named.types.value(of: $0, in: table).mapping }
    }
  }

  /// The file of one table.
  private func tableFile(_ table: TableDefinition, _ named: NamedProject) -> GeneratedFile? {
    guard let type = named.tableTypes[table.name] else { return nil }
    var writer = begin(mappings(of: [table], named))
    writer.line()
    tableTypes(table, named, &writer)
    return GeneratedFile(name: GeneratedFile.databaseFileName(type), text: writer.text)
  }
}

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

extension SwiftEmitter {
  /// A struct with lists that several rows of the statement fill.
  func nestingStruct(
    _ name: String, _ conformances: [String], _ shape: RowShape, _ key: RowShape.Key,
    _ writer: inout SwiftWriter
  ) {
    let all = conformances + ["Queries.NestingRow"]
    writer.block("\(typeAccess)struct \(name): \(all.joined(separator: ", "))") { writer in
      properties(shape.properties, &writer)
      writer.line()
      memberwise(shape.properties, &writer)
      writer.line()
      writer.documentation("What rows of the statement have in common that are one here.")
      writer.block(
        "\(access)static func key(of row: borrowing Row) throws(SQLiteError) -> \(key.type)"
      ) { writer in
        let values = key.columns.map { column in
          key.isTyped ? "row.read(at: \(column))" : "row.value(at: \(column))"
        }
        if values.count == 1 {
          writer.line("try \(values[0])")
        } else {
          writer.call("try [", values, "]")
        }
      }
      writer.line()
      writer.documentation("Reads the columns by their numbers, and no list's.")
      writer.block("\(access)init(row: borrowing Row) throws(SQLiteError)") { writer in
        initialize(
          shape.fields.map { ($0.field, $0.read) } + shape.lists.map { ($0.field, "[]") }, &writer)
      }
      writer.line()
      writer.documentation("Adds what a row of the statement has for the lists.")
      writer.block("\(access)mutating func append(row: borrowing Row) throws(SQLiteError)") {
        writer in
        for list in shape.lists { append(list, isAlone: shape.lists.count == 1, &writer) }
      }
    }
  }

  private func append(_ list: RowShape.List, isAlone: Bool, _ writer: inout SwiftWriter) {
    let read: String
    switch list.element {
    case .value(let value, let index): read = value.read(at: String(index))
    case .table(let field): read = field.read
    case .columns(let type, _): read = "try \(type)(row: row)"
    }
    let name = "self.\(list.field.name)"
    func append(_ writer: inout SwiftWriter) {
      if isAlone {
        writer.line("\(name).append(\(read))")
      } else {
        // Lists beside each other repeat their elements for each of the other's.
        writer.line("let element = \(read)")
        writer.line("if !\(name).contains(element) { \(name).append(element) }")
      }
    }
    if let isAbsent = list.presence.isAbsent {
      writer.block("if try !\(isAbsent)", append)
    } else if isAlone {
      append(&writer)
    } else {
      writer.block("do", append)
    }
  }
}

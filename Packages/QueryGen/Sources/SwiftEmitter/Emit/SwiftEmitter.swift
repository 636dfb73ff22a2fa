public import QueryModel

/// Generates the Swift code of a project: the database type, a struct for each table, and each
/// query's input, row and statement types.
///
/// The output depends only on the project, and not on the order of its parts.
///
/// ```swift
/// let result = SwiftEmitter().emit(project)
/// for file in result.files { print(file.name) }   // DB.generated.swift, Todo.queries.swift
/// ```
public struct SwiftEmitter: Sendable {
  public var options: GenerationOptions

  public init(options: GenerationOptions = GenerationOptions()) { self.options = options }

  /// Returns the names and options of the project that can't be expressed in Swift, without
  /// generating code.
  public func check(_ project: Project) -> [EmitterDiagnostic] {
    var check = ProjectCheck(project, options: options)
    while check.step() {}
    return check.diagnostics
  }

  /// Returns the project with the names and signatures of all declarations.
  func named(_ project: Project) -> (NamedProject, [[QuerySignature]]) {
    var check = ProjectCheck(project, options: options)
    var signatures: [[QuerySignature]] = []
    while check.step({ signatures.append($0) }) {}
    return (check.named, signatures)
  }

  /// - Returns: The files; empty if there are diagnostics.
  public func emit(_ project: Project) -> (
    files: [GeneratedFile], diagnostics: [EmitterDiagnostic]
  ) {
    let (named, shapes) = named(project)
    guard named.diagnostics.isEmpty else {
      return ([], named.diagnostics)
    }
    let tables = project.tablesWithStructs.sorted { $0.name < $1.name }
    var files = [databaseFile(project, options.splitsTables ? [] : tables, named)]
    if options.splitsTables { files += tables.compactMap { tableFile($0, named) } }
    for (file, shapes) in zip(named.files, shapes) {
      files.append(queryFile(file, shapes, project, named))
    }
    return (files.sorted { $0.name < $1.name }, [])
  }

  /// `public `, `package ` or an empty string.
  var access: String { options.access == .internal ? "" : options.access.rawValue + " " }

  /// The modifiers of a type. Rows are read on the database's threads, so the types must be
  /// nonisolated even in a module whose declarations are isolated to the main actor by default.
  var typeAccess: String { access + "nonisolated " }

  /// Creates a writer with the first lines of a file.
  ///
  /// - Parameter mappings: The types that the file mentions; `nil` if it needs no imports.
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
      // If imports are internal by default, modules that appear in public signatures must be
      // imported publicly.
      writer.line("#if hasFeature(InternalImportsByDefault)")
      for module in modules.sorted() { writer.line("  \(access)import \(module)") }
      writer.line("#else")
      for module in modules.sorted() { writer.line("  import \(module)") }
      writer.line("#endif")
    }
    return writer
  }

  /// Returns the types of the tables' columns.
  func mappings(of tables: [TableDefinition], _ named: NamedProject) -> [SwiftMapping] {
    tables.flatMap { table in
      table.columns.map { named.types.value(of: $0, in: table).mapping }
    }
  }

  /// Generates the file of one table.
  private func tableFile(_ table: TableDefinition, _ named: NamedProject) -> GeneratedFile? {
    guard let type = named.tableTypes[table.name] else { return nil }
    var writer = begin(mappings(of: [table], named))
    writer.line()
    tableTypes(table, named, &writer)
    return GeneratedFile(name: GeneratedFile.databaseFileName(type), text: writer.text)
  }
}

extension SwiftEmitter {
  /// Generates the database type with its migrations, and the tables' structs.
  ///
  /// - Parameter tables: The tables whose structs the file contains.
  func databaseFile(
    _ project: Project, _ tables: [TableDefinition], _ named: NamedProject
  ) -> GeneratedFile {
    let functionMappings = named.functions == nil ? [] : mappings(of: project.declarations, named)
    let typeMappings = mappings(of: project.types, named)
    var writer = begin(mappings(of: tables, named) + functionMappings + typeMappings)
    writer.line()
    writer.documentation(
      """
      The database that `Migrations/` describes, with the queries of `Queries/` as its properties.

      Opening a database migrates its schema.
      """)
    writer.block(
      "\(typeAccess)struct \(options.databaseName): \(runtime.generatedDatabase)"
    ) { writer in
      if let functions = named.functions {
        writer.documentation("The functions that the SQL uses.")
        writer.line("\(access)typealias Functions = \(functions.type)")
        writer.line()
      }
      if let attachments = named.attachments {
        writer.documentation("The attached databases.")
        writer.line("\(access)typealias Attachments = \(attachments)")
        writer.line()
      }
      writer.documentation("The migrations, in execution order.")
      writer.line("\(access)static var migrations: [\(runtime.migration)] {")
      writer.indented { migrations(project.migrations, &$0) }
      writer.line("}")
      writer.line()
      if !project.temporary.isEmpty { temporaryScripts(project.temporary, &writer) }
      writer.documentation(
        "The database that the queries run on, for transactions and for other statements.")
      writer.line("\(access)let database: \(runtime.database)")
      if options.engine == .postgresql {
        writer.documentation("The statements whose types were compared with those of the database.")
        writer.line("\(access)let checks = Queries.StatementChecks()")
      }
      writer.line()
      writer.documentation(
        named.functions == nil
          ? "Creates an instance from a migrated database. `init(database:)` migrates it first."
          : "Creates an instance from a migrated database, whose connections have the functions.")
      writer.block("\(access)init(migrated database: \(runtime.database))") {
        $0.line("self.database = database")
      }
    }
    if let attachments = named.attachments {
      attachmentTypes(project.attachments, attachments, &writer)
    }
    if let functions = named.functions {
      functionTypes(project.declarations, functions, named, &writer)
    }
    for table in tables {
      writer.line()
      tableTypes(table, named, &writer)
    }
    for type in project.types {
      writer.line()
      declaredType(type, named, &writer)
    }
    return GeneratedFile(
      name: GeneratedFile.databaseFileName(options.databaseName), text: writer.text)
  }

  /// Generates the value of a computed property: if a migration is edited, the compiler does not recompile the files that use the
  /// database type, since the body of a property is not part of a type's interface.
  func migrations(_ migrations: [MigrationDefinition], _ writer: inout SwiftWriter) {
    guard !migrations.isEmpty else {
      writer.line("[]")
      return
    }
    writer.line("[")
    writer.indented { writer in
      let comma = migrations.count > 1 ? "," : ""
      for migration in migrations {
        writer.line("\(runtime.migration)(")
        writer.indented { writer in
          writer.line("name: \(StringLiteral.singleLine(migration.name)),")
          writer.literal("sql: ", migration.sql, ")" + comma)
        }
      }
    }
    writer.line("]")
  }
}

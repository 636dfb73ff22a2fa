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

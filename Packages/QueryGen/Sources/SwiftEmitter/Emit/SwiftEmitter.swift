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
    let named = NamedProject(project, options: options)
    guard named.diagnostics.isEmpty else {
      return EmitterResult(files: [], diagnostics: named.diagnostics)
    }
    var files = [databaseFile(project, named)]
    for file in named.files { files.append(queryFile(file, project, named)) }
    return EmitterResult(files: files.sorted { $0.name < $1.name }, diagnostics: [])
  }

  /// `public `, `package ` or nothing.
  var access: String { options.access == .internal ? "" : options.access.rawValue + " " }

  /// What a type begins with. Rows are read on the database's threads, so where a module's
  /// declarations belong to the main actor by default, these must not.
  var typeAccess: String { access + "nonisolated " }

  /// A file's first lines.
  func begin(imports: Bool = true) -> SwiftWriter {
    var writer = SwiftWriter()
    writer.line(GeneratedFile.header)
    guard imports else { return writer }
    writer.line()
    if options.access != .internal {
      // Where imports are internal by default, what shows in public signatures must be imported so.
      writer.line("#if hasFeature(InternalImportsByDefault)")
      writer.line("  \(access)import \(options.runtimeModule)")
      writer.line("#else")
      writer.line("  import \(options.runtimeModule)")
      writer.line("#endif")
    } else {
      writer.line("import \(options.runtimeModule)")
    }
    return writer
  }
}

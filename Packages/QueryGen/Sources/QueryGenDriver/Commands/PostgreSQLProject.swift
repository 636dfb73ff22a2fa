internal import QueryModel
public import SQLSyntax

/// The files of a project for PostgreSQL, for a program that lets a server describe them.
public struct PostgreSQLProject: Sendable {
  /// A migration.
  public struct Migration: Sendable {
    public var name: String
    public var sql: String
  }

  /// A query.
  public struct Query: Sendable {
    /// The key in ``PostgreSQLDescription/queries``.
    public var key: String
    public var query: PostgreSQLNamedQuery
    fileprivate var file: Int
  }

  /// The folder that contains the migrations and the queries.
  public let path: String
  /// The path of the description.
  public let descriptionPath: String
  /// The migrations, in execution order.
  public let migrations: [Migration]
  /// The queries without errors, in the order of their files.
  public private(set) var queries: [Query] = []
  /// The description that was read, if there is one that can be read.
  public let description: PostgreSQLDescription?
  /// The hash of the migrations, as in ``PostgreSQLDescription/migrations``.
  public let migrationHash: String
  private var scripts: [InputFile]
  private var files: [InputFile]
  private var failures: [FileFailure]
  private let configurationFile: InputFile?

  init(_ input: Input) {
    path = input.path
    descriptionPath = input.descriptionPath
    scripts = input.folder.migrations
    files = input.folder.queries
    failures = input.failures + input.folder.failures
    configurationFile = input.configurationFile
    migrations = scripts.map { Migration(name: $0.name, sql: $0.definition.sql) }
    migrationHash = PostgreSQLDescription.hash(of: scripts)
    description = input.descriptionFile.flatMap {
      try? PostgreSQLDescription(json: $0.source.bytes)
    }
    for index in files.indices where files[index].isText {
      let found = PostgreSQLNamedQuery.parseFile(
        files[index].source, diagnostics: &files[index].diagnostics)
      queries += found.map { query in
        Query(
          key: PostgreSQLDescription.key(file: files[index].name, query: query.name.text),
          query: query, file: index)
      }
    }
  }

  /// Indicates whether an error was found.
  public var hasErrors: Bool {
    failures.contains { !$0.isWarning }
      || ([configurationFile].compactMap(\.self) + scripts + files)
        .contains(where: \.diagnostics.hasErrors)
  }

  /// Reports that the server rejects a migration.
  ///
  /// - Parameters:
  ///   - message: The server's message.
  ///   - index: The index of the migration.
  ///   - offset: The byte of the migration's SQL at which the error was found; `nil` if the server does not report it.
  public mutating func report(_ message: String, inMigration index: Int, atByte offset: Int?) {
    let source = scripts[index].source
    let start = min(offset ?? 0, source.byteCount)
    let span = offset == nil ? ByteSpan(0..<0) : PostgreSQLNamedQuery.token(at: start, in: source)
    scripts[index].diagnostics.append(Diagnostic(.rejectedStatement, at: span, message))
  }

  /// Reports that the server rejects a query.
  ///
  /// - Parameters:
  ///   - message: The server's message.
  ///   - index: The index of the query.
  ///   - offset: The byte of the query's SQL at which the error was found; `nil` if the server does not report it.
  public mutating func report(_ message: String, inQuery index: Int, atByte offset: Int?) {
    let query = queries[index]
    let span =
      offset.map { query.query.sourceSpan(ofByte: $0, in: files[query.file].source) }
      ?? query.query.name.span
    files[query.file].diagnostics.append(Diagnostic(.rejectedStatement, at: span, message))
  }

  /// Reports a difference between the description and that of the server.
  ///
  /// - Parameters:
  ///   - message: The difference.
  ///   - index: The index of the query; `nil` if the difference is not one of a query.
  public mutating func reportStale(_ message: String, inQuery index: Int? = nil) {
    guard let index else {
      failures.append(FileFailure(.staleDescription, path: descriptionPath, message: message))
      return
    }
    let query = queries[index]
    files[query.file].diagnostics.append(
      Diagnostic(.staleDescription, at: query.query.name.span, message))
  }

  /// The errors of all files.
  ///
  /// - Parameter usesColor: Whether the report contains terminal colors.
  public func outcome(usesColor: Bool = false) -> Driver.Outcome {
    var outcome = Driver.Outcome(
      [configurationFile].compactMap(\.self) + scripts + files, failures, usesColor: usesColor)
    outcome.queryCount = queries.count
    return outcome
  }

  /// Writes a description, unless the file already contains it.
  ///
  /// - Returns: Whether the file was written.
  public func write(_ description: PostgreSQLDescription) throws -> Bool {
    let json = try description.json()
    if let old = try? TextFile.read(descriptionPath), old == json { return false }
    try TextFile.write(json, to: descriptionPath)
    return true
  }
}

extension Driver {
  /// The databases of the target for the engine `postgresql`.
  public func postgreSQLProjects() -> [PostgreSQLProject] {
    TargetDatabase.all(options).map(\.input)
      .filter { $0.configuration.generation.engine == .postgresql }.map(PostgreSQLProject.init)
  }
}

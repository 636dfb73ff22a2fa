internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax
internal import SwiftEmitter

/// The compilation of a project: text → tree → catalog and queries → model → Swift.
///
/// Each stage continues after errors if possible, so that one run reports all of them.
struct Compilation {
  private(set) var migrations: [InputFile]
  private(set) var queries: [InputFile]
  private(set) var failures: [FileFailure]
  private(set) var project = Project(tables: [], migrations: [], files: [])
  /// The schema after the last migration.
  private(set) var catalog: Catalog
  /// The configuration's file and the migration lock, if they exist.
  private var configurationFile: InputFile?
  private var lockFile: InputFile?
  private let configuration: Configuration
  private let lock: MigrationLock
  /// The spans of the query names, by file and query.
  private var names: [[ByteSpan]] = []

  init(_ input: Input) {
    migrations = input.folder.migrations
    queries = input.folder.queries
    failures = input.failures + input.folder.failures
    configuration = input.configuration
    catalog = Catalog(target: configuration.target)
    configurationFile = input.configurationFile
    lock = input.lock
    lockFile = input.lockFile
  }

  /// All files, in the order in which they are reported.
  var files: [InputFile] { nonSQLFiles + migrations + queries }

  /// The files that are not SQL.
  var nonSQLFiles: [InputFile] { [configurationFile, lockFile].compactMap(\.self) }

  /// Indicates whether errors prevent code generation.
  var hasErrors: Bool {
    failures.contains { !$0.isWarning } || files.contains(where: \.diagnostics.hasErrors)
  }

  /// Replays the migrations, and analyzes the queries against the resulting schema.
  mutating func analyze(_ parsing: inout ParseSession) {
    var foreignKeys = ForeignKeyPlaces()
    for index in migrations.indices where migrations[index].isText {
      for statement in migrations[index].replay(on: &catalog, &parsing) {
        foreignKeys.add(statement.statement, file: index)
      }
    }
    let isWhole = !migrations.contains(where: \.diagnostics.hasErrors) && failures.isEmpty
    if isWhole {
      for broken in catalog.verify() {
        let message = "the \(broken.kind) '\(broken.name)' can't be used: \(broken.message)"
        if let (diagnostic, file) = foreignKeys.diagnostic(broken, message: message) {
          migrations[file].diagnostics.append(diagnostic)
        } else {
          failures.append(
            FileFailure(
              .brokenObject, path: configuration.migrations, message: message, isWarning: true))
        }
      }
    }
    project.tables = catalog.tables()
    project.migrations = migrations.map {
      // Trailing white space would leave a gap in the generated text.
      let end = $0.source.bytes.lastIndex { !" \n\r\t".utf8.contains($0) } ?? -1
      return MigrationDefinition(name: $0.name, sql: $0.source[ByteSpan(0..<end + 1)])
    }
    let missing = MissingTables(migrations)
    let analyzer = Analyzer(catalog: catalog)
    for index in queries.indices where queries[index].isText {
      let (file, spans) = queries[index].analyze(with: analyzer, missing, &parsing)
      project.files.append(file)
      names.append(spans)
    }
    checkLockAndConfiguration(isWhole: isWhole)
  }

  /// Checks the lock and the configuration against the project.
  private mutating func checkLockAndConfiguration(isWhole: Bool) {
    if var file = lockFile {
      lock.check(&migrations, &file)
      lockFile = file
    }
    let check = ConfigurationCheck(
      project: project, hasAllTables: isWhole,
      hasAllQueries: isWhole && !queries.contains(where: \.diagnostics.hasErrors))
    for diagnostic in check.diagnostics(of: configuration) {
      configurationFile?.diagnostics.append(diagnostic)
    }
  }

  /// - Returns: The generated files; empty if there is an error.
  mutating func emit(_ options: EmitterOptions) -> [GeneratedFile] {
    let result = SwiftEmitter(options: options).emit(project)
    // Files that are not valid UTF-8 are not part of the project.
    let readable = queries.indices.filter { queries[$0].isText }
    for diagnostic in result.diagnostics {
      guard let place = diagnostic.place else {
        failures.append(
          FileFailure(
            .init(rawValue: diagnostic.identity.rawValue), path: "querygen",
            message: diagnostic.message))
        continue
      }
      var notes: [Diagnostic.Note] = []
      if let earlier = diagnostic.earlier {
        let span = names[earlier.file][earlier.query]
        let file = queries[readable[earlier.file]]
        let line = file.source.lineTable().position(of: span.start).line
        notes.append(
          earlier.file == place.file
            ? Diagnostic.Note("the other query is here", at: span)
            : Diagnostic.Note("the other query is in \(file.path), line \(line)"))
      }
      queries[readable[place.file]].diagnostics.append(
        Diagnostic(
          .init(rawValue: diagnostic.identity.rawValue), at: names[place.file][place.query],
          diagnostic.message, notes: notes))
    }
    return hasErrors ? [] : result.files
  }
}

extension InputFile {
  /// Applies a migration's statements in order, and returns them.
  fileprivate mutating func replay(
    on catalog: inout Catalog, _ parsing: inout ParseSession
  ) -> [ScriptStatement] {
    let statements = parsing.statements(of: &self)
    for statement in statements {
      if let name = statement.statement.nameOutsideTransactions {
        diagnostics.append(
          Diagnostic(
            .prohibitedHere, at: statement.statement.span,
            "`\(name)` can't run in a migration, since a migration runs in its own transaction; "
              + "remove the statement"))
        continue
      }
      catalog.apply(
        statement.statement, source: source, documentation: statement.documentation,
        diagnostics: &diagnostics)
    }
    return statements
  }

  /// Analyzes the queries of a file.
  ///
  /// - Returns: The queries without errors, and the spans of their names.
  fileprivate mutating func analyze(
    with analyzer: Analyzer, _ missing: MissingTables, _ parsing: inout ParseSession
  ) -> (QueryModel.QueryFile, [ByteSpan]) {
    var file = QueryModel.QueryFile(name: name, queries: [])
    var spans: [ByteSpan] = []
    for query in parsing.queries(of: &self) {
      var found = DiagnosticList()
      if let definition = analyzer.analyze(query, source: source, diagnostics: &found) {
        file.queries.append(definition)
        spans.append(query.name.span)
      }
      for diagnostic in found.diagnostics where !missing.explains(diagnostic, in: source) {
        diagnostics.append(diagnostic)
      }
    }
    return (file, spans)
  }
}

extension Statement {
  /// The name of a statement that fails inside a transaction or ends it; `nil` for any other
  /// statement.
  fileprivate var nameOutsideTransactions: String? {
    switch self {
    case .begin: "BEGIN"
    case .commit: "COMMIT"
    case .rollback(let node): node.savepoint == nil ? "ROLLBACK" : nil
    case .vacuum: "VACUUM"
    default: nil
    }
  }
}

/// Tables that may be missing because a migration has an error. Reporting them as unknown would
/// only hide that error.
private struct MissingTables {
  private let texts: [[UInt8]]

  init(_ migrations: [InputFile]) {
    texts = migrations.filter(\.diagnostics.hasErrors).map { $0.source.bytes.map(\.lowered) }
  }

  /// Returns whether the diagnostic is about a missing table that a faulty migration mentions.
  func explains(_ diagnostic: Diagnostic, in source: SourceText) -> Bool {
    guard diagnostic.identity == .unknownTable, !texts.isEmpty else { return false }
    let name = source.bytes[diagnostic.span.range].map(\.lowered)
    return !name.isEmpty && texts.contains { $0.firstRange(of: name) != nil }
  }
}

extension UInt8 {
  fileprivate var lowered: UInt8 { self >= 65 && self <= 90 ? self + 32 : self }
}

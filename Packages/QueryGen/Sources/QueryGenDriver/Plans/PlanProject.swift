internal import Foundation
internal import QueryModel
internal import SQLSemantics
public import SQLSyntax

/// The parts of an analyzed project on which its plans and their diagnostics depend.
public struct PlanProject: Sendable {
  /// The statements of a file, in order.
  struct File: Sendable {
    var path: String
    var source: SourceText
    var statements: [Entry]

    struct Entry: Sendable {
      var span: ByteSpan
      /// The query, if it has no errors.
      var query: PlanQuery?
    }
  }

  public var schema: PlanSchema
  /// A number that changes if the schema or its statistics change.
  public var fingerprint: Int
  /// The queries without errors.
  public var queries: [PlanQuery] = []
  /// Indicates whether no query has errors.
  public var isWhole: Bool
  var migrationFiles: [File] = []
  var queryFiles: [File] = []
  private var sources: [String: SourceText] = [:]
  /// The number of files that were added or skipped.
  private var addedCount = 0
  /// Indicates whether the queries have plans, which are SQLite's.
  private let isSQLite: Bool
  var configurationPath: String?
  var definitions = DefinitionLog()
  var settings: PlanSettings
  var lock: PlanLock?

  /// Creates a project with all its files.
  ///
  /// - Parameters:
  ///   - compilation: The analyzed project. Its migrations must have no errors.
  ///   - input: The project's input.
  ///   - parsing: The syntax trees.
  ///   - schemaFingerprint: A number that changes if the schema changes; `nil` to compute it.
  public init(
    _ compilation: Compilation, _ input: Input, _ parsing: inout ParseSession,
    schemaFingerprint: Int? = nil
  ) {
    self.init(compilation, input, schemaFingerprint: schemaFingerprint)
    while addFile(compilation, &parsing) {}
  }

  /// Creates a project without files, which ``addFile(_:_:)`` adds.
  ///
  /// - Parameters:
  ///   - compilation: The analyzed project. Its migrations must have no errors.
  ///   - input: The project's input.
  ///   - schemaFingerprint: A number that changes if the schema changes; `nil` to compute it.
  public init(_ compilation: Compilation, _ input: Input, schemaFingerprint: Int? = nil) {
    settings = input.configuration.plans
    lock = input.planLock
    configurationPath = input.configurationFile?.path
    let statistics = settings.statistics.map { Paths.join(input.path, $0) }
    isSQLite = input.configuration.generation.engine == .sqlite
    schema = PlanSchema(
      migrations: isSQLite ? compilation.project.migrations : [],
      attachments: compilation.project.attachments, temporary: compilation.project.temporary,
      declarations: compilation.project.declarations, catalog: compilation.catalog,
      rows: settings.rows, statistics: statistics)
    var hasher = Hasher()
    hasher.combine(schemaFingerprint ?? CatalogFingerprints(compilation.catalog).whole)
    hasher.combine(settings.rows)
    hasher.combine(statistics)
    if let statistics {
      let attributes = try? FileManager.default.attributesOfItem(atPath: statistics)
      hasher.combine(attributes?[.modificationDate] as? Date)
    }
    fingerprint = hasher.finalize()
    isWhole = !compilation.hasErrors
  }

  /// Adds the next script, or the next query file after all scripts.
  ///
  /// - Returns: Whether there was one.
  public mutating func addFile(
    _ compilation: Compilation, _ parsing: inout ParseSession
  ) -> Bool {
    let index = addedCount - compilation.scripts.count
    guard isSQLite, index < compilation.queries.count else { return false }
    if index < 0 {
      addScript(compilation.scripts[addedCount], &parsing)
    } else if compilation.queries[index].isText {
      let file = File(queriesAt: index, of: compilation, &parsing)
      queries += file.statements.compactMap(\.query)
      sources[file.path] = file.source
      queryFiles.append(file)
    }
    addedCount += 1
    return true
  }

  private mutating func addScript(_ script: InputFile, _ parsing: inout ParseSession) {
    guard script.isText else { return }
    var script = script
    let statements = parsing.statements(of: &script)
    for entry in statements { definitions.apply(entry.statement, path: script.path) }
    sources[script.path] = script.source
    migrationFiles.append(
      File(
        path: script.path, source: script.source,
        statements: statements.map { File.Entry(span: $0.statement.span, query: nil) }))
  }
}

extension PlanProject.File {
  init(queriesAt index: Int, of compilation: Compilation, _ parsing: inout ParseSession) {
    var file = compilation.queries[index]
    let definitions = Dictionary(
      compilation.definitions(at: index).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let (path, source) = (file.path, file.source)
    let statements = parsing.queries(of: &file).map { query in
      Entry(
        span: query.span,
        query: definitions[query.name.text].map {
          PlanQuery(path: path, source: source, query: query, definition: $0)
        })
    }
    self.init(path: path, source: source, statements: statements)
  }
}

extension ProjectPlans {
  /// Returns the diagnostics of a query file that has changed since ``update(_:)``.
  public func diagnostics(
    ofQueriesAt index: Int, _ compilation: Compilation, _ project: PlanProject,
    _ parsing: inout ParseSession
  ) -> [Diagnostic] {
    let file = PlanProject.File(queriesAt: index, of: compilation, &parsing)
    var indexes: [Diagnostic: IndexProposal] = [:]
    return diagnostics(of: file, project, &indexes)
  }
}

extension PlanProject {
  /// Returns the line of a place in a migration.
  func line(of place: DefinitionLog.Place) -> Int? {
    sources[place.path]?.lineTable().position(of: place.name.start).line
  }

  /// Returns a finding with its place in the migration that defines the object. A trigger's statement
  /// that an `ALTER TABLE` has changed since then has no place.
  func placed(_ found: SchemaFinding, at place: DefinitionLog.Place) -> PlanFinding {
    var finding = found.finding
    guard case .trigger(_, let sql) = found.subject, let span = finding.span else { return finding }
    finding.span = sources[place.path].flatMap { source in
      let text = source.bytes[place.span.range]
      // The stored statement begins differently, and may have another name.
      let distance = text.count - sql.utf8.count
      let start = span.start.value + distance
      guard start >= 0,
        text.suffix(sql.utf8.count - span.start.value)
          .elementsEqual(sql.utf8.dropFirst(span.start.value))
      else { return nil }
      return ByteSpan(
        ByteOffset(place.span.start.value + start),
        ByteOffset(place.span.start.value + span.end.value + distance))
    }
    return finding
  }

  /// Returns whether the project contains a file with a text.
  public func contains(_ path: String, _ source: SourceText) -> Bool {
    sources[path] == source
  }
}

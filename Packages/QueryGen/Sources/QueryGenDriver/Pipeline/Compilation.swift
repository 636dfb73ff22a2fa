public import QueryModel
public import SQLSemantics
public import SQLSyntax
public import SwiftEmitter

/// The compilation of a project: text → tree → catalog and queries → model → Swift.
///
/// Each stage continues after errors if possible, so that one run reports all of them.
public struct Compilation: Sendable {
  /// The migrations, in execution order, and after them the scripts that create temporary objects.
  public private(set) var scripts: [InputFile]
  public private(set) var queries: [InputFile]
  public private(set) var failures: [FileFailure]
  public private(set) var project = Project(tables: [], migrations: [], files: [])
  /// The schemas of a connection for queries.
  public private(set) var catalog: Catalog
  /// The schemas of a connection before the temporary objects are created.
  public private(set) var attachedCatalog: Catalog
  /// The schema before the first migration.
  public var initialCatalog: Catalog {
    Catalog(target: configuration.target, declarations: project.declarations)
  }
  /// The views, triggers and foreign keys that can't be used.
  public private(set) var brokenObjects: [Catalog.BrokenObject] = []
  /// The configuration's file and the migration lock, if they exist.
  private var configurationFile: InputFile?
  private var lockFile: InputFile?
  private let planLockFile: InputFile?
  private let configuration: ProjectConfiguration
  /// The description of a server, and its path, for a project for PostgreSQL.
  private let descriptionFile: InputFile?
  private let descriptionPath: String
  private var postgreSQL: PostgreSQLCompilation?
  private let lock: MigrationLock
  private var attachments: [AttachedInput]
  /// The queries without errors of each query file that was analyzed, and the spans of their names.
  private var analyzed: [Int: (file: QueryModel.QueryFile, names: [ByteSpan])] = [:]
  private var missing = MissingTables([])
  /// Indicates whether all migrations were replayed without errors.
  private var isWhole = false

  public init(_ input: Input) {
    scripts = input.folder.scripts
    attachments = input.attachments
    queries = input.folder.queries
    failures = input.failures + input.folder.failures
    configuration = input.configuration
    catalog = Catalog(target: configuration.target)
    attachedCatalog = catalog
    configurationFile = input.configurationFile
    lock = input.lock
    lockFile = input.lockFile
    planLockFile = input.planLockFile
    descriptionFile = input.descriptionFile
    descriptionPath = input.descriptionPath
  }

  /// All files, in the order in which they are reported.
  public var files: [InputFile] { nonSQLFiles + scripts + queries }

  /// The migrations, in execution order.
  public var migrations: [InputFile] { scripts.filter { !$0.isTemporary } }

  /// The files that are not SQL.
  public var nonSQLFiles: [InputFile] {
    [configurationFile, lockFile, planLockFile].compactMap(\.self)
  }

  /// Indicates whether errors prevent code generation.
  public var hasErrors: Bool {
    failures.contains { !$0.isWarning } || files.contains(where: \.diagnostics.hasErrors)
  }

  /// The diagnostics of all files and of the project as a whole.
  public var reportedDiagnostics: [ReportedDiagnostic] {
    failures.map(ReportedDiagnostic.init) + files.flatMap { ReportedDiagnostic.all(of: $0) }
  }

  /// Replays the scripts, and analyzes the queries against the resulting schema.
  mutating func analyze(_ parsing: inout ParseSession) {
    var cache: AnalysisCache?
    replay(&parsing, &cache)
    for index in queries.indices { analyzeQueries(at: index, &parsing, &cache) }
    finish()
  }

  /// Replays the migrations, attaches databases, and creates the temporary objects.
  public mutating func replay(_ parsing: inout ParseSession, _ cache: inout AnalysisCache?) {
    guard configuration.generation.engine == .sqlite else {
      replayOnPostgreSQL()
      return
    }
    project.declarations = collectDeclarations(&parsing)
    catalog = initialCatalog
    cache?.begin(target: configuration.target, project.declarations)
    var foreignKeys = ForeignKeyPlaces()
    var count = 0
    let firstTemporary = scripts.firstIndex(where: \.isTemporary) ?? scripts.count
    for index in scripts[..<firstTemporary].indices where scripts[index].isText {
      let statements = scripts[index].replay(on: &catalog, at: count, &parsing, &cache)
      for statement in statements { foreignKeys.add(statement.statement, file: index) }
      count += 1
    }
    isWhole = !scripts.contains(where: \.diagnostics.hasErrors) && failures.isEmpty
    verifyMigrations(foreignKeys)
    catalog.disconnect()
    attachDatabases(at: count, &parsing, &cache)
    attachedCatalog = catalog
    for index in scripts[firstTemporary...].indices where scripts[index].isText {
      _ = scripts[index].replay(on: &catalog, at: count, &parsing, &cache)
      count += 1
    }
    cache?.finishReplay(count: count, catalog)
    if scripts[firstTemporary...].contains(where: \.diagnostics.hasErrors) { isWhole = false }
    if isWhole { report(catalog.verifyTemporaryObjects(), in: configuration.temporary) }
    project.tables = catalog.tables()
    project.migrations = scripts[..<firstTemporary].map(\.definition)
    project.temporary = scripts[firstTemporary...].map(\.definition)
    missing = MissingTables(scripts + attachments.flatMap(\.input.folder.scripts))
  }

  /// Reads what a PostgreSQL server says of the migrations.
  private mutating func replayOnPostgreSQL() {
    let migrations = scripts.filter { !$0.isTemporary }
    let count = failures.count
    for script in scripts where script.isTemporary {
      failures.append(
        FileFailure(
          .invalidConfiguration, path: script.path,
          message: "scripts for temporary objects are not available on PostgreSQL"))
    }
    let compilation = PostgreSQLCompilation(
      descriptionFile, path: descriptionPath, migrations: migrations, failures: &failures)
    isWhole = failures.count == count
    project.tables = compilation.tables
    project.types = compilation.types
    project.migrations = migrations.map(\.definition)
    postgreSQL = compilation
  }

  /// Reports the objects that can't be used after the last migration.
  private mutating func verifyMigrations(_ foreignKeys: ForeignKeyPlaces) {
    guard isWhole else { return }
    brokenObjects = catalog.verify()
    var others: [Catalog.BrokenObject] = []
    for broken in brokenObjects {
      if let (diagnostic, file) = foreignKeys.diagnostic(broken, message: broken.report) {
        scripts[file].diagnostics.append(diagnostic)
      } else {
        others.append(broken)
      }
    }
    report(others, in: configuration.migrations)
  }

  private mutating func report(_ broken: [Catalog.BrokenObject], in folder: String) {
    failures += broken.map { broken in
      FileFailure(.brokenObject, path: folder, message: broken.report, isWarning: true)
    }
  }

  /// Adds the schemas of the databases that each connection attaches.
  private mutating func attachDatabases(
    at count: Int, _ parsing: inout ParseSession, _ cache: inout AnalysisCache?
  ) {
    var hasher = Hasher()
    for index in attachments.indices {
      let (schema, path) = (attachments[index].schema, attachments[index].input.path)
      let other = attachments[index].replay(on: initialCatalog, &parsing, &cache)
      hasher.combine(schema)
      hasher.combine(CatalogFingerprints(other).whole)
      var faults = catalog.attach(other, as: schema).map { object in
        "\(object.message): SQLite can't attach the database as `\(schema)`; remove the schema name"
      }
      if let failure = attachments[index].input.folder.failures.first {
        faults = ["\(failure.path): \(failure.message)"]
      } else if attachments[index].input.folder.scripts.contains(where: \.diagnostics.hasErrors) {
        faults = ["the migrations of the database in \(path) have errors"]
      }
      for fault in faults {
        configurationFile?.diagnostics.append(
          Diagnostic(.unattachableDatabase, at: attachments[index].span, fault))
        isWhole = false
      }
    }
    cache?.attach(hasher.finalize(), at: count)
    project.attachments = attachments.map { attachment in
      AttachmentDefinition(
        schema: attachment.schema,
        type: attachment.isInTarget
          ? attachment.input.configuration.generation.databaseName : nil,
        migrations: attachment.input.folder.migrations.map(\.definition))
    }
  }

  /// Returns the declarations of all files, and reports those that are in conflict.
  private mutating func collectDeclarations(_ parsing: inout ParseSession) -> Declarations {
    var collector = DeclarationCollector(target: configuration.target)
    configurationFile?.collect(configuration.declarations, &collector)
    for index in scripts.indices {
      scripts[index].collect(
        parsing.declarations(of: scripts[index], isQueryFile: false), &collector)
    }
    for index in queries.indices {
      queries[index].collect(
        parsing.declarations(of: queries[index], isQueryFile: true), &collector)
    }
    for attachment in attachments {
      let other = attachment.declarations(target: configuration.target, &parsing)
      for name in collector.add(other, path: attachment.input.path) {
        configurationFile?.diagnostics.append(
          Diagnostic(
            .unattachableDatabase, at: attachment.span,
            "`\(name)` is declared differently in the database in \(attachment.input.path)"))
      }
    }
    return collector.declarations
  }

  /// Analyzes the queries of a file.
  public mutating func analyzeQueries(
    at index: Int, _ parsing: inout ParseSession, _ cache: inout AnalysisCache?
  ) {
    guard queries[index].isText, analyzed[index] == nil else { return }
    if let postgreSQL {
      analyzed[index] = postgreSQL.queries(of: &queries[index])
      return
    }
    let analyzer = Analyzer(catalog: catalog)
    analyzed[index] = queries[index].analyze(with: analyzer, missing, &parsing, &cache)
  }

  /// Replaces a query file, whose queries must then be analyzed again.
  public mutating func replaceQueries(at index: Int, with file: InputFile) {
    queries[index] = file
    analyzed[index] = nil
  }

  /// Indicates whether the queries of a file were analyzed.
  public func isAnalyzed(_ index: Int) -> Bool {
    !queries[index].isText || analyzed[index] != nil
  }

  /// Returns the definitions of the queries of a file that have no errors.
  public func definitions(at index: Int) -> [QueryDefinition] {
    analyzed[index]?.file.queries ?? []
  }

  /// Checks the project as a whole, after all files were analyzed.
  public mutating func finish() {
    project.files = queries.indices.compactMap { analyzed[$0]?.file }
    checkLockAndConfiguration()
  }

  /// Checks the lock and the configuration against the project.
  private mutating func checkLockAndConfiguration() {
    if var file = lockFile {
      var migrations = migrations
      lock.check(&migrations, &file)
      // The temporary objects follow the migrations.
      scripts.replaceSubrange(..<migrations.count, with: migrations)
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
  mutating func emit(_ options: GenerationOptions) -> [GeneratedFile] {
    let result = SwiftEmitter(options: options).emit(project)
    add(result.diagnostics)
    return hasErrors ? [] : result.files
  }

  /// Returns the check of the names of the generated declarations, which does not generate them.
  public func nameCheck(_ options: GenerationOptions) -> ProjectCheck {
    ProjectCheck(project, options: options)
  }

  /// Adds the diagnostics of ``nameCheck(_:)``.
  public mutating func add(_ check: ProjectCheck) { add(check.diagnostics) }

  /// Adds diagnostics by path.
  public mutating func add(_ diagnostics: [String: [Diagnostic]]) {
    for found in configurationFile.flatMap({ diagnostics[$0.path] }) ?? [] {
      configurationFile?.diagnostics.append(found)
    }
    for index in scripts.indices {
      for found in diagnostics[scripts[index].path] ?? [] {
        scripts[index].diagnostics.append(found)
      }
    }
    for index in queries.indices {
      for found in diagnostics[queries[index].path] ?? [] {
        queries[index].diagnostics.append(found)
      }
    }
  }

  private mutating func add(_ diagnostics: [EmitterDiagnostic]) {
    let names = queries.indices.compactMap { analyzed[$0]?.names }
    // Files that are not valid UTF-8 are not part of the project.
    let readable = queries.indices.filter { queries[$0].isText }
    for diagnostic in diagnostics {
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
  }
}

extension Catalog.BrokenObject {
  fileprivate var report: String { "the \(kind) '\(name)' can't be used: \(message)" }
}

extension InputFile {
  /// Analyzes the queries of a file.
  ///
  /// - Returns: The queries without errors, and the spans of their names.
  fileprivate mutating func analyze(
    with analyzer: Analyzer, _ missing: MissingTables, _ parsing: inout ParseSession,
    _ cache: inout AnalysisCache?
  ) -> (QueryModel.QueryFile, [ByteSpan]) {
    let queries = parsing.queries(of: &self)
    let result: AnalysisCache.FileResult
    if let known = cache?.result(of: path, source) {
      result = known
    } else {
      result = analyze(queries, with: analyzer, &cache)
      cache?.keep(result, of: path)
    }
    for diagnostic in result.diagnostics where !missing.explains(diagnostic, in: source) {
      diagnostics.append(diagnostic)
    }
    return (QueryModel.QueryFile(name: name, queries: result.queries), result.spans)
  }

  private func analyze(
    _ queries: [NamedQuery], with analyzer: Analyzer, _ cache: inout AnalysisCache?
  ) -> AnalysisCache.FileResult {
    var file = AnalysisCache.FileResult(
      source: source, schema: cache?.fingerprints.whole ?? 0)
    for (index, query) in queries.enumerated() {
      let start = query.span.start.value
      let analyze = { () -> AnalysisCache.QueryResult in
        var found = DiagnosticList()
        let definition = analyzer.analyze(query, source: source, diagnostics: &found)
        return AnalysisCache.QueryResult(
          definition: definition, diagnostics: found.diagnostics.map { $0.moved(by: -start) })
      }
      let end = index + 1 < queries.count ? queries[index + 1].span.start.value : source.byteCount
      let key = AnalysisCache.QueryKey(
        text: SourceText(bytes: Array(source.bytes[start..<max(start, end)])),
        documentation: query.documentation)
      let result =
        cache?.result(
          of: key, in: &file, path: path, dependsOnSchema: !query.statements.allSatisfy(\.isDML),
          analyze)
        ?? analyze()
      if let definition = result.definition {
        file.queries.append(definition)
        file.spans.append(query.name.span)
      }
      file.diagnostics += result.diagnostics.map { $0.moved(by: start) }
    }
    return file
  }
}

extension Statement {
  /// Indicates whether the statement is a select, an insert, an update or a delete.
  fileprivate var isDML: Bool {
    switch self {
    case .select, .insert, .update, .delete: true
    default: false
    }
  }
}

extension Diagnostic {
  /// Returns the diagnostic with all its positions moved.
  fileprivate func moved(by distance: Int) -> Diagnostic {
    func moved(_ span: ByteSpan) -> ByteSpan {
      ByteSpan(span.start.advanced(by: distance), span.end.advanced(by: distance))
    }
    var copy = self
    copy.span = moved(span)
    for index in copy.notes.indices { copy.notes[index].span = notes[index].span.map(moved) }
    if let fixIt { copy.fixIt = FixIt(replace: moved(fixIt.span), with: fixIt.replacement) }
    return copy
  }
}

/// Tables that may be missing because a migration has an error. Reporting them as unknown would
/// only hide that error.
private struct MissingTables: Sendable {
  private let texts: [SourceText]

  init(_ migrations: [InputFile]) {
    texts = migrations.filter(\.diagnostics.hasErrors).map(\.source)
  }

  /// Returns whether the diagnostic is about a missing table that a faulty migration mentions.
  func explains(_ diagnostic: Diagnostic, in source: SourceText) -> Bool {
    guard diagnostic.identity == .unknownTable, !texts.isEmpty else { return false }
    // Without the name of a schema, which the migrations of an attached database don't contain.
    guard let name = source[diagnostic.span].split(separator: ".").last else { return false }
    return texts.contains { $0.mentions(String(name)) }
  }
}

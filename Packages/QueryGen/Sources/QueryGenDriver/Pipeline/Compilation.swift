public import QueryModel
public import SQLSemantics
public import SQLSyntax
internal import SwiftEmitter

/// The compilation of a project: text → tree → catalog and queries → model → Swift.
///
/// Each stage continues after errors if possible, so that one run reports all of them.
public struct Compilation: Sendable {
  public private(set) var migrations: [InputFile]
  public private(set) var queries: [InputFile]
  public private(set) var failures: [FileFailure]
  public private(set) var project = Project(tables: [], migrations: [], files: [])
  /// The schema after the last migration.
  public private(set) var catalog: Catalog
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
  private let lock: MigrationLock
  /// The queries without errors of each query file that was analyzed, and the spans of their names.
  private var analyzed: [Int: (file: QueryModel.QueryFile, names: [ByteSpan])] = [:]
  private var missing = MissingTables([])
  /// Indicates whether all migrations were replayed without errors.
  private var isWhole = false

  public init(_ input: Input) {
    migrations = input.folder.migrations
    queries = input.folder.queries
    failures = input.failures + input.folder.failures
    configuration = input.configuration
    catalog = Catalog(target: configuration.target)
    configurationFile = input.configurationFile
    lock = input.lock
    lockFile = input.lockFile
    planLockFile = input.planLockFile
  }

  /// All files, in the order in which they are reported.
  public var files: [InputFile] { nonSQLFiles + migrations + queries }

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

  /// Replays the migrations, and analyzes the queries against the resulting schema.
  mutating func analyze(_ parsing: inout ParseSession) {
    var cache: AnalysisCache?
    replay(&parsing, &cache)
    for index in queries.indices { analyzeQueries(at: index, &parsing, &cache) }
    finish()
  }

  /// Replays the migrations.
  public mutating func replay(_ parsing: inout ParseSession, _ cache: inout AnalysisCache?) {
    var foreignKeys = ForeignKeyPlaces()
    project.declarations = collectDeclarations(&parsing)
    catalog = initialCatalog
    cache?.begin(target: configuration.target, project.declarations)
    var count = 0
    for index in migrations.indices where migrations[index].isText {
      let statements = migrations[index].replay(on: &catalog, at: count, &parsing, &cache)
      for statement in statements { foreignKeys.add(statement.statement, file: index) }
      count += 1
    }
    cache?.finishReplay(count: count, catalog)
    isWhole = !migrations.contains(where: \.diagnostics.hasErrors) && failures.isEmpty
    if isWhole {
      brokenObjects = catalog.verify()
      for broken in brokenObjects {
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
    missing = MissingTables(migrations)
  }

  /// Returns the declarations of all files, and reports those that are in conflict.
  private mutating func collectDeclarations(_ parsing: inout ParseSession) -> Declarations {
    var collector = DeclarationCollector(target: configuration.target)
    configurationFile?.collect(configuration.declarations, &collector)
    for index in migrations.indices {
      migrations[index].collect(
        parsing.declarations(of: migrations[index], isQueryFile: false), &collector)
    }
    for index in queries.indices {
      queries[index].collect(
        parsing.declarations(of: queries[index], isQueryFile: true), &collector)
    }
    return collector.declarations
  }

  /// Analyzes the queries of a file.
  public mutating func analyzeQueries(
    at index: Int, _ parsing: inout ParseSession, _ cache: inout AnalysisCache?
  ) {
    guard queries[index].isText, analyzed[index] == nil else { return }
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
  mutating func emit(_ options: GenerationOptions) -> [GeneratedFile] {
    let result = SwiftEmitter(options: options).emit(project)
    add(result.diagnostics)
    return hasErrors ? [] : result.files
  }

  /// Checks the names of the generated declarations, without generating them.
  public mutating func checkNames(_ options: GenerationOptions) {
    add(SwiftEmitter(options: options).check(project))
  }

  /// Adds diagnostics by path.
  public mutating func add(_ diagnostics: [String: [Diagnostic]]) {
    for found in configurationFile.flatMap({ diagnostics[$0.path] }) ?? [] {
      configurationFile?.diagnostics.append(found)
    }
    for index in migrations.indices {
      for found in diagnostics[migrations[index].path] ?? [] {
        migrations[index].diagnostics.append(found)
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

extension InputFile {
  /// Applies a migration's statements in order, and returns them.
  fileprivate mutating func replay(
    on catalog: inout Catalog, at position: Int, _ parsing: inout ParseSession,
    _ cache: inout AnalysisCache?
  ) -> [ScriptStatement] {
    let statements = parsing.statements(of: &self)
    let source = source
    let apply = { (catalog: inout Catalog) -> [Diagnostic] in
      var found = DiagnosticList()
      for statement in statements {
        if let diagnostic = statement.statement.diagnosticInTransaction {
          found.append(diagnostic)
          if diagnostic.severity == .error { continue }
        }
        catalog.apply(
          statement.statement, source: source, documentation: statement.documentation,
          diagnostics: &found)
      }
      return found.diagnostics
    }
    let found =
      cache?.replay(source, at: position, on: &catalog, apply) ?? apply(&catalog)
    for diagnostic in found { diagnostics.append(diagnostic) }
    return statements
  }

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
        text: Array(source.bytes[start..<max(start, end)]), documentation: query.documentation)
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

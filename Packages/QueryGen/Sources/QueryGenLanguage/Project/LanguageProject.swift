public import QueryGenDriver
internal import QueryModel
public import SQLSemantics
public import SQLSyntax
internal import SwiftEmitter

/// A project, or a file outside of all projects, that is analyzed again after every change.
///
/// A project is a value: a copy is a snapshot that later changes do not affect.
public struct LanguageProject: Sendable {
  /// The kinds of file in a project.
  public enum FileKind: Hashable, Sendable {
    /// A migration, or a script that creates temporary objects.
    case migration(Int)
    case queries(Int)
    /// `querygen.yaml`, `migrations.lock` or `plans.lock`.
    case other
  }

  /// The folder of the project, or the path of the single file.
  public let root: String
  /// Indicates whether the project is a file outside of all projects.
  public let isSingleFile: Bool
  private var options: DriverOptions
  private let parseCache = ParseCache()
  private(set) var cache: AnalysisCache? = AnalysisCache()
  var parsing: ParseSession
  public private(set) var input: Input
  private var kinds: [String: FileKind]
  /// The migrations and the queries that were analyzed so far.
  private var base: Compilation
  /// The result after all files were analyzed and the project was checked as a whole.
  private var finished: Compilation?
  /// The check of the project as a whole, until it is finished.
  private var wholeCheck: (compilation: Compilation, names: ProjectCheck)?
  private var isReplayed = false
  /// The resolved statements that were needed so far, by path.
  var traces: [String: FileTrace] = [:]
  /// The fingerprints of the schemas before migrations, as far as they were needed.
  private var fingerprintsBeforeMigrations: [Int] = []
  /// The plans of the queries, and the project for which they were determined.
  var plans = ProjectPlans()
  var planProject: PlanProject?
  var planReport = PlanReport()
  /// The next ``planProject``, as long as not all files were added.
  var nextPlanProject: PlanProject?
  /// Indicates whether the project has changed since ``planProject`` was set.
  var needsPlanUpdate = true
  /// The places that define the schema's objects.
  public private(set) var definitions = DefinitionLog()
  /// The places that define the objects of attached databases, which can't be renamed here.
  private(set) var attachedDefinitions = DefinitionLog()

  /// Reads a project.
  public init(root: String, openFiles: [String: [UInt8]]) {
    self.root = root
    isSingleFile = false
    options = DriverOptions(path: root)
    options.openFiles = openFiles
    input = Input(options)
    kinds = Self.kinds(of: input)
    base = Compilation(input)
    parsing = ParseSession(parseCache, target: input.configuration.target)
  }

  /// Reads a project with the options of a command.
  public init(_ options: DriverOptions) {
    root = options.path ?? "."
    isSingleFile = false
    self.options = options
    input = Input(options)
    kinds = Self.kinds(of: input)
    base = Compilation(input)
    parsing = ParseSession(parseCache, target: input.configuration.target)
  }

  /// Creates the project of a file that belongs to none: its schema is empty.
  public init(file path: String, bytes: [UInt8]) {
    root = path
    isSingleFile = true
    options = DriverOptions(path: path)
    input = Self.input(path, bytes)
    kinds = Self.kinds(of: input)
    base = Compilation(input)
    parsing = ParseSession(parseCache, target: input.configuration.target)
  }

  private static func input(_ path: String, _ bytes: [UInt8]) -> Input {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let file = InputFile(
      path: path, name: name.hasSuffix(".sql") ? String(name.dropLast(4)) : name, bytes: bytes)
    var asScript = DiagnosticList()
    _ = Parser.parseScript(file.source, diagnostics: &asScript)
    var asQueries = DiagnosticList()
    _ = Parser.parseQueryFile(
      file.source, options: ParserOptions(allowsListParameters: true), diagnostics: &asQueries)
    let isScript = asScript.errorCount <= asQueries.errorCount
    return Input(
      folder: InputFolder(migrations: isScript ? [file] : [], queries: isScript ? [] : [file]))
  }

  // MARK: Files

  /// The folders of the SQL files and of the configuration.
  public var watchedFolders: [String] {
    let configuration = input.configurationFile.map { Paths.folder(of: $0.path) }
    // If the configuration's folder contains the others, it is enough.
    let folders = folders + input.attachments.map(\.input.migrations)
    guard let configuration, configuration != "/" else { return folders }
    return folders.filter { !$0.hasPrefix(configuration + "/") && configuration != "." }
      + [configuration]
  }

  /// The diagnostics of all files and of the project as a whole, as `querygen check` reports them.
  public var reportedDiagnostics: [ReportedDiagnostic] {
    var compilation = compilation
    compilation.add(planReport.diagnostics)
    return compilation.reportedDiagnostics
  }

  /// The folders that contain the project's SQL files.
  private var folders: [String] {
    [input.migrations, input.queries, input.temporary]
  }

  /// Returns whether a file belongs to the project, or would if it existed.
  public func contains(_ path: String) -> Bool {
    if isSingleFile { return path == root }
    if path == Paths.join(root, ProjectConfiguration.fileName) { return true }
    if path == Paths.join(input.migrations, MigrationLock.fileName) { return true }
    if path == Paths.join(input.path, PlanLock.fileName) { return true }
    return path.lowercased().hasSuffix(".sql")
      && folders.contains { path.hasPrefix($0 + "/") }
  }

  /// The paths of all files.
  public var paths: [String] { base.files.map(\.path) }

  public func kind(of path: String) -> FileKind? { kinds[path] }

  /// Returns whether a change of a file of another project may affect this one, which attaches its
  /// database.
  func attaches(_ path: String) -> Bool { input.attachments.contains { $0.contains(path) } }

  /// Returns the kinds of the files by path.
  private static func kinds(of input: Input) -> [String: FileKind] {
    var kinds: [String: FileKind] = [:]
    for file in [input.configurationFile, input.lockFile, input.planLockFile] {
      if let file { kinds[file.path] = .other }
    }
    for (index, file) in input.folder.scripts.enumerated() {
      kinds[file.path] = .migration(index)
    }
    for (index, file) in input.folder.queries.enumerated() { kinds[file.path] = .queries(index) }
    return kinds
  }

  /// Returns the file at a path, with the diagnostics found so far.
  public func file(_ path: String) -> InputFile? {
    switch kinds[path] {
    case .migration(let index): compilation.scripts[index]
    case .queries(let index): compilation.queries[index]
    case .other: compilation.nonSQLFiles.first { $0.path == path }
    case nil: nil
    }
  }

  /// Indicates whether a released migration, which must not change, has the given path.
  public func isLocked(_ path: String) -> Bool {
    guard case .migration(let index) = kind(of: path), !input.folder.scripts[index].isTemporary
    else { return false }
    let name = input.folder.scripts[index].name
    return input.lock.lines.contains { $0.name == name }
  }

  // MARK: Changes

  /// Replaces the text of a file, or reads all files again if the change may affect their order.
  public mutating func change(_ path: String, to bytes: [UInt8], openFiles: [String: [UInt8]]) {
    switch kind(of: path) {
    case _ where isSingleFile: restart(Self.input(root, bytes))
    case .queries(let index):
      let name = input.folder.queries[index].name
      let file = InputFile(path: path, name: name, bytes: bytes)
      let previous = input.folder.queries[index]
      guard file.source != previous.source else { return }
      input.folder.queries[index] = file
      if parsing.hasDeclarations(previous) || parsing.hasDeclarations(file) {
        restart(input)
        return
      }
      parsing.dropQueries(of: previous)
      base.replaceQueries(at: index, with: file)
      setUnfinished()
    case .migration(let index):
      let name = input.folder.scripts[index].name
      var file = InputFile(path: path, name: name, bytes: bytes)
      file.isTemporary = input.folder.scripts[index].isTemporary
      guard file.source != input.folder.scripts[index].source else { return }
      input.folder.scripts[index] = file
      restart(input)
    case .other, nil: reload(openFiles: openFiles)
    }
  }

  /// Reads the project's files from the disk again.
  public mutating func reload(openFiles: [String: [UInt8]]) {
    guard !isSingleFile else { return }
    options.openFiles = openFiles
    restart(Input(options))
  }

  private mutating func restart(_ input: Input) {
    self.input = input
    kinds = Self.kinds(of: input)
    parsing.interrupt()
    parsing = ParseSession(parseCache, target: input.configuration.target)
    base = Compilation(input)
    setUnfinished()
    isReplayed = false
    fingerprintsBeforeMigrations = []
  }

  private mutating func setUnfinished() {
    finished = nil
    wholeCheck = nil
    nextPlanProject = nil
  }

  // MARK: Analysis

  /// Indicates whether all files were analyzed.
  public var isFinished: Bool { finished != nil }

  /// Replays the migrations.
  public mutating func replay() {
    guard !isReplayed else { return }
    isReplayed = true
    base.replay(&parsing, &cache)
    var definitions = DefinitionLog()
    for index in input.folder.scripts.indices {
      let path = input.folder.scripts[index].path
      for entry in statements(at: index) { definitions.apply(entry.statement, path: path) }
    }
    self.definitions = definitions
    attachedDefinitions = DefinitionLog()
    for attachment in input.attachments {
      for var file in attachment.input.folder.migrations where file.isText {
        for entry in parsing.statements(of: &file) {
          attachedDefinitions.apply(entry.statement, path: file.path, in: attachment.schema)
        }
      }
    }
  }

  /// Analyzes the file at a path.
  public mutating func analyze(_ path: String) {
    replay()
    guard finished == nil, case .queries(let index) = kind(of: path) else { return }
    base.analyzeQueries(at: index, &parsing, &cache)
  }

  /// Returns whether a file was analyzed.
  func isAnalyzed(_ path: String) -> Bool {
    switch kind(of: path) {
    case .queries(let index): finished != nil || base.isAnalyzed(index)
    case .migration: isReplayed
    case .other, nil: true
    }
  }

  /// Analyzes the next file, or checks a part of the project as a whole after the last one.
  ///
  /// - Returns: Whether there is more to do.
  public mutating func step() -> Bool {
    guard finished == nil else { return false }
    guard isReplayed else {
      replay()
      return true
    }
    if wholeCheck == nil,
      let next = input.folder.queries.indices.first(where: { !base.isAnalyzed($0) })
    {
      base.analyzeQueries(at: next, &parsing, &cache)
      return true
    }
    guard wholeCheck != nil else {
      var whole = base
      whole.finish()
      wholeCheck = (whole, whole.nameCheck(input.configuration.generation))
      return true
    }
    if !isSingleFile, wholeCheck?.names.step() == true { return true }
    guard let check = wholeCheck else { return false }
    var whole = check.compilation
    if !isSingleFile { whole.add(check.names) }
    wholeCheck = nil
    finished = whole
    needsPlanUpdate = true
    parsing.finish()
    let paths = paths
    cache?.removeFiles(except: paths)
    traces = traces.filter { paths.contains($0.key) }
    return false
  }

  /// Analyzes everything.
  public mutating func finish() { while step() {} }

  /// The schema after the last migration.
  public var catalog: Catalog { base.catalog }

  /// The result of the analysis so far.
  public var compilation: Compilation { finished ?? base }

  /// Returns the schema before a migration.
  public func catalog(beforeMigration index: Int) -> Catalog {
    let earlier = input.folder.scripts[..<index].filter(\.isText)
    let isFirstTemporary =
      input.folder.scripts[index].isTemporary && earlier.last?.isTemporary != true
    if isFirstTemporary { return base.attachedCatalog }
    let count = earlier.count
    return cache?.catalog(after: count - 1) ?? base.initialCatalog
  }

  /// Returns a number that changes if the schema before a migration changes.
  ///
  /// The number is a hash of everything that creates the schema, since the tables of all earlier
  /// schemas would take long to hash.
  mutating func schemaFingerprint(beforeMigration index: Int) -> Int {
    while fingerprintsBeforeMigrations.count <= index {
      var hasher = Hasher()
      if let previous = fingerprintsBeforeMigrations.last {
        hasher.combine(previous)
        hasher.combine(input.folder.scripts[fingerprintsBeforeMigrations.count - 1].source)
      } else {
        hasher.combine(input.configuration.target)
        hasher.combine(base.project.declarations)
        for attachment in input.attachments {
          hasher.combine(attachment.schema)
          for script in attachment.input.folder.scripts { hasher.combine(script.source) }
        }
      }
      fingerprintsBeforeMigrations.append(hasher.finalize())
    }
    return fingerprintsBeforeMigrations[index]
  }

  /// A number that changes if the schema changes.
  public var schemaFingerprint: Int { cache?.schemaFingerprint ?? 0 }

  /// The number of queries that were analyzed, rather than found in the cache.
  public var analyzedQueryCount: Int { cache?.analyzedQueryCount ?? 0 }

  /// The number of syntax trees in memory, including those of attached databases.
  public var syntaxTreeCount: Int { parsing.usedCount }

  // MARK: Syntax

  /// Returns the queries of a file without syntax errors.
  mutating func queries(at index: Int) -> [NamedQuery] {
    var file = input.folder.queries[index]
    return file.isText ? parsing.queries(of: &file) : []
  }

  /// Returns the statements of a migration without syntax errors.
  mutating func statements(at index: Int) -> [ScriptStatement] {
    var file = input.folder.scripts[index]
    return file.isText ? parsing.statements(of: &file) : []
  }

  /// Returns the tokens of a file.
  public func tokens(_ path: String) -> (source: SourceText, tokens: StatementTokens)? {
    switch kind(of: path) {
    case .queries(let index):
      let source = input.folder.queries[index].source
      return (source, StatementTokens(source, isQueryFile: true))
    case .migration(let index):
      let source = input.folder.scripts[index].source
      return (source, StatementTokens(source, isQueryFile: false))
    case .other, nil: return nil
    }
  }
}

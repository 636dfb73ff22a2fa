public import QueryModel
internal import SQLSemantics
internal import SQLSyntax
internal import SwiftEmitter

/// Compiles a project's SQL files to Swift files.
///
/// ```swift
/// let driver = Driver(DriverOptions(path: "Sources/App"))
/// let outcome = driver.generate()
/// print(outcome.report)
/// ```
///
/// A driver caches the syntax trees of the files: when it runs again, it parses only changed files.
public struct Driver: Sendable {
  public var options: DriverOptions
  let cache = ParseCache()

  public init(_ options: DriverOptions) { self.options = options }

  /// Checks the project and writes nothing.
  public func check() -> Outcome {
    let (outcome, _) = compile()
    return outcome
  }

  /// Writes the generated Swift files.
  ///
  /// If there is an error, the files that were generated earlier are not changed.
  public func generate() -> Outcome {
    var (outcome, files) = compile()
    guard outcome.errorCount == 0 else { return outcome }
    do {
      let changes = try OutputFolder(path: outcome.output).write(files)
      outcome.written = changes.written
      outcome.removed = changes.removed
      outcome.unchanged = changes.unchanged
    } catch {
      outcome.add(error, usesColor: options.usesColor)
    }
    return outcome
  }

  /// Checks the project and the plans of its queries.
  ///
  /// - Parameters:
  ///   - makeSession: A function that creates the database in which plans are determined.
  ///   - locks: Whether to write the plans to `plans.lock`, unless there is an error. Otherwise,
  ///     they are compared with that file, if it exists.
  public func check(plans makeSession: PlanSessionMaker, locks: Bool = false) -> Outcome {
    var parsing = ParseSession(cache, target: .standard)
    let outcomes = TargetDatabase.all(options).map {
      check($0.input, plans: makeSession, locks: locks, &parsing)
    }
    parsing.finish()
    return Outcome(outcomes)
  }

  private func check(
    _ input: Input, plans makeSession: PlanSessionMaker, locks: Bool,
    _ parsing: inout ParseSession
  ) -> Outcome {
    if let failure = input.failureWithoutSQLite("plans are determined") {
      return Outcome([], [failure], usesColor: options.usesColor)
    }
    var input = input
    if locks { input.planLock = nil }
    var (compilation, parsed) = analyze(input, &parsing)
    _ = compilation.emit(input.configuration.generation)
    var plans = ProjectPlans()
    var notes: [String] = []
    if !compilation.hasErrors {
      let project = PlanProject(compilation, input, &parsing)
      plans.finish(project, makeSession)
      let report = plans.report(project)
      compilation.add(report.diagnostics)
      notes = report.notes
    }
    var outcome = outcome(of: compilation)
    outcome.parsed = parsed
    (outcome.plannedCount, outcome.planCount) = plans.counts
    outcome.planNotes = notes
    if locks, outcome.errorCount == 0, plans.failure == nil {
      do throws(FileFailure) {
        let path = Paths.join(input.path, PlanLock.fileName)
        try TextFile.write(Array(plans.lock().text.utf8), to: path)
        outcome.written = [path]
      } catch {
        outcome.add(error, usesColor: options.usesColor)
      }
    }
    return outcome
  }

  /// Compiles all databases of the target.
  private func compile() -> (outcome: Outcome, files: [GeneratedFile]) {
    let databases = TargetDatabase.all(options)
    var outcomes: [Outcome] = []
    var outputs: [TargetDatabase.Output] = []
    var parsing = ParseSession(cache, target: .standard)
    var functions: [FunctionDefinition] = []
    for database in databases {
      let (outcome, files) = compile(database, &parsing, &functions)
      outcomes.append(outcome)
      outputs.append(TargetDatabase.Output(database: database, files: files))
    }
    parsing.finish()
    var outcome = Outcome(outcomes)
    outcome.output = TargetDatabase.output(options, databases)
    if outcome.errorCount == 0 {
      for failure in TargetDatabase.collisions(of: outputs) {
        outcome.add(failure, usesColor: options.usesColor)
      }
    }
    return (outcome, outputs.flatMap(\.files).sorted { $0.name < $1.name })
  }

  /// - Parameter functions: The functions that the databases before this one declare.
  private func compile(
    _ database: TargetDatabase, _ parsing: inout ParseSession,
    _ functions: inout [FunctionDefinition]
  ) -> (outcome: Outcome, files: [GeneratedFile]) {
    let input = database.input
    var (compilation, parsed) = analyze(input, &parsing)
    var generation = input.configuration.generation
    if options.usesFixedFileNames { generation.splitsTables = false }
    let declared = compilation.project.declarations.functions.map(\.undocumented)
    generation.sharedFunctions = Set(declared.filter(functions.contains).map(\.name))
    functions += declared
    var files = compilation.emit(generation)
    let name = GeneratedFile.databaseFileName(generation.databaseName)
    for index in files.indices {
      files[index].name =
        files[index].name == name && options.usesFixedFileNames
        ? GeneratedFile.databaseFileName(database.folder ?? "DB")
        : database.fileName(of: files[index])
    }
    var outcome = outcome(of: compilation)
    outcome.parsed = parsed
    return (outcome, files)
  }

  /// Analyzes the project without generating Swift.
  ///
  /// - Parameter parsing: The syntax trees of all databases of the target.
  func analyze(
    _ input: Input, _ parsing: inout ParseSession
  ) -> (compilation: Compilation, parsed: [String]) {
    var compilation = Compilation(input)
    let count = parsing.parsed.count
    parsing.target = input.configuration.target
    compilation.analyze(&parsing)
    return (compilation, Array(parsing.parsed[count...]))
  }

  func outcome(of compilation: Compilation) -> Outcome {
    var outcome = Outcome(
      compilation.files, compilation.failures, usesColor: options.usesColor)
    outcome.queryCount = compilation.project.files.reduce(0) { $0 + $1.queries.count }
    outcome.tableCount = compilation.project.tables.count
    return outcome
  }
}

extension FunctionDefinition {
  /// The function without its comment.
  fileprivate var undocumented: FunctionDefinition {
    var copy = self
    copy.documentation = nil
    return copy
  }
}

extension Driver {
  /// Applies the fix-its of all errors, such as corrected spellings, and checks the project again.
  /// Of overlapping fix-its, only the last one in the file is applied; released migrations are not
  /// changed.
  public func fix() -> Outcome {
    let before = check()
    let lockedPaths = Set(
      TargetDatabase.all(options).map(\.input).flatMap { input in
        let released = Set(input.lock.lines.map(\.name))
        return input.folder.migrations.filter { released.contains($0.name) }.map(\.path)
      })
    var changes: [String: [ReportedDiagnostic.FixIt]] = [:]
    for diagnostic in before.diagnostics
    where diagnostic.severity == .error && !lockedPaths.contains(diagnostic.file) {
      changes[diagnostic.file, default: []] += diagnostic.fixIts
    }
    var changed: [String] = []
    var fixCount = 0
    var failures: [FileFailure] = []
    for (path, fixIts) in changes.sorted(by: { $0.key < $1.key }) where !fixIts.isEmpty {
      do throws(FileFailure) {
        fixCount += try apply(fixIts, to: path)
        changed.append(path)
      } catch {
        failures.append(error)
      }
    }
    var outcome = check()
    outcome.changed = changed
    outcome.fixCount = fixCount
    for failure in failures { outcome.add(failure, usesColor: options.usesColor) }
    return outcome
  }

  private func apply(
    _ fixIts: [ReportedDiagnostic.FixIt], to path: String
  ) throws(FileFailure) -> Int {
    var bytes = try TextFile.read(path)
    var count = 0
    var limit = bytes.count
    // Applied from the end, so that earlier offsets stay valid.
    for fixIt in Set(fixIts).sorted(by: { $0.place.offset > $1.place.offset }) {
      let end = fixIt.place.offset + fixIt.place.length
      guard end <= limit, end <= bytes.count else { continue }
      bytes.replaceSubrange(fixIt.place.offset..<end, with: fixIt.replacement.utf8)
      limit = fixIt.place.offset
      count += 1
    }
    try TextFile.write(bytes, to: path)
    return count
  }
}

/// A command's formatting options, which take precedence over the configuration.
public struct FormatOverrides: Hashable, Sendable {
  public var keywords: FormatOptions.KeywordCase?
  public var width: Int?
  public var indentation: Int?

  public init() {}

  func apply(to options: inout FormatOptions) {
    if let keywords { options.keywords = keywords }
    if let width { options.width = width }
    if let indentation { options.indentation = indentation }
  }
}

extension Driver {
  /// Formats the given files, or all migrations and queries of the project.
  ///
  /// - Parameters:
  ///   - files: The paths of the files; `nil` for all files of the project.
  ///   - choices: Options that take precedence over the configuration.
  ///   - writes: Whether to write the files, rather than only check them.
  /// - Returns: An outcome with the paths of the files that were not formatted, and of the others.
  public func format(
    files: [String]?, _ choices: FormatOverrides = FormatOverrides(), writes: Bool
  ) -> Outcome {
    guard let files else {
      var outcome = Outcome([], [], usesColor: options.usesColor)
      for database in TargetDatabase.all(options) {
        let input = database.input
        outcome = Outcome([outcome, configurationOutcome(of: input, includingFolders: true)])
        guard outcome.errorCount == 0 else { return outcome }
        format(input.folder.files.map(\.path), input, choices, writes: writes, &outcome)
      }
      return outcome
    }
    let input = Input(options)
    var outcome = configurationOutcome(of: input, includingFolders: false)
    guard outcome.errorCount == 0 else { return outcome }
    format(files, input, choices, writes: writes, &outcome)
    return outcome
  }

  private func format(
    _ files: [String], _ input: Input, _ choices: FormatOverrides, writes: Bool,
    _ outcome: inout Outcome
  ) {
    if let failure = input.failureWithoutSQLite("SQL is formatted") {
      outcome.add(failure, usesColor: options.usesColor)
      return
    }
    let formatter = SQLFormatter(options: formatOptions(input, choices))
    for path in files {
      do throws(FileFailure) {
        let bytes = try TextFile.read(path)
        switch formatter.format(bytes, path: path, usesColor: options.usesColor) {
        case .refused(let report):
          outcome.report += report
          outcome.errorCount += 1
        case .formatted(bytes): outcome.unchanged.append(path)
        case .formatted(let text):
          if writes { try TextFile.write(text, to: path) }
          outcome.changed.append(path)
        }
      } catch {
        outcome.add(error, usesColor: options.usesColor)
      }
    }
  }

  /// Formats a text with the options of the project's configuration.
  ///
  /// - Returns: The formatted text; `nil` if it can't be parsed, as reported by the outcome.
  public func format(
    _ bytes: [UInt8], _ choices: FormatOverrides = FormatOverrides()
  ) -> (outcome: Outcome, text: [UInt8]?) {
    let input = Input(options)
    var outcome = configurationOutcome(of: input, includingFolders: false)
    guard outcome.errorCount == 0 else { return (outcome, nil) }
    let formatter = SQLFormatter(options: formatOptions(input, choices))
    switch formatter.format(bytes, path: "<stdin>", usesColor: options.usesColor) {
    case .formatted(let text): return (outcome, text)
    case .refused(let report):
      outcome.report += report
      outcome.errorCount += 1
      return (outcome, nil)
    }
  }

  private func formatOptions(_ input: Input, _ choices: FormatOverrides) -> FormatOptions {
    var options = input.configuration.format
    choices.apply(to: &options)
    return options
  }

  private func configurationOutcome(of input: Input, includingFolders: Bool) -> Outcome {
    let files = [input.configurationFile].compactMap(\.self)
    let failures = input.failures + (includingFolders ? input.folder.failures : [])
    return Outcome(files, failures, usesColor: options.usesColor)
  }
}

extension Input {
  /// Returns the failure of a command that is only available for SQLite; `nil` if the project is for SQLite.
  ///
  /// - Parameter action: What the command does, as a clause.
  func failureWithoutSQLite(_ action: String) -> FileFailure? {
    guard configuration.generation.engine != .sqlite else { return nil }
    return FileFailure(
      .invalidConfiguration, path: configurationFile?.path ?? path,
      message: "\(action) only for the engine sqlite")
  }
}

/// The schema that a project's migrations create.
public struct ProjectSchema: Hashable, Sendable {
  /// A migration and its SQL.
  public struct Migration: Hashable, Sendable {
    public var name: String
    public var path: String
    public var sql: String
  }

  /// The problems in the configuration and the migrations. Queries are not checked.
  public var outcome: Driver.Outcome
  /// The migrations, in execution order.
  public var migrations: [Migration] = []
  /// The schema after the last migration, as formatted statements with their comments.
  public var sql = ""
  /// The functions, collations and modules that the SQL uses and SQLite does not have.
  public var declarations = Declarations()
}

extension Driver {
  /// Replays the migrations, and returns the resulting schema.
  ///
  /// A folder that only contains the folders of several databases is an error, which names them.
  public func projectSchema() -> ProjectSchema {
    let input = Input(options)
    let failure =
      TargetDatabase.ambiguity(options, input)
      ?? input.failureWithoutSQLite("the schema is replayed")
    if let failure {
      return ProjectSchema(outcome: Outcome([], [failure], usesColor: options.usesColor))
    }
    var parsing = ParseSession(cache, target: .standard)
    let (compilation, parsed) = analyze(input, &parsing)
    parsing.finish()
    var schema = ProjectSchema(
      outcome: Outcome(
        compilation.nonSQLFiles + compilation.scripts, compilation.failures,
        usesColor: options.usesColor))
    schema.outcome.parsed = parsed
    schema.outcome.tableCount = compilation.project.tables.count
    schema.migrations = zip(compilation.migrations, compilation.project.migrations).map {
      ProjectSchema.Migration(name: $0.name, path: $0.path, sql: $1.sql)
    }
    schema.declarations = compilation.project.declarations
    schema.sql = Self.text(
      of: compilation.catalog.statements(), SQLFormatter(options: input.configuration.format))
    return schema
  }

  private static func text(
    of statements: [Catalog.SchemaStatement], _ formatter: SQLFormatter
  ) -> String {
    statements.map { statement in
      let comment = (statement.documentation ?? "").split(separator: "\n").map { "-- \($0)\n" }
      let text = comment.joined() + statement.sql + ";\n"
      guard case .formatted(let bytes) = formatter.format(Array(text.utf8), path: "schema")
      else { return text }
      return String(decoding: bytes, as: UTF8.self)
    }.joined(separator: "\n")
  }
}

internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax
internal import SwiftEmitter

/// Files of SQL in, files of Swift out.
///
/// ```swift
/// let driver = Driver(DriverOptions(path: "Sources/App"))
/// let outcome = driver.generate()
/// print(outcome.report)
/// ```
///
/// A driver remembers the trees of the files: run again, it parses those that have changed, and no
/// others.
public struct Driver: Sendable {
  public var options: DriverOptions
  let cache = ParsedFiles()

  public init(_ options: DriverOptions) { self.options = options }

  /// Checks everything and writes nothing.
  public func check() -> Outcome {
    let (outcome, _) = compile(Input(options))
    return outcome
  }

  /// Writes the Swift of the project.
  ///
  /// Where anything is wrong, what was generated earlier stays as it is.
  public func generate() -> Outcome {
    let input = Input(options)
    var (outcome, files) = compile(input)
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

  private func compile(_ input: Input) -> (outcome: Outcome, files: [GeneratedFile]) {
    var (compilation, parsed) = analyze(input)
    var generation = input.configuration.generation
    if options.usesFixedNames { generation.splitsTables = false }
    var files = compilation.emit(generation)
    if options.usesFixedNames {
      let name = GeneratedFile.databaseFileName(input.configuration.generation.databaseName)
      for index in files.indices where files[index].name == name {
        files[index].name = GeneratedFile.databaseFileName("DB")
      }
    }
    var outcome = outcome(of: compilation)
    outcome.parsed = parsed
    outcome.output = input.output(options)
    return (outcome, files)
  }

  /// Reads everything, up to where Swift would be made of it.
  func analyze(_ input: Input) -> (compilation: Compilation, parsed: [String]) {
    var compilation = Compilation(input)
    var parsing = Parsing(cache, target: input.configuration.target)
    compilation.analyze(&parsing)
    parsing.finish()
    return (compilation, parsing.parsed)
  }

  func outcome(of compilation: Compilation) -> Outcome {
    var outcome = Outcome(
      compilation.files, compilation.failures, usesColor: options.usesColor)
    outcome.queryCount = compilation.project.files.reduce(0) { $0 + $1.queries.count }
    outcome.tableCount = compilation.project.tables.count
    return outcome
  }
}

extension Driver {
  /// What came of applying remedies.
  public struct FixOutcome: Hashable, Sendable {
    /// The number of changes, and the paths of the files that were changed.
    public var fixCount = 0
    public var files: [String] = []
    /// What is wrong afterwards.
    public var outcome: Outcome
  }

  /// Applies the remedies that errors come with, such as the right spelling of a name, and checks
  /// again. Of remedies that overlap the first one counts; released migrations stay as they are.
  public func fix() -> FixOutcome {
    let input = Input(options)
    let before = check()
    let released = Set(input.lock.lines.map(\.name))
    let untouchable = Set(
      input.folder.migrations.filter { released.contains($0.name) }.map(\.path))
    var changes: [String: [ReportedDiagnostic.FixIt]] = [:]
    for diagnostic in before.diagnostics
    where diagnostic.severity == .error && !untouchable.contains(diagnostic.file) {
      changes[diagnostic.file, default: []] += diagnostic.fixIts
    }
    var fixed = FixOutcome(outcome: before)
    var failures: [FileFailure] = []
    for (path, fixIts) in changes.sorted(by: { $0.key < $1.key }) where !fixIts.isEmpty {
      do throws(FileFailure) {
        fixed.fixCount += try apply(fixIts, to: path)
        fixed.files.append(path)
      } catch {
        failures.append(error)
      }
    }
    fixed.outcome = check()
    for failure in failures { fixed.outcome.add(failure, usesColor: options.usesColor) }
    return fixed
  }

  private func apply(
    _ fixIts: [ReportedDiagnostic.FixIt], to path: String
  ) throws(FileFailure) -> Int {
    var bytes = try TextFile.read(path)
    var count = 0
    var limit = bytes.count
    // From the end, so that the places before stay what they are.
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

/// What a command says about formatting, before what the configuration says.
public struct FormatChoices: Hashable, Sendable {
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
  /// What came of formatting files.
  public struct FormatOutcome: Hashable, Sendable {
    /// The paths of the files that were not formatted, and are now where they were written.
    public var changed: [String] = []
    /// The number of files that were formatted before.
    public var unchangedCount = 0
    /// What can't be read, with its lines.
    public var report = ""
    public var errorCount = 0
  }

  /// Formats files: these, or all migrations and queries of the project.
  ///
  /// - Parameters:
  ///   - files: Paths; `nil` for all of the project.
  ///   - choices: What counts before the configuration.
  ///   - writes: Whether the files are written, and not only looked at.
  public func format(
    files: [String]?, _ choices: FormatChoices = FormatChoices(), writes: Bool
  ) -> FormatOutcome {
    var outcome = FormatOutcome()
    let input = Input(options)
    add(configurationFaults(of: input, withFolders: files == nil), to: &outcome)
    guard outcome.errorCount == 0 else { return outcome }
    let formatter = SQLFormatter(options: formatOptions(input, choices))
    for path in files ?? (input.folder.migrations + input.folder.queries).map(\.path) {
      do throws(FileFailure) {
        let bytes = try TextFile.read(path)
        switch formatter.format(bytes, path: path, usesColor: options.usesColor) {
        case .refused(let report):
          outcome.report += report
          outcome.errorCount += 1
        case .formatted(bytes): outcome.unchangedCount += 1
        case .formatted(let text):
          if writes { try TextFile.write(text, to: path) }
          outcome.changed.append(path)
        }
      } catch {
        add(Outcome([], [error], usesColor: options.usesColor), to: &outcome)
      }
    }
    return outcome
  }

  /// Formats a text, as the project's configuration says.
  ///
  /// - Returns: The text; `nil` where it can't be read, which the outcome says.
  public func format(
    _ bytes: [UInt8], _ choices: FormatChoices = FormatChoices()
  ) -> (outcome: FormatOutcome, text: [UInt8]?) {
    var outcome = FormatOutcome()
    let input = Input(options)
    add(configurationFaults(of: input, withFolders: false), to: &outcome)
    guard outcome.errorCount == 0 else { return (outcome, nil) }
    let formatter = SQLFormatter(options: formatOptions(input, choices))
    switch formatter.format(bytes, path: "<stdin>", usesColor: options.usesColor) {
    case .formatted(let text): return (outcome, text)
    case .refused(let report):
      outcome.report = report
      outcome.errorCount = 1
      return (outcome, nil)
    }
  }

  private func formatOptions(_ input: Input, _ choices: FormatChoices) -> FormatOptions {
    var options = input.configuration.format
    choices.apply(to: &options)
    return options
  }

  private func configurationFaults(of input: Input, withFolders: Bool) -> Outcome {
    let files = [input.configurationFile].compactMap(\.self)
    let failures = input.failures + (withFolders ? input.folder.failures : [])
    return Outcome(files, failures, usesColor: options.usesColor)
  }

  private func add(_ found: Outcome, to outcome: inout FormatOutcome) {
    outcome.report += found.report
    outcome.errorCount += found.errorCount
  }
}

/// What a project's migrations make.
public struct ProjectSchema: Hashable, Sendable {
  /// A migration, as its file has it.
  public struct Migration: Hashable, Sendable {
    public var name: String
    public var path: String
    public var sql: String
  }

  /// What is wrong with the configuration and the migrations; queries are not looked at.
  public var outcome: Driver.Outcome
  /// In the order in which they run.
  public var migrations: [Migration] = []
  /// The schema after the last one, as formatted statements with the comments above them.
  public var sql = ""
}

extension Driver {
  /// Replays the migrations.
  public func projectSchema() -> ProjectSchema {
    let input = Input(options)
    let (compilation, parsed) = analyze(input)
    var schema = ProjectSchema(
      outcome: Outcome(
        compilation.otherFiles + compilation.migrations, compilation.failures,
        usesColor: options.usesColor))
    schema.outcome.parsed = parsed
    schema.outcome.tableCount = compilation.project.tables.count
    schema.migrations = zip(compilation.migrations, compilation.project.migrations).map {
      ProjectSchema.Migration(name: $0.name, path: $0.path, sql: $1.sql)
    }
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

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

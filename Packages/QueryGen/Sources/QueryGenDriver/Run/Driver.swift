internal import QueryModel
internal import SQLSyntax
internal import SwiftEmitter

/// Files of SQL in, files of Swift out.
///
/// ```swift
/// let outcome = Driver(DriverOptions(path: "Sources/App")).generate()
/// print(outcome.report)
/// ```
public struct Driver: Sendable {
  public var options: DriverOptions

  public init(_ options: DriverOptions) { self.options = options }

  /// What came of a run.
  public struct Outcome: Hashable, Sendable {
    /// The errors and warnings of all files, each with its line; empty where there is none.
    public var report: String
    public var errorCount: Int
    public var warningCount: Int
    /// The number of queries and of tables that were understood.
    public var queryCount: Int
    public var tableCount: Int
    /// The names of the files that were made or changed, that were removed, and that were right.
    public var written: [String] = []
    public var removed: [String] = []
    public var unchanged: [String] = []

    /// What a process ends with: 1 where there is an error.
    public var exitCode: Int32 { errorCount > 0 ? 1 : 0 }
  }

  /// Checks everything and writes nothing.
  public func check() -> Outcome { compile().outcome }

  /// Writes the Swift of the project.
  ///
  /// Where anything is wrong, what was generated earlier stays as it is.
  public func generate() -> Outcome {
    var (outcome, files) = compile()
    guard outcome.errorCount == 0 else { return outcome }
    do {
      let changes = try OutputFolder(path: options.output).write(files)
      outcome.written = changes.written
      outcome.removed = changes.removed
      outcome.unchanged = changes.unchanged
    } catch {
      var rendering = Rendering(usesColor: options.usesColor)
      rendering.add(error)
      outcome.report += rendering.text
      outcome.errorCount += 1
    }
    return outcome
  }

  private func compile() -> (outcome: Outcome, files: [GeneratedFile]) {
    var compilation = Compilation(InputFolder(path: options.path))
    compilation.analyze()
    let files = compilation.emit(
      EmitterOptions(
        databaseName: options.databaseName,
        access: options.access == .public ? .public : .internal,
        runtimeModule: options.runtimeModule))
    var rendering = Rendering(usesColor: options.usesColor)
    for failure in compilation.failures { rendering.add(failure) }
    for file in compilation.files { rendering.add(file) }
    let diagnostics = compilation.files.flatMap(\.diagnostics.diagnostics)
    let outcome = Outcome(
      report: rendering.text,
      errorCount: compilation.failures.count { !$0.isWarning }
        + diagnostics.count { $0.severity == .error },
      warningCount: compilation.failures.count(where: \.isWarning)
        + diagnostics.count { $0.severity == .warning },
      queryCount: compilation.project.files.reduce(0) { $0 + $1.queries.count },
      tableCount: compilation.project.tables.count)
    return (outcome, files)
  }
}

extension Driver {
  /// What came of a run.
  public struct Outcome: Hashable, Sendable {
    /// The errors and warnings of all files, each with its line; empty where there is none.
    public var report: String
    /// The same, for programs.
    public var diagnostics: [ReportedDiagnostic] = []
    public var errorCount: Int
    public var warningCount: Int
    /// The number of queries and of tables that were understood.
    public var queryCount = 0
    public var tableCount = 0
    /// The folder that generated files go to.
    public var output = ""
    /// The names of the files that were made or changed, that were removed, and that were right.
    public var written: [String] = []
    public var removed: [String] = []
    public var unchanged: [String] = []
    /// The paths of the files that had to be parsed: not those that were the same in the run before.
    public var parsed: [String] = []

    /// What a process ends with: 1 where there is an error.
    public var exitCode: Int32 { errorCount > 0 ? 1 : 0 }
  }
}

extension Driver.Outcome {
  /// An outcome that shows what was found.
  init(_ files: [InputFile], _ failures: [FileFailure], usesColor: Bool) {
    var rendering = Rendering(usesColor: usesColor)
    for failure in failures { rendering.add(failure) }
    for file in files { rendering.add(file) }
    let diagnostics =
      failures.map(ReportedDiagnostic.init)
      + files.flatMap { file in ReportedDiagnostic.all(of: file) }
    self.init(
      report: rendering.text, diagnostics: diagnostics,
      errorCount: diagnostics.count { $0.severity == .error },
      warningCount: diagnostics.count { $0.severity == .warning })
  }

  /// Adds a failure that came after the rest.
  mutating func add(_ failure: FileFailure, usesColor: Bool) {
    var rendering = Rendering(usesColor: usesColor)
    rendering.add(failure)
    report += rendering.text
    diagnostics.append(ReportedDiagnostic(failure))
    errorCount += 1
  }
}

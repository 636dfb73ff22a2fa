extension Driver {
  /// The result of a run.
  public struct Outcome: Hashable, Sendable {
    /// The errors and warnings of all files, with their source lines; empty if there are none.
    public var report: String
    /// The errors and warnings in machine-readable form.
    public var diagnostics: [ReportedDiagnostic] = []
    public var errorCount: Int
    public var warningCount: Int
    /// The numbers of queries and tables without errors.
    public var queryCount = 0
    public var tableCount = 0
    /// The numbers of queries whose plans were determined, and of their plans.
    public var plannedCount = 0
    public var planCount = 0
    /// Remarks about the plans as a whole.
    public var planNotes: [String] = []
    /// The folder for generated files.
    public var output = ""
    /// The names of the generated files, or the paths of other files, that were written, removed, and
    /// left unchanged.
    public var written: [String] = []
    public var removed: [String] = []
    public var unchanged: [String] = []
    /// The paths of the files that fix-its or formatting changed, or would change if they were written.
    public var changed: [String] = []
    /// The number of fix-its that were applied.
    public var fixCount = 0
    /// The names of the migrations that were locked.
    public var locked: [String] = []
    /// The paths of the files that were parsed, rather than cached by the previous run.
    public var parsed: [String] = []

    /// The exit code of the process: 1 if there is an error, otherwise 0.
    public var exitCode: Int32 { errorCount > 0 ? 1 : 0 }
  }
}

extension Driver.Outcome {
  /// Creates an outcome with the diagnostics of files, and with failures.
  init(_ files: [InputFile], _ failures: [FileFailure], usesColor: Bool) {
    var rendering = DiagnosticRenderer(usesColor: usesColor)
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

  /// Creates the outcome of several databases.
  init(_ parts: [Self]) {
    self.init(
      report: parts.map(\.report).joined(), diagnostics: parts.flatMap(\.diagnostics),
      errorCount: parts.reduce(0) { $0 + $1.errorCount },
      warningCount: parts.reduce(0) { $0 + $1.warningCount },
      queryCount: parts.reduce(0) { $0 + $1.queryCount },
      tableCount: parts.reduce(0) { $0 + $1.tableCount },
      plannedCount: parts.reduce(0) { $0 + $1.plannedCount },
      planCount: parts.reduce(0) { $0 + $1.planCount }, planNotes: parts.flatMap(\.planNotes),
      written: parts.flatMap(\.written), removed: parts.flatMap(\.removed),
      unchanged: parts.flatMap(\.unchanged), changed: parts.flatMap(\.changed),
      fixCount: parts.reduce(0) { $0 + $1.fixCount }, locked: parts.flatMap(\.locked),
      parsed: parts.flatMap(\.parsed))
  }

  /// Adds a failure that occurred later.
  mutating func add(_ failure: FileFailure, usesColor: Bool) {
    var rendering = DiagnosticRenderer(usesColor: usesColor)
    rendering.add(failure)
    report += rendering.text
    diagnostics.append(ReportedDiagnostic(failure))
    errorCount += 1
  }
}

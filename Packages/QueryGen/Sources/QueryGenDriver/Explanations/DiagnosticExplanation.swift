/// The explanation of a diagnostic, with an example.
///
/// `querygen explain` and `Docs/Diagnostics.md` show the explanations.
public struct DiagnosticExplanation: Hashable, Sendable {
  /// A group of diagnostics with related subjects.
  public enum Family: String, CaseIterable, Hashable, Sendable {
    case syntax, clauses, limits, names, results, changes, schema, queries, mistakes, configuration
    case files, plans, editors

    /// The family's name for readers.
    public var title: String {
      switch self {
      case .syntax: "Syntax"
      case .clauses: "Clauses and options"
      case .limits: "Limits"
      case .names: "Names"
      case .results: "Expressions and results"
      case .changes: "Inserts, updates and deletes"
      case .schema: "Schema"
      case .queries: "Queries and annotations"
      case .mistakes: "Likely mistakes"
      case .configuration: "Configuration"
      case .files: "Files"
      case .plans: "Plans"
      case .editors: "Editors"
      }
    }

    /// The family's explanations, sorted by identity.
    public var explanations: [DiagnosticExplanation] {
      switch self {
      case .syntax: DiagnosticExplanation.syntax
      case .clauses: DiagnosticExplanation.clauses
      case .limits: DiagnosticExplanation.limits
      case .names: DiagnosticExplanation.names
      case .results: DiagnosticExplanation.results
      case .changes: DiagnosticExplanation.changes
      case .schema: DiagnosticExplanation.schema
      case .queries: DiagnosticExplanation.queries
      case .mistakes: DiagnosticExplanation.mistakes
      case .configuration: DiagnosticExplanation.configuration
      case .files: DiagnosticExplanation.files
      case .plans: DiagnosticExplanation.plans
      case .editors: DiagnosticExplanation.editors
      }
    }
  }

  /// The identity of the explained diagnostic, as in ``ReportedDiagnostic/identity``.
  public var identity: String
  /// The severity of the example's diagnostic. The details describe uses with another severity.
  public var severity: ReportedDiagnostic.Severity
  /// The problem, in one sentence.
  public var summary: String
  /// The reason, SQLite's behavior, and the way to declare that a warning's statement is intended.
  public var details: String
  /// The files of a project with only this diagnostic; `nil` if they can't be shown briefly.
  ///
  /// A comment with a file's path, such as `-- Queries/Books.sql`, precedes its contents.
  public var example: String?
  /// The corrected files, in the same format. They replace all files of the example in the same
  /// folders, and the project then has no diagnostics.
  public var correction: String?

  init(
    _ identity: String, severity: ReportedDiagnostic.Severity = .error, summary: String,
    details: String, example: String? = nil, correction: String? = nil
  ) {
    self.identity = identity
    self.severity = severity
    self.summary = summary
    self.details = details
    self.example = example
    self.correction = correction
  }

  /// The explanations of all diagnostics, sorted by family and identity.
  public static let all = Family.allCases.flatMap(\.explanations)
}

public import QueryModel
public import SQLSemantics
public import SQLSyntax

/// A database without rows in which the plans of a project's queries are determined.
///
/// The driver does not link SQLite, since a build plugin's tool contains it. `QueryGenDatabase`
/// implements this protocol.
public protocol PlanSession: AnyObject {
  /// SQLite's release, such as `3.40.1`.
  var release: String { get }

  /// Runs the next migration, or checks the foreign keys of the next table after all migrations.
  ///
  /// - Returns: Whether there is more to do before plans can be determined.
  /// - Throws: An error if the migration or check can't be run. The session must not be used
  ///   afterwards.
  func prepare() throws -> Bool

  /// Returns the plans of a query. Errors are part of the result.
  func plan(_ query: PlanQuery) -> PlannedQuery

  /// Applies the rules that are about the schema.
  ///
  /// - Parameters:
  ///   - usedIndexes: The lowercase names of the indexes in the plans of all queries; `nil` if not all
  ///     of them are known.
  ///   - firedTriggers: The lowercase names of the triggers that queries fire, whose statements are
  ///     checked.
  func checkSchema(
    usedIndexes: Set<String>?, firedTriggers: Set<String>
  ) -> [SchemaFinding]
}

/// A function that creates a session for a schema.
public typealias PlanSessionMaker = (PlanSchema) -> any PlanSession

/// The schema and the settings on which plans depend.
public struct PlanSchema: Sendable {
  public var migrations: [MigrationDefinition]
  /// The databases that are attached after the migrations.
  public var attachments: [AttachmentDefinition] = []
  /// The scripts that then create temporary objects.
  public var temporary: [MigrationDefinition] = []
  /// The functions, collations and modules that SQLite does not have.
  public var declarations = Declarations()
  /// The schemas of a connection.
  public var catalog: Catalog
  /// The numbers of rows by table, in lowercase.
  public var rows: [String: Int]
  /// The path of a database with statistics.
  public var statistics: String?
}

/// A query whose plans are determined.
public struct PlanQuery: Sendable {
  public let path: String
  public let source: SourceText
  public let query: NamedQuery
  public let definition: QueryDefinition
  let key: Key

  /// The text on which the plans depend, in addition to the schema.
  struct Key: Hashable, Sendable {
    private let sql: String
    private let text: SourceText
    private let documentation: [String]
    /// The hash of all that precedes, since keys are looked up often.
    private let hash: Int

    init(_ query: NamedQuery, _ source: SourceText, _ definition: QueryDefinition) {
      sql = definition.sql
      text = SourceText(bytes: Array(source.bytes[query.span.range]))
      documentation = query.documentation
      var hasher = Hasher()
      hasher.combine(sql)
      hasher.combine(text)
      hasher.combine(documentation)
      hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  init(path: String, source: SourceText, query: NamedQuery, definition: QueryDefinition) {
    self.path = path
    self.source = source
    self.query = query
    self.definition = definition
    key = Key(query, source, definition)
  }
}

/// The plans of a query: one, or one for each combination of the parts that its input chooses.
public struct PlannedQuery: Hashable, Sendable {
  public var plans: [StatementPlan]
  public var findings: [PlanFinding]
  /// The lowercase names of the indexes in the plans, including those of triggers.
  public var usedIndexes: Set<String>
  /// The lowercase names of the triggers that the query fires.
  public var firedTriggers: Set<String>
  /// SQLite's message, if it can't prepare the statement.
  public var failure: String?

  public init(
    plans: [StatementPlan] = [], findings: [PlanFinding] = [], usedIndexes: Set<String> = [],
    firedTriggers: Set<String> = [], failure: String? = nil
  ) {
    self.plans = plans
    self.findings = findings
    self.usedIndexes = usedIndexes
    self.firedTriggers = firedTriggers
    self.failure = failure
  }
}

/// A violation of a rule.
public struct PlanFinding: Hashable, Sendable {
  public var rule: PlanRule
  /// The place in the query's source; `nil` for its name.
  public var span: ByteSpan?
  public var message: String
  public var notes: [String]
  /// An index that improves the plan.
  public var index: IndexProposal?
  /// The name, in lowercase, of the view that contains the reported scan.
  public var view: String?

  public init(
    _ rule: PlanRule, at span: ByteSpan? = nil, _ message: String, notes: [String] = [],
    index: IndexProposal? = nil, view: String? = nil
  ) {
    self.rule = rule
    self.span = span
    self.message = message
    self.notes = notes
    self.index = index
    self.view = view
  }
}

/// An index that was shown to improve a plan.
public struct IndexProposal: Hashable, Sendable {
  public var name: String
  /// The `CREATE INDEX` statement, without `;`.
  public var sql: String

  public init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}

/// A violation of a rule by the schema.
public struct SchemaFinding: Hashable, Sendable {
  /// An object of the schema.
  public enum Subject: Hashable, Sendable {
    case index(String)
    case foreignKey(table: String, columns: [String])
    /// A trigger, with the statement that creates it, to whose beginning the finding's place refers.
    case trigger(String, sql: String)
  }

  public var subject: Subject
  public var finding: PlanFinding

  public init(_ subject: Subject, _ finding: PlanFinding) {
    self.subject = subject
    self.finding = finding
  }
}

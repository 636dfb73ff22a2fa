public import SQLSyntax

/// A rule that `querygen check --plans` applies to the plans of queries.
public enum PlanRule: String, Hashable, Sendable, CaseIterable, Codable {
  /// A statement reads all rows of a large table.
  case fullScan = "full-scan"
  /// A table is read as a whole for every row of another one.
  case scanInJoin = "scan-in-join"
  /// SQLite sorts rows in a temporary B-tree.
  case sortWithoutIndex = "sort-without-index"
  /// SQLite builds an index each time the statement runs.
  case automaticIndex = "automatic-index"
  /// No condition connects two tables of a join.
  case cartesianJoin = "cartesian-join"
  /// `LIKE` or `GLOB` reads all rows.
  case likeWithoutIndex = "like-without-index"
  /// An indexed column is the argument of a function or an operator.
  case functionOnIndexedColumn = "function-on-indexed-column"
  /// `OFFSET` reads rows and skips them.
  case offsetPaging = "offset-paging"
  /// A foreign key's columns have no index.
  case unindexedForeignKey = "unindexed-foreign-key"
  /// Neither a query nor a constraint uses an index.
  case unusedIndex = "unused-index"
  /// `LIMIT` selects arbitrary rows.
  case limitWithoutOrder = "limit-without-order"

  public var identity: Diagnostic.Identity { .init(rawValue: rawValue) }

  /// Indicates whether the rule is about the schema, rather than a query.
  var isAboutSchema: Bool { self == .unindexedForeignKey || self == .unusedIndex }
}

extension Diagnostic.Identity {
  /// A query whose plan differs from the plan in `plans.lock`.
  public static let changedPlan = Self(rawValue: "changed-plan")
  /// A query or a schema whose plans can't be determined.
  public static let unknownPlan = Self(rawValue: "unknown-plan")
  /// `plan: allow` for a rule that reports nothing.
  public static let unneededAllowance = Self(rawValue: "unneeded-allowance")
}

extension Diagnostic {
  /// Indicates whether the diagnostic is a hint about a plan that is slow only for many rows.
  public var isPlanHint: Bool {
    switch PlanRule(rawValue: identity.rawValue) {
    case .fullScan, .scanInJoin, .cartesianJoin, nil: false
    default: true
    }
  }
}

/// The settings of `querygen.yaml` for plans.
public struct PlanSettings: Hashable, Sendable {
  /// The path of a database with statistics, relative to the project's folder.
  public var statistics: String?
  /// The numbers of rows by table, in lowercase.
  public var rows: [String: Int] = [:]
  /// The rules that are not applied.
  public var allowed: Set<PlanRule> = []
  /// The rules that are not applied to a query, by the query's name.
  public var allowedByQuery: [String: Set<PlanRule>] = [:]

  public init() {}

  /// Returns whether a rule is not applied to a query or, for `nil`, to the schema.
  func allows(_ rule: PlanRule, for query: String?) -> Bool {
    allowed.contains(rule) || query.flatMap { allowedByQuery[$0] }?.contains(rule) == true
  }
}

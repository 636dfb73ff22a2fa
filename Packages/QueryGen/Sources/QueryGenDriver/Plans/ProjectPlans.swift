internal import QueryModel
internal import SQLSyntax

/// The plans of a project's queries, of which only those of changed queries are determined again.
///
/// ```swift
/// var plans = ProjectPlans()
/// if plans.update(project) { session = makeSession(project.schema) }
/// while plans.step(session) {}
/// let diagnostics = plans.report(project).diagnostics
/// ```
public struct ProjectPlans: Sendable {
  /// The queries in the order of their files.
  private(set) var queries: [PlanQuery] = []
  private var planned: [PlanQuery.Key: PlannedQuery] = [:]
  private var pending: [Int] = []
  private var schema: Int?
  private var migrationCount = 0
  private var preparedCount = 0
  private var isPrepared = false
  private(set) var schemaFindings: [SchemaFinding]?
  /// The error that prevents all plans, and the index of the migration that caused it; `nil` if the
  /// statistics can't be read.
  private(set) var failure: (migration: Int?, message: String)?
  private(set) var release = ""
  /// Indicates whether all queries are known, so that an index can be known to be unused.
  private var isWhole = false

  public init() {}

  /// Sets the project, after each change.
  ///
  /// - Returns: Whether the schema has changed, so that a new session is required.
  public mutating func update(_ project: PlanProject) -> Bool {
    let isNew = schema != project.fingerprint
    if isNew { self = ProjectPlans() }
    schema = project.fingerprint
    queries = project.queries
    isWhole = project.isWhole
    migrationCount = project.migrationFiles.count
    let keys = queries.map(\.key)
    var kept: [PlanQuery.Key: PlannedQuery] = [:]
    for key in keys { kept[key] = planned[key] }
    planned = kept
    pending = queries.indices.reversed().filter { planned[keys[$0]] == nil }
    schemaFindings = nil
    return isNew
  }

  /// Determines all plans of a project.
  mutating func finish(_ project: PlanProject, _ makeSession: PlanSessionMaker) {
    _ = update(project)
    let session = makeSession(project.schema)
    while step(session) {}
  }

  /// Indicates whether there is nothing more to do.
  public var isFinished: Bool {
    schema == nil || failure != nil || schemaFindings != nil
  }

  /// Runs the next migration or determines the plans of the next query.
  ///
  /// - Returns: Whether there is more to do.
  public mutating func step(_ session: any PlanSession) -> Bool {
    guard !isFinished else { return false }
    do {
      if !isPrepared {
        release = session.release
        isPrepared = try !session.prepare()
        preparedCount += 1
        return true
      }
      if let index = pending.popLast() {
        var result = session.plan(queries[index])
        result.move(by: -queries[index].query.span.start.value)
        planned[queries[index].key] = result
        return true
      }
      schemaFindings = session.checkSchema(
        usedIndexes: usedIndexes, firedTriggers: Set(planned.values.flatMap(\.firedTriggers)))
    } catch {
      failure = (preparedCount < migrationCount ? preparedCount : nil, "\(error)")
    }
    return false
  }

  /// The indexes in all plans; `nil` if some plan is unknown, or there are no queries yet.
  private var usedIndexes: Set<String>? {
    guard isWhole, !queries.isEmpty else { return nil }
    var used: Set<String> = []
    for result in planned.values {
      guard result.failure == nil else { return nil }
      used.formUnion(result.usedIndexes)
    }
    return used
  }

  /// Returns the plans of a query; `nil` if they are not known yet.
  func result(of query: PlanQuery) -> PlannedQuery? {
    var result = planned[query.key]
    result?.move(by: query.query.span.start.value)
    return result
  }

  /// Returns the plans of a query of a file; `nil` if they are not known.
  public func plans(of name: String, in path: String) -> [StatementPlan]? {
    queries.first { $0.path == path && $0.definition.name == name }.flatMap {
      result(of: $0)?.plans
    }
  }

  /// The numbers of queries and of plans.
  var counts: (queries: Int, plans: Int) {
    (planned.count, planned.values.reduce(0) { $0 + $1.plans.count })
  }

  /// The contents of `plans.lock`.
  func lock() -> PlanLock {
    PlanLock(
      release: release, queries.map { ($0.definition.name, result(of: $0)?.plans ?? []) })
  }
}

extension PlannedQuery {
  /// Moves all spans.
  fileprivate mutating func move(by distance: Int) {
    for index in findings.indices {
      findings[index].span = findings[index].span.map {
        ByteSpan($0.start.advanced(by: distance), $0.end.advanced(by: distance))
      }
    }
  }
}

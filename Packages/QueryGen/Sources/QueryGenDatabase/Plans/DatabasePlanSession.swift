internal import Primitives
public import QueryGenDriver
internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax
internal import SQLiteCore

/// An SQLite database in memory that has a project's schema, in which plans are determined.
///
/// ```swift
/// let outcome = driver.check(plans: DatabasePlanSession.init)
/// ```
///
/// The session is not thread-safe.
public final class DatabasePlanSession: PlanSession {
  private let schema: PlanSchema
  private var connection: Connection?
  private var preparedCount = 0
  private var objects = SchemaObjects()
  /// The tables whose foreign keys were not checked, the next one last; `nil` before the last
  /// migration has run.
  private var uncheckedTables: [TableSchema]?
  private var foreignKeyFindings: [SchemaFinding] = []
  /// The findings about the triggers that were checked, by lowercase name.
  private var triggerFindings: [String: [SchemaFinding]] = [:]

  /// Creates a session, without running a migration.
  public init(_ schema: PlanSchema) { self.schema = schema }

  public var release: String { SQLiteLibrary.version }

  // MARK: Preparation

  public func prepare() throws -> Bool {
    do {
      return try prepareNext()
    } catch let error as SQLiteError {
      throw PlanFailure(error)
    }
  }

  private func prepareNext() throws -> Bool {
    guard let connection else {
      var configuration = Configuration.scratch(schema.declarations)
      // There are no rows, so nothing needs to be enforced while migrations run.
      configuration.enforcesForeignKeys = false
      self.connection = try Connection.inMemory(configuration: configuration)
      return try prepareNext()
    }
    if let table = uncheckedTables?.popLast() {
      let check = SchemaCheck(objects: objects, connection: connection)
      foreignKeyFindings += try check.unindexedForeignKeys(of: table)
      return uncheckedTables?.isEmpty == false
    }
    guard preparedCount < schema.migrations.count else {
      try attachDatabases(connection)
      for script in schema.temporary { try connection.execute(SQL(unsafe: script.sql)) }
      try loadStatistics(connection)
      objects = try SchemaObjects(connection, schema)
      try connection.setOption(.foreignKeys, on: true)
      let tables = SchemaCheck(objects: objects, connection: connection).tables
      uncheckedTables = tables.reversed()
      return !tables.isEmpty
    }
    let sql = schema.migrations[preparedCount].sql
    try connection.transaction { try connection.execute(SQL(unsafe: sql)) }
    preparedCount += 1
    return true
  }

  /// Attaches the databases, as empty as the database itself.
  private func attachDatabases(_ connection: Connection) throws {
    for attachment in schema.attachments {
      let other = try Connection.inMemory(configuration: .scratch(schema.declarations))
      for migration in attachment.migrations {
        try other.transaction { try other.execute(SQL(unsafe: migration.sql)) }
      }
      try connection.attach(.memory, as: attachment.schema)
      try other.backup(to: connection, to: attachment.schema)
    }
  }

  /// Copies the statistics of a database, and adds the configured numbers of rows.
  private func loadStatistics(_ connection: Connection) throws {
    guard schema.statistics != nil || !schema.rows.isEmpty else { return }
    // SQLite creates the tables; without rows, there are no statistics yet.
    try connection.run("ANALYZE main")
    if let path = schema.statistics {
      let source = try Connection(path: path, configuration: .reading(schema.declarations))
      let tables = try connection.values(
        String.self, "SELECT name FROM sqlite_master WHERE name GLOB 'sqlite_stat[14]'")
      for table in tables {
        let columns = try connection.columns(of: table).map(\.name)
        guard try source.columns(of: table).map(\.name) == columns else { continue }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try source.forEach(SQL(unsafe: "SELECT * FROM \(table)"), values: []) { row in
          _ = try connection.run(
            SQL(unsafe: "INSERT INTO \(table) VALUES (\(marks))"), values: row.values)
        }
      }
    }
    for (table, count) in schema.rows.sorted(by: { $0.key < $1.key }) {
      try connection.run("DELETE FROM sqlite_stat1 WHERE tbl = ? COLLATE NOCASE", table)
      try connection.run(
        """
        INSERT INTO sqlite_stat1 SELECT name, NULL, CAST(? AS TEXT) FROM sqlite_master
        WHERE type = 'table' AND name = ? COLLATE NOCASE
        """, count, table)
    }
    // Reads the statistics, and computes none.
    try connection.run("ANALYZE main.sqlite_master")
  }

  // MARK: Plans

  public func plan(_ query: PlanQuery) -> PlannedQuery {
    guard let connection else { return PlannedQuery() }
    do throws(SQLiteError) {
      return try plan(query, connection)
    } catch {
      return PlannedQuery(failure: error.message)
    }
  }

  private func plan(
    _ query: PlanQuery, _ connection: Connection
  ) throws(SQLiteError) -> PlannedQuery {
    var result = PlannedQuery()
    let facts = query.query.statements.map {
      StatementFacts($0, source: query.source, catalog: schema.catalog)
    }
    for (label, combination) in query.definition.combinations {
      var tree = PlanTree([])
      for (sql, facts) in zip(query.definition.plannedTexts(combination), facts) {
        let statement = PlannedStatement(sql: sql, connection: connection)
        let plan = try statement.plan()
        let nodes = plan.steps.map(PlanNode.init)
        tree.steps += PlanTree(plan).steps
        result.usedIndexes.formUnion(nodes.flatMap(\.accesses).compactMap(\.indexName))
        if !query.definition.isReadOnly {
          let fired = try statement.planWithTriggers()
          result.usedIndexes.formUnion(fired.indexes)
          result.firedTriggers.formUnion(fired.triggers)
        }
        let check = PlanCheck(
          statement: statement, nodes: nodes, facts: facts, objects: objects,
          isFirst: result.plans.isEmpty)
        for var finding in check.findings() where !result.findings.contains(sameAs: finding) {
          if !label.isEmpty { finding.notes.append("in the plan with \"\(label)\"") }
          result.findings.append(finding)
        }
      }
      result.plans.append(StatementPlan(combination: label, tree: tree))
    }
    return result
  }

  // MARK: Schema

  public func checkSchema(
    usedIndexes: Set<String>?, firedTriggers: Set<String>
  ) -> [SchemaFinding] {
    guard let connection else { return [] }
    let check = SchemaCheck(objects: objects, connection: connection)
    for name in firedTriggers where triggerFindings[name] == nil {
      triggerFindings[name] = check.statements(ofTrigger: name, schema.catalog)
    }
    return foreignKeyFindings
      + (usedIndexes.map(check.unusedIndexes) ?? [])
      + firedTriggers.sorted().flatMap { triggerFindings[$0] ?? [] }
  }
}

/// SQLite's message for a migration or for statistics.
private struct PlanFailure: Error, CustomStringConvertible {
  let description: String

  init(_ error: SQLiteError) { description = error.message }
}

extension [PlanFinding] {
  /// Returns whether another combination of the same query has the same finding.
  fileprivate func contains(sameAs finding: PlanFinding) -> Bool {
    contains {
      $0.rule == finding.rule && $0.span == finding.span && $0.message == finding.message
    }
  }
}

/// A statement whose plan is determined.
struct PlannedStatement {
  let sql: String
  let connection: Connection

  func plan() throws(SQLiteError) -> QueryPlan {
    try connection.queryPlan(for: SQL(unsafe: sql), values: [])
  }

  /// Returns the plan that SQLite would choose if an index existed.
  ///
  /// `DROP INDEX` would change SQLite's statistics, which fails if a foreign key refers to their table.
  ///
  /// - Parameter definition: The `CREATE INDEX` statement.
  func plan(withIndex definition: String) throws(SQLiteError) -> [PlanNode] {
    try connection.execute("SAVEPOINT candidate")
    defer { try? connection.execute("ROLLBACK TO candidate; RELEASE candidate") }
    try connection.execute(SQL(unsafe: definition))
    return try plan().steps.map(PlanNode.init)
  }

  /// Returns the lowercase names of the indexes in the plan, including those of triggers, and of the
  /// triggers.
  func planWithTriggers() throws(SQLiteError) -> (indexes: Set<String>, triggers: Set<String>) {
    try connection.setOption(.triggerQueryPlans, on: true)
    defer { try? connection.setOption(.triggerQueryPlans, on: false) }
    let steps = try plan().steps
    return (
      Set(steps.map(PlanNode.init).flatMap(\.accesses).compactMap(\.indexName)),
      Set(steps.flatMap(\.firedTriggers))
    )
  }
}

extension PlanNode.Access {
  /// The lowercase name of the index.
  var indexName: String? {
    if case .index(let name) = path { name.asciiLowercased } else { nil }
  }
}

extension PlanTree {
  fileprivate init(_ plan: QueryPlan) { self.init(plan.steps.map(Step.init)) }
}

extension PlanTree.Step {
  fileprivate init(_ step: QueryPlan.Step) {
    self.init(step.detail, step.children.map(PlanTree.Step.init))
  }
}

extension QueryPlan.Step {
  /// The lowercase names of the triggers whose plans are this step or its substeps.
  fileprivate var firedTriggers: [String] {
    let prefix = "-- TRIGGER "
    let own = detail.hasPrefix(prefix) ? [detail.dropFirst(prefix.count).asciiLowercased] : []
    return own + children.flatMap(\.firedTriggers)
  }
}

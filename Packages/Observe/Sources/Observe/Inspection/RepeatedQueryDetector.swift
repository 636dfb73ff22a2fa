@_spi(Observing) internal import SQLiteCore

/// Detects queries in loops, among the queries that one connection runs during an access.
final class RepeatedQueryDetector: Hooks.QueryObserver {
  /// The runs of one text.
  private struct Query {
    let sql: String
    /// The number and total duration of the runs while another query returned rows, or after it
    /// returned several.
    var runCount = 0
    var duration = Duration.zero
    /// A hash of the first run's values.
    var firstValues: Int?
    var hasDifferentValues = false
    /// The number of rows of all runs.
    var rowCount = 0
    /// The largest number of rows of one run.
    var maximumRowCount = 0
    /// The position of the last end of a run among all ends; 0 if no run has ended.
    var lastEnd = 0
    /// The index of the query whose rows are probably iterated.
    var outerQuery: Int?

    var returnsSeveralRows: Bool { maximumRowCount > 1 }
  }

  private struct Run {
    let id: Hooks.RunningQuery
    /// The query's index.
    let query: Int
    let start: ContinuousClock.Instant
    var isCounted: Bool
    var rowCount = 0
  }

  private let report: ([DatabaseObservation.RepeatedQuery]) -> Void
  /// The maximum number of texts. Further ones are ignored until the access ends.
  private let limit: Int
  private var queries: [Query] = []
  private var indexes: [String: Int] = [:]
  /// The running queries, in the order in which they began.
  private var runs: [Run] = []
  /// The run that ended last, if no other one has begun since.
  private var lastRun: Run?
  private var endCount = 0
  /// The number of queries of which a run has returned several rows.
  private var listCount = 0

  /// - Parameter report: Receives the repeated queries at the end of each access.
  init(limit: Int = 1_000, report: @escaping ([DatabaseObservation.RepeatedQuery]) -> Void) {
    self.limit = limit
    self.report = report
  }

  // MARK: Runs

  func didBegin(
    _ query: Hooks.RunningQuery, sql: String, hasParameters: Bool, expandedSQL: () -> String?
  ) {
    lastRun = nil
    guard let index = index(of: sql) else { return }
    let isCounted =
      listCount > (queries[index].returnsSeveralRows ? 1 : 0)
      || runs.contains { $0.query != index && $0.rowCount > 0 }
    if isCounted {
      queries[index].runCount += 1
      if hasParameters, !queries[index].hasDifferentValues, let values = expandedSQL()?.hashValue {
        if let first = queries[index].firstValues {
          queries[index].hasDifferentValues = values != first
        } else {
          queries[index].firstValues = values
        }
      }
      if queries[index].runCount > 1 { updateOuterQuery(of: index) }
    }
    runs.append(Run(id: query, query: index, start: .now, isCounted: isCounted))
  }

  func didReturnRow(_ query: Hooks.RunningQuery) {
    guard let run = runs.lastIndex(where: { $0.id == query }) ?? resumeLastRun(of: query) else {
      return
    }
    runs[run].rowCount += 1
    let index = runs[run].query
    queries[index].rowCount += 1
    guard runs[run].rowCount > queries[index].maximumRowCount else { return }
    queries[index].maximumRowCount = runs[run].rowCount
    if runs[run].rowCount == 2 { listCount += 1 }
  }

  func didEnd(_ query: Hooks.RunningQuery) {
    guard let position = runs.lastIndex(where: { $0.id == query }) else { return }
    let run = runs.remove(at: position)
    endCount += 1
    queries[run.query].lastEnd = endCount
    addDuration(of: run)
    lastRun = run
  }

  /// Continues a run that SQLite ended before its first row, to recompile the statement.
  private func resumeLastRun(of query: Hooks.RunningQuery) -> Int? {
    guard let run = lastRun, run.id == query, run.rowCount == 0 else { return nil }
    lastRun = nil
    runs.append(Run(id: run.id, query: run.query, start: .now, isCounted: run.isCounted))
    return runs.count - 1
  }

  private func addDuration(of run: Run) {
    if run.isCounted { queries[run.query].duration += run.start.duration(to: .now) }
  }

  private func index(of sql: String) -> Int? {
    if let index = indexes[sql] { return index }
    guard queries.count < limit, !Self.readsSchema(sql) else { return nil }
    indexes[sql] = queries.count
    queries.append(Query(sql: sql))
    return queries.count - 1
  }

  /// Returns whether a query reads SQLite's own tables, as SQLite also does to load the schema.
  private static func readsSchema(_ sql: String) -> Bool {
    let text = sql.lowercased()
    return ["pragma_", "sqlite_schema", "sqlite_master"].contains { text.contains($0) }
  }

  // MARK: Outer queries

  private func updateOuterQuery(of index: Int) {
    let count = queries[index].runCount
    if let outer = queries[index].outerQuery, queries[outer].maximumRowCount >= count {
      return
    }
    if let found = outerQuery(of: index, rowCount: count) { queries[index].outerQuery = found }
  }

  /// Returns the query whose rows are probably iterated by the runs of another one.
  private func outerQuery(of inner: Int, rowCount: Int) -> Int? {
    let running = runs.filter { $0.query != inner }
    if let run = running.last(where: { $0.rowCount >= rowCount }) { return run.query }
    func lastEnded(where isCandidate: (Query) -> Bool) -> Int? {
      queries.indices
        .filter { $0 != inner && queries[$0].lastEnd > 0 && isCandidate(queries[$0]) }
        .max { queries[$0].lastEnd < queries[$1].lastEnd }
    }
    if let ended = lastEnded(where: { $0.maximumRowCount >= rowCount }) { return ended }
    // The loop may be inside another one.
    if let ended = lastEnded(where: { $0.returnsSeveralRows && $0.rowCount >= rowCount }) {
      return ended
    }
    return running.last { $0.rowCount > 1 }?.query
  }

  // MARK: Accesses

  func accessDidEnd() {
    let repeated = takeRepeatedQueries()
    if !repeated.isEmpty { report(repeated) }
  }

  /// Returns the queries that ran more than once with different values, and begins a new list.
  func takeRepeatedQueries() -> [DatabaseObservation.RepeatedQuery] {
    if queries.isEmpty { return [] }
    for run in runs { addDuration(of: run) }
    defer {
      queries.removeAll(keepingCapacity: true)
      indexes.removeAll(keepingCapacity: true)
      runs.removeAll(keepingCapacity: true)
      (lastRun, endCount, listCount) = (nil, 0, 0)
    }
    return queries.compactMap { query in
      guard query.hasDifferentValues, let outer = query.outerQuery else { return nil }
      return DatabaseObservation.RepeatedQuery(
        sql: query.sql, count: query.runCount, duration: query.duration,
        outerSQL: queries[outer].sql)
    }
  }
}

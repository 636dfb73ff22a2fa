internal import SQLiteCore

/// What a statement writes whose changes nobody asks for, so that the engine does not report them.
final class UnwatchedRun {
  /// The tables, and what may be done to their rows.
  let tables: [(name: TableName, change: ChangeSet.TableChange)]
  /// What interest there was when that was found.
  let interest: UInt64

  init(_ tables: [(name: TableName, change: ChangeSet.TableChange)], at interest: UInt64) {
    self.tables = tables
    self.interest = interest
  }
}

/// The statements about which has been decided, as long as nobody's interest changes.
struct UnwatchedRuns {
  private var interest: UInt64 = 0
  /// `nil` for one whose changes are asked for.
  private var known: [Statement.ID: UnwatchedRun?] = [:]
  /// The last of them whose changes are not asked for: most runs follow one of the same statement.
  private var last: (statement: Statement.ID, run: UnwatchedRun)?

  /// Those of them that write a virtual table.
  private var virtual: Set<Statement.ID> = []

  func isVirtual(_ statement: Statement.ID) -> Bool { virtual.contains(statement) }

  /// What was decided about a statement; `nil` where nothing was yet.
  mutating func decision(on statement: Statement.ID, at interest: UInt64) -> UnwatchedRun?? {
    if interest != self.interest {
      self = UnwatchedRuns()
      self.interest = interest
      return nil
    }
    if let last, last.statement == statement { return last.run }
    let decision = known[statement]
    if case .some(let run?) = decision { last = (statement, run) }
    return decision
  }

  mutating func decide(on statement: Statement.ID, _ run: UnwatchedRun?, isVirtual: Bool) {
    if known.count > Self.maximumCount { forget() }
    if isVirtual { virtual.insert(statement) }
    known[statement] = .some(run)
    if let run { last = (statement, run) }
  }

  mutating func forget() {
    known = [:]
    virtual = []
    last = nil
  }

  private static let maximumCount = 1_000
}

extension ChangeSet.TableChange {
  /// What a statement may do to a table, as it is compiled.
  init(_ writes: Statement.Access.Writes) {
    if !writes.updates.isEmpty {
      self = .unknown
      return
    }
    var kinds: Kinds = []
    // A row that is inserted may displace another.
    if writes.inserts { kinds.formUnion([.insert, .delete]) }
    if writes.deletes { kinds.insert(.delete) }
    self.init(kinds: kinds)
  }
}

extension ChangeSet {
  /// Adds what statements may have done that were not watched.
  mutating func add(_ runs: [UnwatchedRun]) {
    for run in runs {
      for (table, change) in run.tables { merge(change, into: table) }
    }
  }
}

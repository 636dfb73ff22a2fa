internal import SQLiteCore

/// What a statement writes whose changes nobody asks for, so that the engine does not report them.
final class UnwatchedRun {
  /// The tables, and what may be done to their rows.
  let tables: [(name: TableName, change: TableChange)]
  /// What interest there was when that was found.
  let interest: UInt64

  init(_ tables: [(name: TableName, change: TableChange)], at interest: UInt64) {
    self.tables = tables
    self.interest = interest
  }
}

/// The statements about which has been decided, as long as nobody's interest changes.
struct UnwatchedRuns {
  private var interest: UInt64 = 0
  /// `nil` for one whose changes are asked for.
  private var known: [StatementNumber: UnwatchedRun?] = [:]
  /// The last of them whose changes are not asked for: most runs follow one of the same statement.
  private var last: (statement: StatementNumber, run: UnwatchedRun)?

  /// Those of them that write a virtual table.
  private var virtual: Set<StatementNumber> = []

  func isVirtual(_ statement: StatementNumber) -> Bool { virtual.contains(statement) }

  /// What was decided about a statement; `nil` where nothing was yet.
  mutating func decision(on statement: StatementNumber, at interest: UInt64) -> UnwatchedRun?? {
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

  mutating func decide(on statement: StatementNumber, _ run: UnwatchedRun?, isVirtual: Bool) {
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

extension TableChange {
  /// What a statement may do to a table, as it is compiled.
  init(_ writes: StatementAccess.Writes) {
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

internal import SQLiteCore

/// The writes of a statement whose changes are not observed, so that the engine does not report
/// them.
final class UnobservedWrite {
  /// The written tables, and the possible changes to their rows.
  let tables: [(name: TableName, change: ChangeSet.TableChange)]
  /// The interest generation at which this was determined.
  let interest: UInt64

  init(_ tables: [(name: TableName, change: ChangeSet.TableChange)], at interest: UInt64) {
    self.tables = tables
    self.interest = interest
  }
}

/// Caches which statements run without reports, until the interest generation changes.
struct UnobservedWriteCache {
  private var interest: UInt64 = 0
  /// `nil` for a statement whose changes are observed.
  private var decisions: [Statement.ID: UnobservedWrite?] = [:]
  /// The last statement whose changes are not observed: most runs repeat the previous statement.
  private var last: (statement: Statement.ID, write: UnobservedWrite)?

  /// The statements that write to a virtual table.
  private var virtual: Set<Statement.ID> = []

  func isVirtual(_ statement: Statement.ID) -> Bool { virtual.contains(statement) }

  /// Returns the cached decision about a statement, or `nil` if there is none.
  mutating func decision(on statement: Statement.ID, at interest: UInt64) -> UnobservedWrite?? {
    if interest != self.interest {
      self = UnobservedWriteCache()
      self.interest = interest
      return nil
    }
    if let last, last.statement == statement { return last.write }
    let decision = decisions[statement]
    if case .some(let write?) = decision { last = (statement, write) }
    return decision
  }

  mutating func decide(on statement: Statement.ID, _ write: UnobservedWrite?, isVirtual: Bool) {
    if decisions.count > Self.maximumCount { invalidate() }
    if isVirtual { virtual.insert(statement) }
    decisions[statement] = .some(write)
    if let write { last = (statement, write) }
  }

  mutating func invalidate() {
    decisions = [:]
    virtual = []
    last = nil
  }

  private static let maximumCount = 1_000
}

extension ChangeSet.TableChange {
  /// Creates the changes that a compiled statement may make to a table.
  init(_ writes: Statement.Access.Writes) {
    if !writes.updates.isEmpty {
      self = .unknown
      return
    }
    var kinds: Kinds = []
    // An inserted row may replace another one.
    if writes.inserts { kinds.formUnion([.insert, .delete]) }
    if writes.deletes { kinds.insert(.delete) }
    self.init(kinds: kinds)
  }
}

extension ChangeSet {
  /// Adds the possible changes of statements that were not reported.
  mutating func add(_ writes: [UnobservedWrite]) {
    for write in writes {
      for (table, change) in write.tables { merge(change, into: table) }
    }
  }
}

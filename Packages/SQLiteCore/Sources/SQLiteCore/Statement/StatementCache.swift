/// Compiled statements for reuse, by their text and by the literals that contain it.
///
/// A statement in use stays in the cache. If the same text is prepared again during the use, a
/// second statement is compiled, which is not cached.
final class StatementCache {
  private let capacity: Int
  private var entries: [ExactText: Statement] = [:]
  /// The same statements by literal. A literal's address identifies its text, and is faster to look
  /// up.
  private var entriesByLiteral: [LiteralAddress: Statement] = [:]
  /// The two most recently used statements, which are the most likely to be used next.
  private var last: Statement?
  private var secondLast: Statement?
  private var clock: UInt64 = 0
  private(set) var statistics = Connection.StatementCacheStatistics()

  init(capacity: Int) { self.capacity = capacity }

  func checkout(_ sql: String) -> Statement? {
    guard let found = find(sql), markCheckedOut(found) else {
      statistics.misses += 1
      return nil
    }
    return found
  }

  /// Returns the statement of a literal; `nil` if it is in use, or was not used with this literal
  /// before.
  func checkout(_ literal: StaticString) -> Statement? {
    guard let found = find(LiteralAddress(literal)), markCheckedOut(found) else { return nil }
    return found
  }

  private func markCheckedOut(_ found: Statement) -> Bool {
    if found.cacheState.isCheckedOut { return false }
    statistics.hits += 1
    found.cacheState.isCheckedOut = true
    if found !== last {
      secondLast = last
      last = found
    }
    return true
  }

  private func find(_ literal: LiteralAddress) -> Statement? {
    if let last, last.cacheState.literal == literal { return last }
    if let secondLast, secondLast.cacheState.literal == literal { return secondLast }
    guard let found = entriesByLiteral[literal] else { return nil }
    found.cacheState.literal = literal
    return found
  }

  private func find(_ sql: String) -> Statement? {
    if let last, last.sql.hasSameBytes(as: sql) { return last }
    if let secondLast, secondLast.sql.hasSameBytes(as: sql) { return secondLast }
    return entries[ExactText(sql)]
  }

  /// Returns a statement to the cache, reset and without bindings.
  func checkin(_ statement: Statement) {
    statement.clearValues()
    clock += 1
    statement.cacheState.stamp = clock
    statement.cacheState.isCheckedOut = false
    if !statement.cacheState.isCached { add(statement) }
    if let literal = statement.cacheState.literal, statement.cacheState.isCached,
      !statement.cacheState.literals.contains(literal)
    {
      entriesByLiteral[literal] = statement
      statement.cacheState.literals.append(literal)
    }
  }

  private func add(_ statement: Statement) {
    let key = ExactText(statement.sql)
    // A `PRAGMA` is recompiled at each run, so caching it has no benefit.
    guard capacity > 0, entries[key] == nil, !statement.access.outlastsRollback else { return }
    entries[key] = statement
    statement.cacheState.isCached = true
    guard entries.count > capacity,
      let oldest = entries.min(by: { $0.value.cacheState.stamp < $1.value.cacheState.stamp })
    else { return }
    entries[oldest.key] = nil
    for literal in oldest.value.cacheState.literals { entriesByLiteral[literal] = nil }
    oldest.value.cacheState.literals = []
    oldest.value.cacheState.isCached = false
    if last === oldest.value { last = nil }
    if secondLast === oldest.value { secondLast = nil }
  }

  func removeAll() {
    for statement in entries.values {
      statement.cacheState.isCached = false
      statement.cacheState.literals = []
    }
    entries.removeAll()
    entriesByLiteral.removeAll()
    last = nil
    secondLast = nil
  }
}

/// The cache's state of a statement.
struct StatementCacheState {
  /// A Boolean value that indicates whether the statement is in the cache.
  var isCached = false
  /// A Boolean value that indicates whether the statement is in use.
  var isCheckedOut = false
  /// The time of the last return to the cache, for LRU eviction.
  var stamp: UInt64 = 0
  /// The literal with which the statement was last looked up.
  var literal: LiteralAddress?
  /// The literals under which the statement is cached.
  var literals: [LiteralAddress] = []
}

extension Connection {
  /// The hits and misses of a statement cache.
  public struct StatementCacheStatistics: Hashable, Sendable {
    public internal(set) var hits = 0
    public internal(set) var misses = 0
  }
}

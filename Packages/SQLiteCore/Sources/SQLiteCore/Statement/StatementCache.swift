/// Compiled statements that wait for their next use, by their text and by the literals that spell it.
///
/// A statement that is lent out stays in its place: a second use of the same text meanwhile compiles
/// another, which is not kept.
final class StatementCache {
  /// A text, told apart by its bytes: Swift holds texts equal that SQL tells apart.
  private struct Key: Hashable {
    let sql: String

    static func == (a: Key, b: Key) -> Bool { a.sql.hasSameBytes(as: b.sql) }
  }

  private let capacity: Int
  private var entries: [Key: Statement] = [:]
  /// The same statements. A literal's address identifies its text, and is quicker to look up.
  private var entriesByLiteral: [LiteralAddress: Statement] = [:]
  /// The ones that were used last, which are asked for again more often than any other: alone, or in turn.
  private var last: Statement?
  private var lastButOne: Statement?
  private var clock: UInt64 = 0
  private(set) var statistics = Connection.StatementCacheStatistics()

  init(capacity: Int) { self.capacity = capacity }

  func take(_ sql: String) -> Statement? {
    guard let found = find(sql), lend(found) else {
      statistics.misses += 1
      return nil
    }
    return found
  }

  /// Takes the statement of a literal; `nil` if it was not found by this literal before.
  func take(_ literal: StaticString) -> Statement? {
    guard let found = find(LiteralAddress(literal)), lend(found) else { return nil }
    return found
  }

  private func lend(_ found: Statement) -> Bool {
    if found.cacheState.isLent { return false }
    statistics.hits += 1
    found.cacheState.isLent = true
    if found !== last {
      lastButOne = last
      last = found
    }
    return true
  }

  private func find(_ literal: LiteralAddress) -> Statement? {
    if let last, last.cacheState.literal == literal { return last }
    if let lastButOne, lastButOne.cacheState.literal == literal { return lastButOne }
    guard let found = entriesByLiteral[literal] else { return nil }
    found.cacheState.literal = literal
    return found
  }

  private func find(_ sql: String) -> Statement? {
    if let last, last.sql.hasSameBytes(as: sql) { return last }
    if let lastButOne, lastButOne.sql.hasSameBytes(as: sql) { return lastButOne }
    return entries[Key(sql: sql)]
  }

  /// Takes a statement back, reset and without values.
  func put(_ statement: Statement) {
    statement.clearValues()
    clock += 1
    statement.cacheState.stamp = clock
    statement.cacheState.isLent = false
    if !statement.cacheState.isCached { add(statement) }
    if let literal = statement.cacheState.literal, statement.cacheState.isCached,
      !statement.cacheState.literals.contains(literal)
    {
      entriesByLiteral[literal] = statement
      statement.cacheState.literals.append(literal)
    }
  }

  private func add(_ statement: Statement) {
    let key = Key(sql: statement.sql)
    // SQLite compiles a PRAGMA each time it runs: to keep it would gain nothing.
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
    if lastButOne === oldest.value { lastButOne = nil }
  }

  func removeAll() {
    for statement in entries.values {
      statement.cacheState.isCached = false
      statement.cacheState.literals = []
    }
    entries.removeAll()
    entriesByLiteral.removeAll()
    last = nil
    lastButOne = nil
  }
}

/// What the cache knows of a statement.
struct StatementCacheState {
  /// Whether the statement has a place in the cache.
  var isCached = false
  /// Whether it is in use now.
  var isLent = false
  /// When it was put back: the least recent goes first.
  var stamp: UInt64 = 0
  /// The literal that the statement was taken by last.
  var literal: LiteralAddress?
  /// The literals that the cache finds the statement by.
  var literals: [LiteralAddress] = []
}

extension Connection {
  /// How often the cache had what was asked of it.
  public struct StatementCacheStatistics: Hashable, Sendable {
    public internal(set) var hits = 0
    public internal(set) var misses = 0
  }
}

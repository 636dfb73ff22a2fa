/// Compiled statements that wait for their next use, by their text.
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
  /// The ones that were used last, which are asked for again more often than any other: alone, or in turn.
  private var last: Statement?
  private var lastButOne: Statement?
  private var clock: UInt64 = 0
  private(set) var statistics = StatementCacheStatistics()

  init(capacity: Int) { self.capacity = capacity }

  func take(_ sql: String) -> Statement? {
    guard let found = find(sql), !found.cacheState.isLent else {
      statistics.misses += 1
      return nil
    }
    statistics.hits += 1
    found.cacheState.isLent = true
    if found !== last {
      lastButOne = last
      last = found
    }
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
  }

  private func add(_ statement: Statement) {
    let key = Key(sql: statement.sql)
    // Such a pragma takes effect when it is compiled: a compiled one would do nothing.
    guard capacity > 0, entries[key] == nil, !statement.access.changesSettings else { return }
    entries[key] = statement
    statement.cacheState.isCached = true
    guard entries.count > capacity,
      let oldest = entries.min(by: { $0.value.cacheState.stamp < $1.value.cacheState.stamp })
    else { return }
    entries[oldest.key] = nil
    oldest.value.cacheState.isCached = false
    if last === oldest.value { last = nil }
    if lastButOne === oldest.value { lastButOne = nil }
  }

  func removeAll() {
    for statement in entries.values { statement.cacheState.isCached = false }
    entries.removeAll()
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
}

/// How often the cache had what was asked of it.
public struct StatementCacheStatistics: Hashable, Sendable {
  public internal(set) var hits = 0
  public internal(set) var misses = 0
}

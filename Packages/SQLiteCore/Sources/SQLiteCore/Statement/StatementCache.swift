/// Compiled statements that wait for their next use, by their text.
///
/// A statement that is in use is not in the cache: a second use of the same text compiles another.
final class StatementCache {
  private struct Entry {
    var statement: Statement
    /// When it was put back: the least recent goes first.
    var stamp: UInt64
  }

  /// A text, told apart by its bytes: Swift holds texts equal that SQL tells apart.
  private struct Key: Hashable {
    let sql: String

    static func == (a: Key, b: Key) -> Bool { a.sql.hasSameBytes(as: b.sql) }
  }

  private let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var clock: UInt64 = 0
  private(set) var statistics = StatementCacheStatistics()

  init(capacity: Int) { self.capacity = capacity }

  func take(_ sql: String) -> Statement? {
    guard let entry = entries.removeValue(forKey: Key(sql: sql)) else {
      statistics.misses += 1
      return nil
    }
    statistics.hits += 1
    return entry.statement
  }

  /// Takes a statement back, reset and without values.
  func put(_ statement: Statement) {
    statement.clearBindings()
    guard capacity > 0 else { return }
    clock += 1
    entries[Key(sql: statement.sql)] = Entry(statement: statement, stamp: clock)
    if entries.count > capacity, let oldest = entries.min(by: { $0.value.stamp < $1.value.stamp }) {
      entries[oldest.key] = nil
    }
  }

  func removeAll() { entries.removeAll() }
}

/// How often the cache had what was asked of it.
public struct StatementCacheStatistics: Hashable, Sendable {
  public internal(set) var hits = 0
  public internal(set) var misses = 0
}

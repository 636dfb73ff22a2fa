internal import SQLiteCore
internal import Primitives

/// What tells one schema of a database from another.
struct SchemaVersion: Hashable, Sendable {
  /// What SQLite counts up at each change.
  var number: Int
  /// Of which generation it is: another database may have been put in the place of one, or a transaction rolled back,
  /// and the number be the same.
  var generation: UInt64
}

extension Connection {
  /// The number of a database's schema: see ``SchemaVersion``.
  ///
  /// - Parameter schema: The database, as the connection calls it; `nil` for `main`.
  func schemaNumber(of schema: String? = nil) throws(SQLiteError) -> Int? {
    guard let schema else { return try value(Int.self, "PRAGMA main.schema_version") }
    return try value(Int.self, "PRAGMA \(identifier: schema).schema_version")
  }
}

/// The texts of routes by their shapes, and what is known of tables: of one version of the schema.
final class StatementCache: Sendable {
  private struct State {
    var version: SchemaVersion?
    var texts: [RouteShape: StatementText] = [:]
    /// The one that was asked for last: most routes are run many times on end, and comparing costs less than hashing.
    var last: (shape: RouteShape, text: StatementText)?
    var tables: [DatabaseRoute.Table: TableFacts] = [:]
    /// What is known of other files than that of `main`.
    var attached: [AttachedFile: StatementCache] = [:]
    var misses = 0

    mutating func enter(_ version: SchemaVersion) {
      guard version != self.version else { return }
      self.version = version
      last = nil
      texts = [:]
      tables = [:]
    }
  }

  /// A file that some connections have attached under a name.
  struct AttachedFile: Hashable {
    let schema: String
    let path: String
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int = 256) { self.capacity = capacity }

  /// How many texts are kept, and how many were made.
  var statistics: (count: Int, made: Int) {
    state.withLock { ($0.texts.count, $0.misses) }
  }

  func text(of shape: RouteShape, _ version: SchemaVersion) -> StatementText? {
    state.withLock { state in
      state.enter(version)
      if let last = state.last, last.shape == shape { return last.text }
      guard let index = state.texts.index(forKey: shape) else { return nil }
      // Its own shape, which keeps no value of a user's alive.
      state.last = (state.texts[index].key, state.texts[index].value)
      return state.texts[index].value
    }
  }

  func keep(_ text: StatementText, of shape: RouteShape, _ version: SchemaVersion) {
    let shape = shape.withoutValues
    state.withLock { state in
      state.enter(version)
      state.misses += 1
      // Shapes that are not used again make room for all others at once.
      if state.texts.count >= capacity { state.texts = [:] }
      state.texts[shape] = text
      state.last = (shape, text)
    }
  }

  func facts(of table: DatabaseRoute.Table, _ version: SchemaVersion) -> TableFacts? {
    state.withLock { state in
      state.enter(version)
      return state.tables[table]
    }
  }

  func keep(_ facts: TableFacts, for table: DatabaseRoute.Table, _ version: SchemaVersion) {
    state.withLock { state in
      state.enter(version)
      if state.tables.count >= capacity { state.tables = [:] }
      state.tables[table] = facts
    }
  }

  /// What is kept for an attached file, whose schema has a version of its own.
  func cache(for file: AttachedFile) -> StatementCache {
    state.withLock { state in
      if let known = state.attached[file] { return known }
      if state.attached.count >= 16 { state.attached = [:] }
      let made = StatementCache(capacity: capacity)
      state.attached[file] = made
      return made
    }
  }
}

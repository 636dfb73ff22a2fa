public import SQLiteCore
internal import Primitives

/// Identifies a version of a database's schema.
public struct SchemaVersion: Hashable, Sendable {
  /// A number that changes with the schema; for SQLite, its schema version, which increases with each change.
  public var number: Int
  /// The generation, which distinguishes equal numbers: for SQLite, after the file was replaced or a transaction was
  /// rolled back.
  public var generation: UInt64

  public init(number: Int, generation: UInt64 = 0) {
    self.number = number
    self.generation = generation
  }
}

/// Caches SQL by the shapes of routes, and table schemas, for one version of the schema.
public final class StatementCache: Sendable {
  private struct State {
    var version: SchemaVersion?
    var texts: [RouteShape: StatementText] = [:]
    /// The last used text: most routes run many times in a row, and comparing is cheaper than hashing.
    var last: (shape: RouteShape, text: StatementText)?
    var tables: [DatabaseRoute.Table: TableSchema] = [:]
    var isUTF8: Bool?
    /// The caches of attached files.
    var attached: [AttachedFile: StatementCache] = [:]
    var misses = 0

    mutating func update(to version: SchemaVersion) {
      guard version != self.version else { return }
      self.version = version
      last = nil
      texts = [:]
      tables = [:]
      isUTF8 = nil
    }
  }

  /// A file that is attached under a name.
  struct AttachedFile: Hashable {
    let schema: String
    let path: String
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// Creates a cache.
  ///
  /// - Parameter capacity: The maximum number of statements.
  public init(capacity: Int = 256) { self.capacity = capacity }

  /// The number of cached statements, and the number of generated statements.
  var statistics: (count: Int, misses: Int) {
    state.withLock { ($0.texts.count, $0.misses) }
  }

  func text(of shape: RouteShape, _ version: SchemaVersion) -> StatementText? {
    state.withLock { state in
      state.update(to: version)
      if let last = state.last, last.shape == shape { return last.text }
      guard let index = state.texts.index(forKey: shape) else { return nil }
      // The cached key, which contains no values of the user.
      state.last = (state.texts[index].key, state.texts[index].value)
      return state.texts[index].value
    }
  }

  func store(_ text: StatementText, of shape: RouteShape, _ version: SchemaVersion) {
    let shape = shape.withoutValues
    state.withLock { state in
      state.update(to: version)
      state.misses += 1
      // When the cache is full, it is cleared: the shapes in use are added again.
      if state.texts.count >= capacity { state.texts = [:] }
      state.texts[shape] = text
      state.last = (shape, text)
    }
  }

  /// Returns a table of this version of the schema, if it was stored.
  public func table(_ table: DatabaseRoute.Table, _ version: SchemaVersion) -> TableSchema? {
    state.withLock { state in
      state.update(to: version)
      return state.tables[table]
    }
  }

  /// Stores a table of a version of the schema.
  public func store(_ schema: TableSchema, for table: DatabaseRoute.Table, _ version: SchemaVersion)
  {
    state.withLock { state in
      state.update(to: version)
      if state.tables.count >= capacity { state.tables = [:] }
      state.tables[table] = schema
    }
  }

  /// Returns whether the database encodes text as UTF-8; `nil` if it is not known yet.
  func isUTF8(_ version: SchemaVersion) -> Bool? {
    state.withLock { state in
      state.update(to: version)
      return state.isUTF8
    }
  }

  func store(isUTF8: Bool, _ version: SchemaVersion) {
    state.withLock { state in
      state.update(to: version)
      state.isUTF8 = isUTF8
    }
  }

  /// Returns the cache for an attached file, whose schema has its own version.
  func cache(for file: AttachedFile) -> StatementCache {
    state.withLock { state in
      if let known = state.attached[file] { return known }
      if state.attached.count >= 16 { state.attached = [:] }
      let created = StatementCache(capacity: capacity)
      state.attached[file] = created
      return created
    }
  }
}

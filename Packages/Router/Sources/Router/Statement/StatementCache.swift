internal import Synchronization

/// The texts of routes by their shapes, and what is known of tables: of one version of the schema.
final class StatementCache: Sendable {
  private struct State {
    var version = -1
    var texts: [RouteShape: StatementText] = [:]
    var tables: [TableName: TableFacts] = [:]
    var misses = 0

    mutating func enter(_ version: Int) {
      guard version != self.version else { return }
      self.version = version
      texts = [:]
      tables = [:]
    }
  }

  private struct TableName: Hashable {
    let name: String

    static func == (a: Self, b: Self) -> Bool { a.name.isSameName(as: b.name) }
    func hash(into hasher: inout Hasher) { name.hashName(into: &hasher) }
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int = 256) { self.capacity = capacity }

  /// How many texts are kept, and how many were made.
  var statistics: (count: Int, made: Int) {
    state.withLock { ($0.texts.count, $0.misses) }
  }

  func text(of shape: RouteShape, _ version: Int) -> StatementText? {
    state.withLock { state in
      state.enter(version)
      return state.texts[shape]
    }
  }

  func keep(_ text: StatementText, of shape: RouteShape, _ version: Int) {
    let shape = shape.withoutValues
    state.withLock { state in
      state.enter(version)
      state.misses += 1
      // Shapes that are not used again make room for all others at once.
      if state.texts.count >= capacity { state.texts = [:] }
      state.texts[shape] = text
    }
  }

  func facts(of name: String, _ version: Int) -> TableFacts? {
    state.withLock { state in
      state.enter(version)
      return state.tables[TableName(name: name)]
    }
  }

  func keep(_ facts: TableFacts, for name: String, _ version: Int) {
    state.withLock { state in
      state.enter(version)
      if state.tables.count >= capacity { state.tables = [:] }
      state.tables[TableName(name: name)] = facts
    }
  }
}

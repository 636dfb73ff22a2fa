import Dispatch
import Observe
import SQLiteCore
import Primitives
import Testing

@testable import Relations

final class Draft: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Draft"
    var id = 0
    var title = ""
    var version = 0
    var binder = OneRelation<Binder>()
    static var versionColumn: String? { "version" }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

final class Binder: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Binder"
    var id = 0
    var name = ""
    var drafts = ManyRelation<Draft>(\.binder)
    var others = ManyRelation<Draft>()
    var held = ManyRelation<Draft>(\.binder, orderedBy: "held(title)")
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var drafts: ManyRelation<Draft> { value.drafts }
}

@Suite struct `Rows that are read concurrently` {
  private func binders(_ session: ModelSession) async throws -> (Binder, Binder, Draft) {
    try await session.prepare([Binder.Value.self, Draft.Value.self])
    try await session.database.write { connection in
      try connection.execute(
        """
        INSERT INTO Binder (id, name) VALUES (1, 'a'), (2, 'b');
        INSERT INTO Draft (id, title, version, binder) VALUES (1, 'x', 1, 1);
        INSERT INTO Binder_others VALUES (1, 10, 1)
        """)
    }
    return (try await Binder.fetchId(1), try await Binder.fetchId(2), try await Draft.fetchId(1))
  }

  @Test func `set no relation of an instance with changes through their list`() async throws {
    try await withSession { session in
      let (_, second, draft) = try await binders(session)
      draft.value.title = "mine"
      try await session.database.write {
        try $0.run("UPDATE Draft SET binder = 2, version = 2")
      }
      try await second.drafts.fetch()
      #expect(draft.value.binder.key == 1)
      #expect(!draft.value.binder.isChanged)
      #expect(second.drafts.items.isEmpty)
      try await [second].fetchAll(\.drafts)
      #expect(draft.value.binder.key == 1)
      #expect(!draft.value.binder.isChanged)
      #expect(second.drafts.items.isEmpty)
      await #expect(throws: RelationError.self) { try await session.save(draft) }
    }
  }

  /// Blocks a reader in the middle of a read.
  private final class Gate: Sendable {
    private let isArmed = Mutex(false)
    private let opened = DispatchSemaphore(value: 0)
    private let (entered, enter) = AsyncStream<Void>.makeStream()

    var configuration: Configuration {
      var configuration = Configuration()
      configuration.prepare = { connection in
        try connection.register("held", argumentCount: 1, options: .innocuous) { arguments in
          let waits = self.isArmed.withLock { isArmed in
            defer { isArmed = false }
            return isArmed
          }
          if waits {
            self.enter.yield()
            self.opened.wait()
          }
          return arguments[0]
        }
      }
      return configuration
    }

    func arm() { isArmed.withLock { $0 = true } }
    func open() { opened.signal() }
    func wait() async { for await _ in entered { break } }
  }

  @Test(arguments: [true, false])
  func `revert no change saved since the read began`(isList: Bool) async throws {
    let gate = Gate()
    let file = try TemporaryFile()
    let session = ModelSession(
      try Database(path: file.path, configuration: gate.configuration), saveDelay: .zero)
    try await session.use {
      let (binder, _, draft) = try await binders(session)
      let query = RelationQuery<Draft>("ORDER BY held(title)")
      gate.arm()
      async let reading: Void = isList ? binder.value.held.fetch() : query.fetchItems()
      await gate.wait()
      draft.value.title = "newer"
      try await session.save(draft)
      gate.open()
      try await reading
      let items = isList ? binder.value.held.items : query.items
      #expect(items.first === draft)
      #expect(draft.value.title == "newer")
      #expect(!session.identities(of: Draft.self).changedModels().contains { $0 === draft })
    }
  }
}

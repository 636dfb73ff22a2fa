import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A database context` {
  @Test func `that reads and writes provides both`() async throws {
    let database = try Database.inMemory()
    let context = DatabaseContext.readWrite { database }
    #expect(try context.writer === database)
    #expect(try context.reader === database)
  }

  @Test func `that is not connected provides neither`() {
    let context = DatabaseContext.notConnected
    #expect(throws: DatabaseContextError.notConnected) { try context.reader }
    #expect(throws: DatabaseContextError.notConnected) { try context.writer }
  }

  @Test func `runs its closure once, and rethrows its error at each access`() {
    let calls = Counter()
    let context = DatabaseContext.readWrite {
      calls.add()
      throw Broken()
    }
    for _ in 0..<2 {
      #expect(throws: Broken.self) { try context.reader }
      #expect(throws: Broken.self) { try context.writer }
    }
    #expect(calls.value == 1)
  }

  @Test func `that is read-only provides no writer, even if its database is writable`() throws {
    let database = try Database.inMemory()
    let context = DatabaseContext.readOnly { database }
    #expect(throws: DatabaseContextError.readOnly) { try context.writer }
    #expect(!(try context.reader is any DatabaseWriter))
  }

  @Test func `that is read-only and failed to open rethrows only for reads`() {
    let context = DatabaseContext.readOnly { throw Broken() }
    #expect(throws: Broken.self) { try context.reader }
    #expect(throws: DatabaseContextError.readOnly) { try context.writer }
  }

  @Test(arguments: Store.allCases)
  func `that is read-only can't write by SQL`(_ store: Store) async throws {
    try await withDatabase(store, playerSchema) { database in
      let reader = try DatabaseContext.readOnly { database }.reader
      let error = await #expect(throws: SQLiteError.self) {
        try await reader.read { try $0.run("DELETE FROM player").count }
      }
      #expect(error?.code.primary == .readOnly)
      #expect(
        try await reader.read { try $0.value(Int.self, "SELECT count(*) FROM player") } == 3)
    }
  }

  @MainActor @Test func `is identified by its database`() throws {
    let (a, b) = (try Database.inMemory(), try Database.inMemory())
    func identity(_ context: Any) -> DatabaseContext.Identity {
      DatabaseContext.Identity(of: context)
    }
    #expect(
      identity(DatabaseContext.readOnly { a }) == identity(DatabaseContext.readOnly { a.readOnly }))
    #expect(identity(DatabaseContext.readOnly { a }) == identity(a))
    #expect(identity(DatabaseContext.readOnly { a }) != identity(DatabaseContext.readOnly { b }))
    #expect(identity(DatabaseContext.notConnected) == identity(DatabaseContext.notConnected))
    #expect(identity(DatabaseContext.notConnected) != identity(a))
  }

  @MainActor @Test func `of any other type is identified by its stored properties`() throws {
    struct Manager { let writer: any DatabaseWriter }
    struct Empty {}
    struct Named: IdentifiedContext {
      var name: String
      var contextIdentity: DatabaseContext.Identity { DatabaseContext.Identity(name) }
    }
    final class Object {}
    let (a, b, object) = (try Database.inMemory(), try Database.inMemory(), Object())
    func identity(_ context: Any) -> DatabaseContext.Identity {
      DatabaseContext.Identity(of: context)
    }
    #expect(identity(Manager(writer: a)) == identity(Manager(writer: a)))
    #expect(identity(Manager(writer: a)) != identity(Manager(writer: b)))
    #expect(identity(Named(name: "a")) != identity(Named(name: "b")))
    #expect(identity(object) == identity(object))
    #expect(identity(object) != identity(Object()))
    #expect(identity(5) != identity(6))
    #expect(identity(()).isCertain)
    #expect(!identity(Empty()).isCertain)
  }
}

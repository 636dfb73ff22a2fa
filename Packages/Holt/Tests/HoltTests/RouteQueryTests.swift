import Holt
import Testing

@Suite struct `A route as an injected query` {
  struct TodoList {
    let all: any DatabaseQuery<Void, [Todo]>
    let find: any DatabaseQuery<Int, Todo?>
    let get: any DatabaseQuery<Int, Todo>
    let save: any DatabaseQuery<Todo, Todo>
    let delete: any DatabaseQuery<Int, Int>

    init(_ router: DatabaseRouter<Routes>) {
      all = router.query(.todos(.fetch))
      find = router.query { .todos(.fetchOne(id: $0)) }
      get = router.query { .todos(.fetchOne(id: $0)) }
      save = router.query { .todos(.save($0)) }
      delete = router.writeQuery { .todos(.delete(id: $0)) }
    }
  }

  @Test func `returns what the router returns, with the output's row count`() async throws {
    let list = TodoList(DatabaseRouter(try TodoDatabase.make(.milk)))
    #expect(try await list.save.execute(.bread) == .bread)
    #expect(try await list.all.execute() == [.milk, .bread])
    #expect(try await list.find.execute(2) == .bread)
    #expect(try await list.find.execute(3) == nil)
    #expect(try await list.get.execute(1) == .milk)
    let error = await #expect(throws: RouterError.self) { try await list.get.execute(3) }
    #expect(error?.code == .notFound)
    #expect(try await list.delete.execute(2) == 1)
    #expect(try await list.delete.execute(2) == 0)
  }

  @Test func `several inputs run together, all or none`() async throws {
    let database = try TodoDatabase.make(.milk)
    let list = TodoList(DatabaseRouter(database))
    #expect(try await list.save.execute(many: [.bread, Todo(id: 3, name: "Tea")]).count == 2)
    #expect(try await list.find.execute(many: [3, 9]) == [Todo(id: 3, name: "Tea"), nil])
    await #expect(throws: RouterError.self) { try await list.get.execute(many: [1, 9]) }
    try await database.write {
      try $0.execute(
        "CREATE TRIGGER t BEFORE DELETE ON todos WHEN old.id = 2 "
          + "BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    let refused = await #expect(throws: RouterError.self) {
      try await list.delete.execute(many: [1, 2])
    }
    #expect(refused?.constraint?.kind == .other && refused?.message == "no")
    #expect(try await list.all.execute().count == 3)
    #expect(try await list.delete.execute(many: [1, 3]) == [1, 1])
  }

  @Test func `a value that can't be decoded rolls back all writes`() async throws {
    struct Wrong: Codable, Hashable, Sendable { var due: Int }
    let database = try TodoDatabase.make(.milk)
    let router = DatabaseRouter<Routes>(database)
    let save: any DatabaseQuery<Todo, Wrong> = router.query { .todos(.save($0)) }
    await #expect(throws: (any Error).self) { try await save.execute(many: [.bread]) }
    let names = try await database.read { try $0.values(String.self, "SELECT name FROM todos") }
    #expect(names == ["Milk"])
  }

  @Test func `overrides, scopes and the log apply to it`() async throws {
    var router = DatabaseRouter<Routes>(try TodoDatabase.make(.milk))
    let log = RouteLog()
    router.log = log
    router.override(\.todos.fetchOne) { .value(Todo(id: $0, name: "Override")) }
    let list = TodoList(router)
    #expect(try await list.get.execute(5) == Todo(id: 5, name: "Override"))
    #expect(try await list.get.execute(many: [6]) == [Todo(id: 6, name: "Override")])
    try await router.withOverrides([.case(\.todos.fetch, with: [Todo.bread])]) {
      () async throws -> Void in
      #expect(try await list.all.execute() == [.bread])
    }
    #expect(try await list.all.execute() == [.milk])
    #expect(
      log.calls.map(\.name) == [
        "todos.fetchOne", "todos.fetchOne", "todos.fetch", "todos.fetch",
      ])
  }

  @Test func `is updated on commits if it is observed`() async throws {
    let database = try TodoDatabase.make(.milk)
    let list = TodoList(DatabaseRouter(database))
    var todos = list.all.observe().makeAsyncIterator()
    var bread = list.find.observe(2).makeAsyncIterator()
    #expect(try await todos.next() == [.milk])
    #expect(try await bread.next() == .some(nil))
    try await list.save.execute(.bread)
    #expect(try await todos.next() == [.milk, .bread])
    #expect(try await bread.next() == .bread)
  }

  @Test func `a route that writes runs once when it is observed`() async throws {
    let list = TodoList(DatabaseRouter(try TodoDatabase.make(.milk, .bread)))
    var counts: [Int] = []
    for try await count in list.delete.observe(2) { counts.append(count) }
    #expect(counts == [1])
    #expect(try await list.all.execute() == [.milk])
  }

  @Test func `belongs to no collection if the router has none`() async throws {
    let router = GeneralRouter(try TodoDatabase.make(.milk))
    let find: any DatabaseQuery<Int, Todo?> = router.query { .fetchOne(id: $0, from: "todos") }
    let save: any DatabaseQuery<Todo, Todo> = router.query { try .upsert($0, in: "todos") }
    let all: any DatabaseQuery<Void, [Todo]> = router.query(.fetch(from: "todos"))
    let delete: any DatabaseQuery<Int, Int> = router.writeQuery { .delete(id: $0, from: "todos") }
    #expect(try await save.execute(.bread) == .bread)
    #expect(try await find.execute(many: [1, 2, 3]) == [.milk, .bread, nil])
    #expect(try await delete.execute(1) == 1)
    var todos = all.observe().makeAsyncIterator()
    #expect(try await todos.next() == [.bread])
  }

  @Test func `without a collection, overrides, scopes and the log also apply`() async throws {
    var router = GeneralRouter(try TodoDatabase.make(.milk))
    let log = RouteLog()
    router.log = log
    router.override(.method(.fetchOne, with: Todo.bread))
    let get: any DatabaseQuery<Int, Todo> = router.query { .fetchOne(id: $0, from: "todos") }
    let all: any DatabaseQuery<Void, [Todo]> = router.query(.fetch(from: "todos"))
    #expect(try await get.execute(1) == .bread)
    #expect(try await get.execute(many: [1]) == [.bread])
    var observed = get.observe(1).makeAsyncIterator()
    #expect(try await observed.next() == .bread)
    try await router.withOverrides([.method(.fetch, with: [Todo.bread])]) {
      () async throws -> Void in
      #expect(try await all.execute() == [.bread])
    }
    #expect(try await all.execute() == [.milk])
    #expect(log.calls.map(\.route?.method) == [.fetchOne, .fetchOne, .fetchOne, .fetch, .fetch])
  }

  @Test func `an error while creating the route is the query's error`() async throws {
    let router = GeneralRouter(try TodoDatabase.make(.milk))
    let save: any DatabaseQuery<Todo, Todo> = router.query { _ in throw Offline() }
    await #expect(throws: Offline.self) { try await save.execute(.bread) }
    await #expect(throws: Offline.self) { try await save.execute(many: [.bread]) }
    await #expect(throws: Offline.self) { for try await _ in save.observe(.bread) {} }
  }

  @Test func `can take no input and return exactly one row`() async throws {
    let database = try TodoDatabase.make(.milk, .bread)
    let count: any DatabaseQuery<Void, Int> = GeneralRouter(database).query(.count(from: "todos"))
    #expect(try await count.execute() == 2)
    let first: any DatabaseQuery<Void, Todo> =
      DatabaseRouter<Routes>(database).query(.todos(.fetchOne(id: 1)))
    #expect(try await first.execute() == .milk)
    let none: any DatabaseQuery<Void, Todo?> =
      DatabaseRouter<Routes>(database).query(.todos(.fetchOne(id: 9)))
    #expect(try await none.execute() == nil)
  }
}

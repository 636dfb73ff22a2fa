import Holt
import Testing

@MainActor struct Dashboard {
  @Query(.todos(.fetch), in: \.router) var todos: [Todo]
  @Query(\DB.allPlayers) var players: [Player]
  @Query(\DB.playersOf, with: 1) var reds: [Player]
  @Query(\DB.countPlayers) var count: Int?
}

struct TodoList {
  let all: any DatabaseQuery<Void, [Todo]>
  let find: any DatabaseQuery<Int, Todo?>
  let delete: any DatabaseQuery<Int, Int>
}

enum TeamRoute: RouteCollection {
  case players(team: Int)
  case rename(id: Int, name: String)

  func route() async throws -> DatabaseRoute {
    switch self {
    case .players(let team): try .query(\DB.playersOf, with: team, on: "player")
    case .rename(let id, let name): try .update(id: id, in: "team", with: ["name": name])
    }
  }
}

/// The samples of the package's README.
@Suite struct `The README of Holt` {
  @Test func `has a provider as a router's database`() async throws {
    try await TestedProvider.json.withTodos { provider, path in
      try await provider.closeSource()
      let todo = Todo.bread
      do {
        let provider = JSONProvider()
        try await provider.openSource(atPath: path)
        let router = DatabaseRouter<Routes>(provider)
        let saved: Todo = try await router(.todos(.save(todo)))
        for try await todos: [Todo] in router.observe(.todos(.fetch)) {
          print("\(todos.count) todos, the last one \(saved.name)")
          break
        }
        try await provider.persist()
        #expect(saved == todo)
        try await provider.closeSource()
      }
      try await provider.openSource(atPath: path)
      let names = try await provider.query("SELECT name FROM todos ORDER BY id").map { $0["name"] }
      #expect(names == [.text("Milk"), .text("Bread")])
    }
  }

  @Test @MainActor func `has routes and generated queries in properties`() async throws {
    let db = try DB()
    let team = try await db.addTeam.execute("Reds")
    let ann = try await db.addPlayer.execute(team: team, name: "Ann", score: 1)
    var router = DatabaseRouter<Routes>(db.database)
    router.override(\.todos.fetch, with: [Todo.milk])
    let dashboard = QueryEnvironment.with(\.router, router) {
      QueryEnvironment.with(\.databaseContext, .readOnly { db.database }) { Dashboard() }
    }
    var todos = dashboard.$todos.values.makeAsyncIterator()
    var reds = dashboard.$reds.values.makeAsyncIterator()
    #expect(await todos.next(isolation: MainActor.shared) == [.milk])
    #expect(await reds.next(isolation: MainActor.shared) == [ann])
  }

  @Test func `has injected routes, and generated queries as routes`() async throws {
    let router = DatabaseRouter<Routes>(try TodoDatabase.make(.milk))
    let list = TodoList(
      all: router.query(.todos(.fetch)),
      find: router.query { .todos(.fetchOne(id: $0)) },
      delete: router.writeQuery { .todos(.delete(id: $0)) })
    let preview = TodoList(
      all: Queries.Just([.milk]), find: Queries.Just(nil), delete: Queries.Fail(Offline()))
    #expect(try await list.all.execute() == preview.all.execute())

    let db = try DB()
    let team = try await db.addTeam.execute("Reds")
    let ann = try await db.addPlayer.execute(team: team, name: "Ann", score: 1)
    let teams = DatabaseRouter<TeamRoute>(db.database)
    try await teams(.rename(id: team, name: "Blues"))
    #expect(try await teams(.players(team: team)) == [ann])
  }

  @Test func `has models of generated tables`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("albums.sqlite")
    let db = try DB(path: path)
    try await ModelSession(db).use {
      let albums = try await AlbumModel.fetchQuery("ORDER BY title")
      try await albums.fetchAll(\.tracks)
      for album in albums { print(album.value.title, album.tracks.items.count) }
    }
    db.database.close()
  }
}

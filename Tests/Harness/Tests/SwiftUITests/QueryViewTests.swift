@testable import Observe
import SQLiteCore
import SwiftUI
import Testing

func makeDatabase(_ names: [String]) throws -> Database {
  let database = try Database.inMemory()
  try database.write { db in
    try db.execute(
      "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL)")
    for (index, name) in names.enumerated() {
      try db.run("INSERT INTO player (name, score) VALUES (?, ?)", name, 10 - index)
    }
  }
  return database
}

struct NamesRequest: ValueObservationQueryable {
  var prefix = ""

  static var defaultValue: [String] { ["?"] }

  func fetch(_ db: Connection) throws -> [String] {
    try db.values(
      String.self, "SELECT name FROM player WHERE name LIKE ? || '%' ORDER BY name", prefix)
  }
}

struct NamesView: View {
  @Query<NamesRequest> var names: [String]

  init(_ names: Query<NamesRequest>) { _names = names }

  var body: some View {
    HStack {
      Text(names.joined(separator: " "))
      Button("A") { $names.prefix.wrappedValue = "A" }
      Text($names.error.map { "\($0)" } ?? "")
    }
  }
}

/// A value that a view receives from its parent.
@MainActor final class ValueBox<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}

extension Host {
  /// Renders after each change until the first line is the given text.
  func shows(_ text: String) async {
    while render().first != text { await change() }
  }
}

@MainActor @Suite struct `Queries in views` {
  @Test func `show the default, then each value`() async throws {
    let database = try makeDatabase(["Ada", "Bob"])
    let host = Host { NamesView(Query(NamesRequest())).databaseContext(.readOnly { database }) }
    #expect(host.render().first == "?")
    await host.shows("Ada Bob")
    try await database.write { try $0.run("DELETE FROM player WHERE name = 'Ada'") }
    await host.shows("Bob")
  }

  @Test func `show the same as the seed's samples`() async throws {
    let repository = PlayerRepository(try makeDatabase(["Ada", "Bob"]))
    let host = Host {
      HStack {
        PlayerList()
        ShortPlayerList()
        DeletePlayersButton()
      }.playerRepository(repository)
    }
    while host.render() != ["Ada", "10 points", "Bob", "9 points", "2 players", "Delete Players"] {
      await host.change()
    }
    host.press("Delete Players")
    while host.render() != ["0 players", "Delete Players"] { await host.change() }
    _ = MyApp().body
  }

  @Test func `change to another database with the environment`() async throws {
    let given = ValueBox(try makeDatabase(["Ada"]))
    let host = Host {
      NamesView(Query(NamesRequest())).databaseContext(.readOnly { given.value })
    }
    await host.shows("Ada")
    given.value = try makeDatabase(["Zoe"])
    await host.shows("Zoe")
  }

  @Test func `without a database show an error`() {
    let host = Host { NamesView(Query(NamesRequest())) }
    #expect(host.render().last == "\(DatabaseContextError.notConnected)")
  }

  @Test func `with an initial request are changed by their bindings, and not by their parent`()
    async throws
  {
    let database = try makeDatabase(["Ada", "Bob"])
    let given = ValueBox(NamesRequest(prefix: "B"))
    let host = Host {
      NamesView(Query(given.value)).databaseContext(.readOnly { database })
    }
    await host.shows("Bob")
    host.press("A")
    await host.shows("Ada")
    given.value.prefix = "C"
    #expect(host.render().first == "Ada")
  }

  @Test func `with a constant request are changed by their parent, and not by their bindings`()
    async throws
  {
    let database = try makeDatabase(["Ada", "Bob"])
    let given = ValueBox(NamesRequest(prefix: "B"))
    let host = Host {
      NamesView(Query(constant: given.value))
        .databaseContext(.readOnly { database })
    }
    await host.shows("Bob")
    host.press("A")
    #expect(host.render().last == "\(QueryError.requestIsConstant)")
    given.value.prefix = "A"
    await host.shows("Ada")
    #expect(host.render().last == "")
  }

  @Test func `with a bound request are changed by both`() async throws {
    struct Parent: View {
      @State private var request = NamesRequest(prefix: "B")

      init() {}

      var body: some View {
        HStack {
          NamesView(Query($request))
          Button("B") { request.prefix = "B" }
        }
      }
    }
    let database = try makeDatabase(["Ada", "Bob"])
    let host = Host { Parent().databaseContext(.readOnly { database }) }
    await host.shows("Bob")
    host.press("A")
    await host.shows("Ada")
    host.press("B")
    await host.shows("Bob")
  }

  @Test(arguments: [QueryObservation.always, .onRender, .onAppear])
  func `are observed while their view requires it`(_ observation: QueryObservation) async throws {
    let database = try makeDatabase(["Ada"])
    let host = Host {
      NamesView(Query(NamesRequest())).queryObservation(observation)
        .databaseContext(.readOnly { database })
    }
    if observation == .onAppear {
      #expect(host.render().first == "?")
      host.appear()
    }
    await host.shows("Ada")
    host.disappear()
    _ = host.render()
    try await database.write { try $0.run("UPDATE player SET name = 'Zoe'") }
    if observation != .always {
      #expect(host.render().first == "Ada")
      host.appear()
    }
    await host.shows("Zoe")
  }

  @Test func `render only once per change`() async throws {
    let database = try makeDatabase(["Ada"])
    let host = Host { NamesView(Query(NamesRequest())).databaseContext(.readOnly { database }) }
    await host.shows("Ada")
    let renderings = host.renderings
    _ = host.render()
    #expect(!host.isInvalid)
    try await database.write { try $0.run("UPDATE player SET name = 'Zoe'") }
    await host.shows("Zoe")
    #expect(host.renderings <= renderings + 3)
  }

  // Regression test: an update on another thread caused a trap.
  @Test func `may be updated on any thread`() async throws {
    await Task.detached { Query(NamesRequest()).storageProvider.update() }.value
  }
}

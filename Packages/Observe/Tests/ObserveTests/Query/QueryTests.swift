import Observation
import SQLiteCore
import Testing

@testable import Observe

extension QueryEnvironment {
  private struct RedKey: QueryEnvironment.Key {
    static var defaultValue: DatabaseContext { .notConnected }
  }

  private struct BlueKey: QueryEnvironment.Key {
    static var defaultValue: DatabaseContext { .notConnected }
  }

  fileprivate var red: DatabaseContext {
    get { self[RedKey.self] }
    set { self[RedKey.self] = newValue }
  }

  fileprivate var blue: DatabaseContext {
    get { self[BlueKey.self] }
    set { self[BlueKey.self] = newValue }
  }
}

@MainActor @Suite struct `A query` {
  @MainActor final class Team {
    @Query(Names(team: "red")) var names: [String]

    init() {}

    init(_ team: String) { _names = Query(Names(team: team)) }

    init(constant team: String) { _names = Query(constant: Names(team: team)) }

    init(_ request: QueryBinding<Names>) { _names = Query(request) }

    func replace(_ team: String) { _names.replaceRequest(Names(team: team)) }
  }

  /// Runs `body` in an environment with a database.
  func withEnvironment(_ body: (Database) async throws -> Void) async throws {
    try await withDatabase(.file, playerSchema) { database in
      try await QueryEnvironment.with(\.databaseContext, .readOnly { database }) {
        try await body(database)
      }
    }
  }

  @Test func `has the default value, then each value in turn`() async throws {
    try await withEnvironment { database in
      let team = Team()
      #expect(team.names == ["nobody"])
      #expect(team.$names.isLoading)
      var seen: [[String]] = []
      for await names in team.$names.values {
        seen.append(names)
        #expect(team.names == names)
        if seen.count == 2 { break }
        try await database.run("DELETE FROM player WHERE id = 1")
      }
      #expect(seen == [["Ada", "Cy"], ["Cy"]])
      #expect(team.$names.error == nil)
    }
  }

  @Test func `without a database has an error`() {
    let team = Team()
    #expect(team.names == ["nobody"])
    #expect(team.$names.error as? DatabaseContextError == .notConnected)
  }

  @Test func `with an initial request is changed by its users`() async throws {
    try await withEnvironment { _ in
      let team = Team()
      await team.$names.controller.wait(for: ["Ada", "Cy"])
      team.$names.team.wrappedValue = "blue"
      await team.$names.controller.wait(for: ["Bob"])
      #expect(team.$names.request.wrappedValue == Names(team: "blue"))
      try team.$names.setRequest(Names(team: "red"))
      await team.$names.controller.wait(for: ["Ada", "Cy"])
    }
  }

  // Defect 6: a write to a constant request was ignored without an error.
  @Test func `with a constant request rejects changes by its users with an error`() async throws {
    try await withEnvironment { _ in
      let team = Team(constant: "red")
      await team.$names.controller.wait(for: ["Ada", "Cy"])
      team.$names.team.wrappedValue = "blue"
      #expect(team.$names.error as? QueryError == .requestIsConstant)
      #expect(throws: QueryError.requestIsConstant) {
        try team.$names.setRequest(Names(team: "blue"))
      }
      #expect(team.$names.request.wrappedValue == Names(team: "red"))
      #expect(team.names == ["Ada", "Cy"])
      team.replace("blue")
      #expect(team.$names.error == nil)
      await team.$names.controller.wait(for: ["Bob"])
    }
  }

  @Test func `with a bound request is changed on either side of the binding`() async throws {
    final class Choice: Observable {
      private let registrar = ObservationRegistrar()
      private var kept = Names(team: "red")
      var names: Names {
        get {
          registrar.access(self, keyPath: \.names)
          return kept
        }
        set { registrar.withMutation(of: self, keyPath: \.names) { kept = newValue } }
      }
    }
    try await withEnvironment { _ in
      let choice = Choice()
      let team = Team(
        QueryBinding {
          choice.names
        } set: {
          choice.names = $0
        })
      await team.$names.controller.wait(for: ["Ada", "Cy"])
      choice.names.team = "blue"
      await team.$names.controller.wait(for: ["Bob"])
      choice.names.team = "red"
      await team.$names.controller.wait(for: ["Ada", "Cy"])
      team.$names.team.wrappedValue = "blue"
      #expect(choice.names.team == "blue")
      await team.$names.controller.wait(for: ["Bob"])
    }
  }

  @Test func `with a bound request that is not observable detects changes when read`() async throws
  {
    final class Box { var names = Names(team: "red") }
    try await withEnvironment { _ in
      let box = Box()
      let team = Team(
        QueryBinding {
          box.names
        } set: {
          box.names = $0
        })
      await team.$names.controller.wait(for: ["Ada", "Cy"])
      box.names.team = "blue"
      #expect(team.names == ["Ada", "Cy"])
      #expect(team.$names.isLoading)
      await team.$names.controller.wait(for: ["Bob"])
    }
  }

  @Test func `restarts when its environment's database changes`() async throws {
    try await withEnvironment { _ in
      let team = Team()
      await team.$names.controller.wait(for: ["Ada", "Cy"])
      try await withDatabase(.memory, playerSchema) { other in
        try await other.run("DELETE FROM player WHERE id = 1")
        team.$names.environment.databaseContext = .readOnly { other }
        await team.$names.controller.wait(for: ["Cy"])
      }
    }
  }

  @Test func `reads from several databases by their key paths`() async throws {
    @MainActor final class Match {
      @Query(Names(team: "red"), in: \.red) var home: [String]
      @Query(Names(team: "blue"), in: \.blue) var guests: [String]
    }
    try await withDatabase(.file, playerSchema) { red in
      try await withDatabase(.memory, playerSchema) { blue in
        try await blue.run("UPDATE player SET name = 'Zoe' WHERE id = 2")
        let match = QueryEnvironment.with(\.red, .readOnly { red }) {
          QueryEnvironment.with(\.blue, .readOnly { blue }) { Match() }
        }
        await match.$home.controller.wait(for: ["Ada", "Cy"])
        await match.$guests.controller.wait(for: ["Zoe"])
      }
    }
  }

  @Test func `without a context produces its values independently`() async {
    struct Two: Queryable {
      typealias Context = Void
      static var defaultValue: Int { 0 }
      func values(in context: Void) -> QueryValues<Int> {
        QueryValues(
          AsyncStream { continuation in
            continuation.yield(2)
            continuation.finish()
          })
      }
    }
    @MainActor final class Holder { @Query(Two()) var number: Int }
    let holder = Holder()
    await holder.$number.controller.wait(for: 2)
    #expect(holder.number == 2)
  }

  @Test func `is enabled, disabled, refreshed and retried`() async throws {
    @MainActor final class Holder { @Query(PlayerCount()) var count: Int }
    try await withEnvironment { database in
      let holder = Holder()
      await holder.$count.controller.wait(for: 3)
      try await database.run("DELETE FROM player WHERE id = 1")
      holder.$count.refresh()
      await holder.$count.controller.wait(for: 2)
      holder.$count.isEnabled = false
      #expect(holder.count == 2)
      #expect(holder.$count.phase.isStale)
      holder.$count.retry()
      holder.$count.isEnabled = true
      await holder.$count.controller.wait(for: 2)
    }
  }

  @Test func `notifies observation tracking of each change`() async throws {
    try await withEnvironment { database in
      let team = Team()
      await team.$names.controller.wait(for: ["Ada", "Cy"])
      let hasChanged = Signal()
      withObservationTracking {
        #expect(team.names == ["Ada", "Cy"])
      } onChange: {
        hasChanged.give()
      }
      try await database.run("DELETE FROM player WHERE id = 1")
      await hasChanged.wait()
      await team.$names.controller.wait(for: ["Cy"])
    }
  }

  @Test func `fetches nothing before it is read`() async throws {
    try await withEnvironment { database in
      let log = FetchLog()
      @MainActor final class Holder {
        @Query<Names> var names: [String]
        init(_ log: FetchLog) { _names = Query(Names(team: "red", log: .init(log))) }
      }
      let holder = Holder(log)
      let other = QueryController(PlayerTotal(), in: .readOnly { database })
      await other.wait(for: 3)
      #expect(log.count.value == 0)
      #expect(holder.names == ["nobody"])
      await holder.$names.controller.wait(for: ["Ada", "Cy"])
      #expect(log.count.value == 1)
    }
  }
}

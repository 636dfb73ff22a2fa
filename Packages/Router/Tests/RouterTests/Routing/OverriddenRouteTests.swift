import Router
import RouterTesting
import SQLiteCore
import Primitives
import Testing

/// Routes that differ each time, or that can't always be created.
enum Fickle: RouteCollection, CasePathable, Equatable {
  case first, second, mine, now

  struct SignedOut: Error {}

  @TaskLocal static var session = Session()

  final class Session: Sendable {
    let isOpen = Atomic<Bool>(false)
    let count = Atomic<Int>(0)
  }

  func route() async throws -> DatabaseRoute {
    switch self {
    case .first, .second: return .fetch(from: "todos")
    case .mine:
      guard Self.session.isOpen.load(ordering: .relaxed) else { throw SignedOut() }
      return .fetch(from: "todos", filteredBy: Column("id").greaterThan(0))
    case .now:
      let count = Self.session.count.add(1, ordering: .relaxed).newValue
      return .fetch(from: "todos", filteredBy: Column("id").lessThan(count))
    }
  }

  struct AllCasePaths: Sendable {
    var first: CasePath<Fickle, Void> { path("first", .first) }
    var mine: CasePath<Fickle, Void> { path("mine", .mine) }

    private func path(_ name: String, _ value: Fickle) -> CasePath<Fickle, Void> {
      CasePath(name, embed: { value }) { $0 == value ? () : nil }
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }
  var currentCase: CurrentCase { CurrentCase("\(self)", ()) }

  static func collectionRoute(for route: DatabaseRoute) -> Fickle? {
    route == .fetch(from: "todos") ? .second : nil
  }
}

@Suite struct `Overridden routes` {
  struct Offline: Error {}

  var router = DatabaseRouter<Fickle>(UnimplementedExecutor())

  @Test func `match only their case, not equal routes of other cases`() async throws {
    var router = DatabaseRouter<Fickle>(try await todos())
    router.override(\.first, with: [Todo]())
    let second: [Todo] = try await router(.second)
    let raw: [Todo] = try await router(.fetch(from: "todos"))
    #expect(second.count == 3)
    #expect(raw.isEmpty)
    // An override of either case matches the equal raw route.
    router.resetOverrides()
    router.override(.route(.first, with: [Todo]()))
    let again: [Todo] = try await router(.fetch(from: "todos"))
    let other: [Todo] = try await router(.second)
    #expect(again.isEmpty && other.count == 3)
  }

  @Test mutating func `can differ each time if they can be compared`() async throws {
    router.override(.route(.now, with: [Todo.milk]))
    for _ in 0..<2 {
      let found: [Todo] = try await router(.now)
      #expect(found == [.milk])
    }
    let copy = router
    #expect(await code { try await copy(.first) } == .unanswered)
  }

  @Test mutating func `are found once their route can be created`() async throws {
    router.override(.route(Fickle.mine, with: [Todo.milk]))
    let copy = router
    let session = Fickle.Session()
    try await Fickle.$session.withValue(session) {
      let asked = DatabaseRoute.fetch(from: "todos", filteredBy: Column("id").greaterThan(0))
      #expect(await code { try await copy(asked) } == .unanswered)
      session.isOpen.store(true, ordering: .relaxed)
      let found: [Todo] = try await copy(asked)
      #expect(found == [.milk])
    }
  }

  @Test mutating func `need not be valid for the database`() async throws {
    let log = RouteLog()
    router.log = log
    let copy = router
    await #expect(throws: Fickle.SignedOut.self) { try await copy(.mine) }
    router.override(\.mine, with: [Todo.milk])
    let found: [Todo] = try await router(.mine)
    #expect(found == [.milk])
    #expect(log.calls.map(\.name) == ["mine", "mine"])
    #expect(log.calls.allSatisfy { $0.route == nil })
    #expect(log.calls.map { $0.failure == nil } == [false, true])
    // Its rows can't be counted without a route.
    #expect(try await router.run([Fickle.mine]).map(\.rows.count) == [1])
  }

  @Test func `match several calls of a collection that run together`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    router.override(\.todos.delete, with: .affected(4))
    let responses = try await router.run([Routes.todos(.delete(id: 1)), .todos(.fetch)])
    #expect(responses.map(\.affected) == [4, 0])
    #expect(responses.map(\.rows.count) == [0, 3])
  }

  @Test func `return arrays, optional arrays, and optionals`() async throws {
    let router = DatabaseRouter<Routes>(try await todos())
    let tried: [Todo]? = try? await router(.todos(.fetch))
    let orElse: [Todo] = (try? await router(.todos(.fetch))) ?? []
    let one: Todo? = try? await router(.todos(.fetchOne(id: 1)))
    let sure: Todo = try await router(.fetchOne(id: 1, from: "todos"))
    #expect([tried?.count, orElse.count] == [3, 3])
    #expect(one == .milk && sure == .milk)
    let none: Todo? = try await router(.todos(.fetchOne(id: 9)))
    #expect(none == nil)
  }

  @Test func `are removed only by their own id`() async throws {
    var router = GeneralRouter(UnimplementedExecutor())
    let old = router.override(.table("x", with: 1))
    router.resetOverrides()
    let new = router.override(.table("y", with: 2))
    var other = GeneralRouter(UnimplementedExecutor())
    let foreign = other.override(.table("y", with: 3))
    #expect(Set([old, new, foreign]).count == 3)
    router.removeOverride(old)
    router.removeOverride(foreign)
    let found: Int = try await router(.fetch(from: "y"))
    #expect(found == 2)
  }

  @Test func `can use closures that throw`() async throws {
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())
    router.override(\.todos.delete) { _ in throw Offline() }
    let copy = router
    await #expect(throws: Offline.self) { try await copy(.todos(.delete(id: 1))) }
    #expect(router.unusedOverrides.isEmpty)
  }

  @Test func `can use closures that return values`() async throws {
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())
    router.override(\.todos.fetchOne) { id in Todo(id: id, name: "Number \(id)") }
    let found: Todo = try await router(.todos(.fetchOne(id: 5)))
    #expect(found.name == "Number 5")
  }
}

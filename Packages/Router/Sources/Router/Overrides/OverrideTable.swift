internal import Primitives

/// An override that is in use, with what is counted of it.
final class OverrideEntry: Sendable {
  /// No other entry has it; one that was added later has a greater one.
  let number: Int
  let override: RouteOverride
  let source: SourcePlace
  private let calls = Atomic<Int>(0)

  private static let lastNumber = Atomic<Int>(0)

  init(_ override: RouteOverride, source: SourcePlace) {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    self.override = override
    self.source = source
  }

  var isUsed: Bool { calls.load(ordering: .relaxed) > 0 }

  /// Counts a call, and tells which it is.
  func next() -> Int { calls.add(1, ordering: .relaxed).oldValue }
}

/// Where in the source something is said.
struct SourcePlace: Sendable {
  let file: String
  let line: Int
}

/// Overrides by what they are found by.
struct OverrideTable: Sendable {
  private(set) var entries: [OverrideEntry] = []
  private var byKey: [OverrideKey: [OverrideEntry]] = [:]
  private var kinds: OverrideKey.Kinds = []
  private var resolution: Resolution?

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ override: RouteOverride, source: SourcePlace) -> OverrideEntry {
    let entry = OverrideEntry(override, source: source)
    entries.append(entry)
    byKey[override.key, default: []].append(entry)
    kinds.insert(override.key.kind)
    if override.route != nil {
      resolution = Resolution((resolution?.entries ?? []) + [entry])
    }
    return entry
  }

  mutating func remove(_ number: Int) {
    let rest = entries.filter { $0.number != number }
    guard rest.count != entries.count else { return }
    entries = rest
    byKey = Dictionary(grouping: rest, by: \.override.key)
    let pending = rest.filter { $0.override.route != nil }
    resolution = pending.isEmpty ? nil : Resolution(pending)
  }

  /// What the call gets from the last override that answers it; `nil` where none does.
  ///
  /// - Parameter isFirst: Whether it is the first call for each override, whatever there was before.
  func answer(_ call: OverriddenCall, isFirst: Bool) async -> OverrideAnswer? {
    var lists = call.keys(of: kinds).compactMap { byKey[$0] }
    let resolved = await resolution?.entries(for: call.route) ?? []
    if !resolved.isEmpty { lists.append(resolved) }
    // The last of all first, and each once.
    var number = Int.max
    while let entry = lists.lazy.compactMap({ $0.last { $0.number < number } })
      .max(by: { $0.number < $1.number })
    {
      number = entry.number
      var call = call
      call.isFoundByRoute = resolved.contains { $0 === entry }
      do {
        guard let reply = try await entry.override.reply(call) else { continue }
        let place = entry.next()
        guard let answer = try await reply.reply(to: isFirst ? 0 : place).answer() else { continue }
        return OverrideAnswer(name: entry.override.name, reply: reply, result: .success(answer))
      } catch {
        if !entry.isUsed { _ = entry.next() }
        return OverrideAnswer(
          name: entry.override.name, reply: .passThrough, result: .failure(error))
      }
    }
    return nil
  }
}

/// What an override answers, and which.
struct OverrideAnswer: Sendable {
  /// What the override is for, in words.
  let name: String
  /// All that it has to say, of which the result is one part.
  let reply: DatabaseRoute.Reply
  let result: Result<RouteAnswer, any Error>
}

/// Overrides for routes of collections, by the routes of the database that they come to. That is asked once, with
/// the first call.
private final class Resolution: Sendable {
  private struct State {
    var known: [DatabaseRoute: [OverrideEntry]] = [:]
    var pending: [OverrideEntry]
  }

  let entries: [OverrideEntry]
  private let state: Mutex<State>

  init(_ entries: [OverrideEntry]) {
    self.entries = entries
    state = Mutex(State(pending: entries))
  }

  func entries(for route: DatabaseRoute?) async -> [OverrideEntry] {
    for entry in state.withLock({ $0.pending }) {
      // One that has no route now may have one later; where it is called, it throws the same.
      guard let route = try? await entry.override.route?() else { continue }
      state.withLock { state in
        guard let index = state.pending.firstIndex(where: { $0 === entry }) else { return }
        state.pending.remove(at: index)
        state.known[route, default: []].append(entry)
        state.known[route]?.sort { $0.number < $1.number }
      }
    }
    guard let route else { return [] }
    return state.withLock { $0.known[route] ?? [] }
  }
}

/// By what an override is found. A call has a few keys, so that it matters little how many overrides there are.
enum OverrideKey: Hashable, Sendable {
  /// The names of a case, and of those that it is in.
  case names([String])
  case id(String, table: DatabaseRoute.Table?)
  case method(DatabaseRoute.Method, table: DatabaseRoute.Table?)
  case table(DatabaseRoute.Table)
  case route(DatabaseRoute)
  /// The override looks at each call.
  case any

  /// Which keys there are: no others are made of a call.
  struct Kinds: OptionSet {
    let rawValue: Int

    static let names = Kinds(rawValue: 1)
    static let id = Kinds(rawValue: 2)
    static let method = Kinds(rawValue: 4)
    static let table = Kinds(rawValue: 8)
    static let route = Kinds(rawValue: 16)
    static let any = Kinds(rawValue: 32)
  }

  var kind: Kinds {
    switch self {
    case .names: .names
    case .id: .id
    case .method: .method
    case .table: .table
    case .route: .route
    case .any: .any
    }
  }
}

/// What an override is asked about.
struct OverriddenCall: Sendable {
  /// What is asked of the database; `nil` where that could not be said.
  let route: DatabaseRoute?
  /// The case of the whole collection of routes that asks it, where one does.
  let collectionRoute: (any Sendable)?
  /// Whether it was called by that case, and not by the route.
  let isOfCollection: Bool
  /// Whether the override was found by the route that it comes to itself.
  var isFoundByRoute = false

  /// The names of the case that is called, from the outermost on.
  var names: [String] { (collectionRoute as? any CasePathable)?.caseNames ?? [] }

  /// The keys under which overrides of the call may be, of these kinds.
  func keys(of kinds: OverrideKey.Kinds) -> [OverrideKey] {
    var keys: [OverrideKey] = []
    if kinds.contains(.any) { keys.append(.any) }
    if kinds.contains(.names) {
      var names = names
      while !names.isEmpty {
        keys.append(.names(names))
        names.removeLast()
      }
    }
    guard let route else { return keys }
    if kinds.contains(.route) { keys.append(.route(route)) }
    if kinds.contains(.table) { keys.append(.table(route.table)) }
    if kinds.contains(.method) {
      keys.append(.method(route.method, table: nil))
      keys.append(.method(route.method, table: route.table))
    }
    if kinds.contains(.id), let id = route.id {
      keys.append(.id(id, table: nil))
      keys.append(.id(id, table: route.table))
    }
    return keys
  }
}

/// An override, of whatever router: which calls it is for, and what it answers.
struct RouteOverride: Sendable {
  let key: OverrideKey
  /// What the override is for, in words.
  let name: String
  /// The route of the database that the override is for too, where that has to be asked of a collection.
  var route: (@Sendable () async throws -> DatabaseRoute)?
  /// `nil` where it is not for the call after all.
  let reply: @Sendable (OverriddenCall) async throws -> DatabaseRoute.Reply?
}

/// Overrides that hold for a task and those that it starts, over those of the router itself.
struct OverrideScope: Sendable {
  /// Of which router.
  let router: RouterIdentity
  let overrides: OverrideTable
  let log: RouteLog?

  /// The scopes that the task is in, the innermost last.
  @TaskLocal static var current: [OverrideScope] = []
}

/// Which router: copies of one are the same.
final class RouterIdentity: Sendable {}

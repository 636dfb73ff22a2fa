internal import Primitives

/// An override in use, with its number of calls.
final class OverrideEntry: Sendable {
  /// A unique number, which increases with each added override.
  let number: Int
  let override: RouteOverride
  /// The source location where the override was added.
  let file: String
  let line: Int
  private let calls = Atomic<Int>(0)

  private static let lastNumber = Atomic<Int>(0)

  init(_ override: RouteOverride, file: String, line: Int) {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    self.override = override
    self.file = file
    self.line = line
  }

  var isUsed: Bool { calls.load(ordering: .relaxed) > 0 }

  /// Counts a call, and returns its number.
  func next() -> Int { calls.add(1, ordering: .relaxed).oldValue }
}

/// Overrides, indexed by their keys.
struct OverrideTable: Sendable {
  private(set) var entries: [OverrideEntry] = []
  private var byKey: [OverrideKey: [OverrideEntry]] = [:]
  private var kinds: OverrideKey.Kinds = []
  private var resolution: Resolution?

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ override: RouteOverride, file: String, line: Int) -> OverrideEntry {
    let entry = OverrideEntry(override, file: file, line: line)
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

  /// Returns the reply of the most recently added override that answers the call, or `nil` if none does.
  ///
  /// - Parameter isFirst: Whether to answer as if it were the first call of each override.
  func answer(_ call: OverriddenCall, isFirst: Bool) async -> MatchedOverride? {
    var lists = call.keys(of: kinds).compactMap { byKey[$0] }
    let resolved = await resolution?.entries(for: call.route) ?? []
    if !resolved.isEmpty { lists.append(resolved) }
    // The most recently added first, each once.
    var number = Int.max
    while let entry = lists.lazy.compactMap({ $0.last { $0.number < number } })
      .max(by: { $0.number < $1.number })
    {
      number = entry.number
      var call = call
      call.isFoundByRoute = resolved.contains { $0 === entry }
      do {
        guard let reply = try await entry.override.reply(call) else { continue }
        let index = entry.next()
        guard let answer = try await reply.reply(to: isFirst ? 0 : index).answer() else { continue }
        return MatchedOverride(name: entry.override.name, reply: reply, result: .success(answer))
      } catch {
        if !entry.isUsed { _ = entry.next() }
        return MatchedOverride(
          name: entry.override.name, reply: .passThrough, result: .failure(error))
      }
    }
    return nil
  }
}

/// The override that answers a call, with its reply.
struct MatchedOverride: Sendable {
  /// A description of the override.
  let name: String
  /// The complete reply, of which `result` is one part.
  let reply: DatabaseRoute.Reply
  let result: Result<OverrideValue, any Error>
}

/// Overrides of collection routes, indexed by their database routes, which are determined at the first call.
private final class Resolution: Sendable {
  let entries: [OverrideEntry]
  private let state: Mutex<(known: [DatabaseRoute: [OverrideEntry]], pending: [OverrideEntry])>

  init(_ entries: [OverrideEntry]) {
    self.entries = entries
    state = Mutex((known: [:], pending: entries))
  }

  func entries(for route: DatabaseRoute?) async -> [OverrideEntry] {
    for entry in state.withLock({ $0.pending }) {
      // An override without a route now may have one later. If it is called, it throws the same error.
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

/// The keys by which overrides are found. A call has only a few keys, so that the number of overrides matters little.
enum OverrideKey: Hashable, Sendable {
  /// The names of a case and its enclosing cases.
  case names([String])
  case id(String, table: DatabaseRoute.Table?)
  case method(DatabaseRoute.Method, table: DatabaseRoute.Table?)
  case table(DatabaseRoute.Table)
  case route(DatabaseRoute)
  /// The override checks each call.
  case any

  /// The kinds of keys in use. Calls create no others.
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

/// A call for which overrides are looked up.
struct OverriddenCall: Sendable {
  /// The database route; `nil` if it could not be determined.
  let route: DatabaseRoute?
  /// The case of the router's root collection for the call, if there is one.
  let collectionRoute: (any Sendable)?
  /// Indicates whether the router was called with the case, and not with a database route.
  let isOfCollection: Bool
  /// Indicates whether the override was found by its case's own database route.
  var isFoundByRoute = false

  /// The names of the called case, from the outermost to the innermost.
  var names: [String] { (collectionRoute as? any CasePathable)?.caseNames ?? [] }

  /// Returns the keys of the given kinds by which the call's overrides may be found.
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

/// A type-erased override: the calls that it matches, and its reply.
struct RouteOverride: Sendable {
  let key: OverrideKey
  /// A description of the override.
  let name: String
  /// The database route of the overridden case, if it must be determined from the collection.
  var route: (@Sendable () async throws -> DatabaseRoute)?
  /// Returns `nil` if the override does not apply to the call.
  let reply: @Sendable (OverriddenCall) async throws -> DatabaseRoute.Reply?
}

/// Overrides that apply to a task and the tasks that it starts, with precedence over the router's own.
struct OverrideScope: Sendable {
  /// The router that the scope belongs to.
  let router: RouterIdentity
  let overrides: OverrideTable
  let log: RouteLog?

  /// The scopes of the current task, the innermost last.
  @TaskLocal static var current: [OverrideScope] = []
}

/// The identity of a router, shared by its copies.
final class RouterIdentity: Sendable {}

extension DatabaseRoute {
  /// An override that was not called.
  public struct UnusedOverride: Hashable, Sendable, CustomStringConvertible {
    /// A description of the calls that the override matches.
    public let name: String
    /// The source location where the override was added.
    public let file: String
    public let line: Int

    public var description: String { "\(name) (\(file):\(line))" }
  }
}

extension OverrideTable {
  var unused: [DatabaseRoute.UnusedOverride] {
    entries.filter { !$0.isUsed }.map {
      DatabaseRoute.UnusedOverride(
        name: $0.override.name, file: $0.file, line: $0.line)
    }
  }
}

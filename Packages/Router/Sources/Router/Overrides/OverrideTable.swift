internal import Synchronization

/// An override that is in use, with what is counted of it.
final class OverrideEntry: Sendable {
  /// Which of a router's overrides it is: the last one answers first.
  let number: Int
  let override: RouteOverride
  let source: SourcePlace
  private let calls = Atomic<Int>(0)

  init(_ override: RouteOverride, number: Int, source: SourcePlace) {
    self.override = override
    self.number = number
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
    let entry = OverrideEntry(
      override, number: (entries.last?.number ?? 0) + 1, source: source)
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
  func answer(_ call: OverriddenCall) async -> OverrideAnswer? {
    var lists = call.keys(of: kinds).compactMap { byKey[$0] }
    if let more = await resolution?.entries(for: call.route) { lists.append(more) }
    // The last of all first, and each once.
    var number = Int.max
    while let entry = lists.lazy.compactMap({ $0.last { $0.number < number } })
      .max(by: { $0.number < $1.number })
    {
      number = entry.number
      do {
        guard let reply = try await entry.override.reply(call) else { continue }
        guard let answer = try await reply.reply(to: entry.next()).answer() else { continue }
        return OverrideAnswer(entry: entry, reply: reply, result: .success(answer))
      } catch {
        return OverrideAnswer(entry: entry, reply: .passThrough, result: .failure(error))
      }
    }
    return nil
  }
}

/// What an override answers, and which.
struct OverrideAnswer: Sendable {
  private let entry: OverrideEntry
  private let reply: RouteReply
  let result: Result<RouteAnswer, any Error>

  init(entry: OverrideEntry, reply: RouteReply, result: Result<RouteAnswer, any Error>) {
    self.entry = entry
    self.reply = reply
    self.result = result
  }

  /// What the override is for, in words.
  var name: String { entry.override.name }

  /// The next of its answers, for who listens on; `nil` where there are no more.
  func next() async throws -> RouteAnswer? {
    let call = entry.next()
    return call < reply.count ? try await reply.reply(to: call).answer() : nil
  }
}

/// Overrides for routes of collections, by the routes of the database that they come to. That is asked once, with
/// the first call.
private final class Resolution: Sendable {
  let entries: [OverrideEntry]
  private let known = Mutex<[DatabaseRoute: [OverrideEntry]]?>(nil)

  init(_ entries: [OverrideEntry]) { self.entries = entries }

  func entries(for route: DatabaseRoute) async -> [OverrideEntry]? {
    if let known = known.withLock({ $0 }) { return known[route] }
    var byRoute: [DatabaseRoute: [OverrideEntry]] = [:]
    for entry in entries {
      // One that has no route now answers no route; where it is called, it throws the same.
      guard let route = try? await entry.override.route?() else { continue }
      byRoute[route, default: []].append(entry)
    }
    // Who was cancelled may have been told less.
    if !Task.isCancelled { known.withLock { $0 = byRoute } }
    return byRoute[route]
  }
}

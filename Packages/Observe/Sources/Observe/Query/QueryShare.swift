internal import SQLiteCore

/// One request in one context, observed for all who ask for it.
@MainActor final class QueryShare<Request: Queryable> {
  enum State {
    case loading
    case value(Request.Value)
    case failed(any Error)
  }

  private let key: QueryShares.Key<Request>?
  private let request: Request
  /// Kept, so that no other object takes the identity of what it holds.
  private let context: Request.Context
  private var subscribers: [UInt64: (State) -> Void] = [:]
  private var lastID: UInt64 = 0
  /// Counts the runs, so that one that was stopped says nothing more.
  private var run: UInt64 = 0
  private var task: Task<Void, Never>?
  private(set) var state = State.loading
  /// Counts the states, so that an earlier one is told to no one any more.
  private var version: UInt64 = 0

  init(_ request: Request, in context: Request.Context, key: QueryShares.Key<Request>?) {
    self.request = request
    self.context = context
    self.key = key
  }

  /// Tells `body` the state as it is, and each later one.
  ///
  /// The first to come has the values begin.
  func subscribe(_ body: @escaping (State) -> Void) -> QueryHold<Request> {
    lastID += 1
    let id = lastID
    let isFirst = subscribers.isEmpty
    subscribers[id] = body
    if isFirst { begin() } else { body(state) }
    return QueryHold(share: self, id: id)
  }

  /// Forgets a subscriber; with the last one, the values end.
  func leave(_ id: UInt64) {
    guard subscribers.removeValue(forKey: id) != nil, subscribers.isEmpty else { return }
    stop()
    if let key { QueryShares.remove(self, at: key) }
  }

  /// Has the values begin anew, for all.
  func restart() {
    if !subscribers.isEmpty { begin() }
  }

  private func stop() {
    run += 1
    task?.cancel()
    task = nil
  }

  private func begin() {
    stop()
    let number = run
    do {
      let immediate: Request.Value?
      do {
        immediate = try request.immediateValue(in: context)
        tell(immediate.map { .value($0) } ?? .loading)
      } catch {
        // Who follows commits goes on to wait for one.
        guard followedDatabase != nil else { throw error }
        immediate = nil
        tell(.failed(error))
      }
      // Whoever was told may have left.
      guard run == number else { return }
      // What is fetched once has been.
      if immediate != nil, request is any FetchQueryable { return }
      iterate(try request.values(in: context), from: immediate)
    } catch {
      fail(error, after: nil)
    }
  }

  private func iterate(_ values: Request.Values, from immediate: Request.Value?) {
    let number = run
    let known = values as? any TellingLastFetch
    let (lastFetch, goesOn) = (known?.lastFetch, known?.goesOn ?? false)
    // Made now and kept until all is told, so that the database knows whether this has settled.
    let first = values.makeAsyncIterator()
    task = Task { @MainActor [weak self] in
      var iterator = first
      var isFirst = true
      while true {
        do {
          guard let value = try await iterator.nextElement(isolation: MainActor.shared) else {
            break
          }
          guard let self, self.run == number else { return }
          if !isFirst || !Self.areEqual(immediate, value) { self.tell(.value(value)) }
        } catch {
          guard let self, self.run == number else { return }
          guard goesOn else { return self.fail(error, after: lastFetch) }
          self.tell(.failed(error))
        }
        isFirst = false
      }
      guard let self, self.run == number else { return }
      // Such values end as what they are read from is closed: who asks from now on may find another in its place.
      if goesOn, let key = self.key { QueryShares.remove(self, at: key) }
      guard isFirst else { return }
      // There is nothing to come, and nothing has.
      self.tell(.value(Request.defaultValue))
    }
  }

  /// Whether two values can be compared, and are equal.
  private static func areEqual(_ a: Request.Value?, _ b: Request.Value) -> Bool {
    func equals<Value: Equatable>(_ b: Value) -> Bool { a as? Value == b }
    guard a != nil, let b = b as? any Equatable else { return false }
    return equals(b)
  }

  /// - Parameter fetch: The fetch that may have failed.
  private func fail(_ error: any Error, after fetch: LastFetch?) {
    let number = run
    tell(.failed(error))
    guard run == number, let fetch, let database = followedDatabase,
      (error as? SQLiteError)?.code != .closed
    else { return }
    let changes = DatabaseObservation.ChangeSequence(
      database: database, region: .everything, start: fetch.position)
    let first = changes.makeAsyncIterator()
    // What has failed may succeed once the database is another.
    task = Task { @MainActor [weak self] in
      var iterator = first
      guard (try? await iterator.nextElement(isolation: MainActor.shared)) != nil else { return }
      if let self, self.run == number { self.begin() }
    }
  }

  /// The database whose commits the request follows; `nil` where it follows none.
  private var followedDatabase: Database? {
    guard request is any ValueObservationQueryable || request is any PresenceObservationQueryable,
      let context = context as? any TopLevelDatabaseReader
    else { return nil }
    return try? context.reader.observed
  }

  private func tell(_ state: State) {
    version += 1
    let told = version
    self.state = state
    for id in subscribers.keys.sorted() where version == told { subscribers[id]?(state) }
  }
}

/// Someone's hold on a share, which ends with it.
final class QueryHold<Request: Queryable>: Sendable {
  private let share: QueryShare<Request>
  private let id: UInt64

  init(share: QueryShare<Request>, id: UInt64) {
    self.share = share
    self.id = id
  }

  deinit {
    let (share, id) = (share, id)
    Task { @MainActor in share.leave(id) }
  }

  /// Ends it at once: nothing is told any more.
  @MainActor func end() { share.leave(id) }

  @MainActor func restart() { share.restart() }
}

/// The requests that are observed now.
@MainActor enum QueryShares {
  struct Key<Request: Queryable>: Hashable {
    let request: Request
    let context: DatabaseContext.Identity
  }

  private static var all: [AnyHashable: AnyObject] = [:]

  static func share<Request>(
    _ request: Request, in context: Request.Context, _ identity: DatabaseContext.Identity
  ) -> QueryShare<Request> {
    guard identity.isCertain else { return QueryShare(request, in: context, key: nil) }
    let key = Key(request: request, context: identity)
    if let known = all[key] as? QueryShare<Request> { return known }
    let share = QueryShare(request, in: context, key: key)
    all[key] = share
    return share
  }

  static func remove<Request>(_ share: QueryShare<Request>, at key: Key<Request>) {
    if all[key] === share { all[key] = nil }
  }
}

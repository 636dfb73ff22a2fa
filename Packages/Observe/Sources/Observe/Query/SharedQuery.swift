internal import SQLiteCore

/// The observation of one request in one context, shared by all its subscribers.
@MainActor final class SharedQuery<Request: Queryable> {
  /// The last result; `nil` while the first value is being loaded.
  typealias State = Result<Request.Value, any Error>?

  private let key: SharedQueryRegistry.Key<Request>?
  private let request: Request
  /// Retained so that no other object gets the identity of an object that the context stores.
  private let context: Request.Context
  private var subscribers: [UInt64: (State) -> Void] = [:]
  private var lastID: UInt64 = 0
  /// Incremented at each start and stop, so that a stopped run's values are ignored.
  private var run: UInt64 = 0
  private var task: Task<Void, Never>?
  private(set) var state: State = nil
  /// Incremented at each state, so that an outdated state is not delivered to further subscribers.
  private var version: UInt64 = 0

  init(_ request: Request, in context: Request.Context, key: SharedQueryRegistry.Key<Request>?) {
    self.request = request
    self.context = context
    self.key = key
  }

  /// Calls `body` with the current state and each later one.
  ///
  /// The first subscriber starts the observation.
  func subscribe(_ body: @escaping (State) -> Void) -> QuerySubscription<Request> {
    lastID += 1
    let id = lastID
    let isFirst = subscribers.isEmpty
    subscribers[id] = body
    if isFirst { begin() } else { body(state) }
    return QuerySubscription(to: self, id: id)
  }

  /// Removes a subscriber. Removing the last one ends the observation.
  func removeSubscriber(_ id: UInt64) {
    guard subscribers.removeValue(forKey: id) != nil, subscribers.isEmpty else { return }
    stop()
    if let key { SharedQueryRegistry.remove(self, at: key) }
  }

  /// Restarts the observation for all subscribers.
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
        notify(immediate.map { .success($0) })
      } catch {
        // A request that observes the database continues, and waits for a commit.
        guard observedDatabase != nil else { throw error }
        immediate = nil
        notify(.failure(error))
      }
      // A subscriber may have ended or restarted the observation.
      guard run == number else { return }
      // A request that is fetched once is complete.
      if immediate != nil, request is any FetchQueryable { return }
      iterate(try request.values(in: context), from: immediate)
    } catch {
      fail(error, after: nil)
    }
  }

  private func iterate(_ values: Request.Values, from immediate: Request.Value?) {
    let number = run
    let queryValues = values as? QueryValues<Request.Value>
    let lastFetch = queryValues?.lastFetch
    let continuesAfterError = queryValues?.continuesAfterError ?? false
    // Created now and retained until all states are delivered, so that the database can determine
    // whether this iteration is idle.
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
          if !isFirst || !Self.areEqual(immediate, value) { self.notify(.success(value)) }
        } catch {
          guard let self, self.run == number else { return }
          guard continuesAfterError else { return self.fail(error, after: lastFetch) }
          self.notify(.failure(error))
        }
        isFirst = false
      }
      guard let self, self.run == number else { return }
      // Such values end when their source is closed. Later subscribers may find another source
      // instead.
      if continuesAfterError, let key = self.key { SharedQueryRegistry.remove(self, at: key) }
      guard isFirst else { return }
      // The sequence ended without a value.
      self.notify(.success(Request.defaultValue))
    }
  }

  /// Returns whether two values can be compared and are equal.
  private static func areEqual(_ a: Request.Value?, _ b: Request.Value) -> Bool {
    func equals<Value: Equatable>(_ b: Value) -> Bool { a as? Value == b }
    guard a != nil, let b = b as? any Equatable else { return false }
    return equals(b)
  }

  /// - Parameter fetch: The fetch that may have failed.
  private func fail(_ error: any Error, after fetch: LastFetch?) {
    let number = run
    notify(.failure(error))
    guard run == number, let fetch, let database = observedDatabase,
      (error as? SQLiteError)?.code != .closed
    else { return }
    let changes = DatabaseObservation.ChangeSequence(
      database: .sqlite(database), region: .everything, start: fetch.position)
    let first = changes.makeAsyncIterator()
    // The fetch may succeed after the next commit.
    task = Task { @MainActor [weak self] in
      var iterator = first
      guard (try? await iterator.nextElement(isolation: MainActor.shared)) != nil else { return }
      if let self, self.run == number { self.begin() }
    }
  }

  /// The database whose commits the request observes; `nil` if it observes none.
  private var observedDatabase: Database? {
    guard request is any ValueObservationQueryable || request is any PresenceObservationQueryable,
      let context = context as? any TopLevelDatabaseReader
    else { return nil }
    return try? context.reader.observed
  }

  private func notify(_ state: State) {
    version += 1
    let notified = version
    self.state = state
    for id in subscribers.keys.sorted() where version == notified { subscribers[id]?(state) }
  }
}

/// A subscription to a shared query. It ends when it is deallocated.
final class QuerySubscription<Request: Queryable>: Sendable {
  private let query: SharedQuery<Request>
  private let id: UInt64

  init(to query: SharedQuery<Request>, id: UInt64) {
    self.query = query
    self.id = id
  }

  deinit {
    let (query, id) = (query, id)
    Task { @MainActor in query.removeSubscriber(id) }
  }

  /// Ends the subscription immediately: no further states are delivered.
  @MainActor func end() { query.removeSubscriber(id) }

  @MainActor func restart() { query.restart() }
}

/// The requests that are currently observed.
@MainActor enum SharedQueryRegistry {
  struct Key<Request: Queryable>: Hashable {
    let request: Request
    let context: DatabaseContext.Identity
  }

  private static var all: [AnyHashable: AnyObject] = [:]

  /// Returns the observation of a request, which is new if there is none, or if the context's
  /// identity is uncertain.
  static func query<Request>(
    for request: Request, in context: Request.Context, _ identity: DatabaseContext.Identity
  ) -> SharedQuery<Request> {
    guard identity.isCertain else { return SharedQuery(request, in: context, key: nil) }
    let key = Key(request: request, context: identity)
    if let known = all[key] as? SharedQuery<Request> { return known }
    let query = SharedQuery(request, in: context, key: key)
    all[key] = query
    return query
  }

  static func remove<Request>(_ query: SharedQuery<Request>, at key: Key<Request>) {
    if all[key] === query { all[key] = nil }
  }
}

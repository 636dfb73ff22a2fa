internal import Primitives

/// The connections of a database: lent first come, first served.
final class ConnectionPool: Sendable {
  private struct Idle {
    let session: Session
    let since: UInt64
  }

  private struct State {
    /// The connections that are not lent; the most recently used one is last.
    var idle: [Idle] = []
    /// The number of connections that are open or being opened.
    var count = 0
    var queue: [Request] = []
    var isClosed = false
    var maintenance: Task<Void, Never>?
  }

  /// A task that waits for a connection.
  private final class Request: Sendable {
    let waiter = Waiter.forTask()
    let grant = Mutex<Grant?>(nil)
  }

  private enum Grant: Sendable {
    case session(Session)
    /// The permission to open a connection.
    case permission
    case closed
  }

  let configuration: PostgreSQLConfiguration
  let shared: SharedSessionState
  private let state = Mutex(State())
  /// The time for which a connection is assumed to be alive after its last use.
  private static let trustedIdleTime: UInt64 = 50_000_000

  init(
    _ configuration: PostgreSQLConfiguration, shared: SharedSessionState = SharedSessionState()
  ) {
    self.configuration = configuration
    self.shared = shared
  }

  deinit {
    state.withLock { state in
      state.maintenance?.cancel()
      for idle in state.idle { idle.session.closeNow() }
    }
  }

  /// The numbers of connections and of waiting tasks.
  var statistics: PostgreSQLDatabase.Statistics {
    state.withLock { state in
      PostgreSQLDatabase.Statistics(
        connectionCount: state.count, idleCount: state.idle.count, waitingCount: state.queue.count)
    }
  }

  // MARK: Lending

  /// Passes a connection of the pool to `body`, and returns it to the pool.
  func lend<Result: Sendable>(
    _ session: Session, to body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    let connection = PostgreSQLConnection(session)
    do {
      let result = try await body(connection)
      connection.end()
      await release(session)
      return result
    } catch {
      connection.end()
      await release(session)
      throw error
    }
  }

  /// Returns a connection, which must be passed to ``release(_:)``.
  func acquire() async throws -> Session {
    var deadline: UInt64?
    while true {
      let grant: Grant
      switch request() {
      case .granted(let immediate): grant = immediate
      case .queued(let request):
        let limit = deadline ?? EventLoop.time(after: configuration.acquisitionTimeout)
        deadline = limit
        grant = try await wait(request, until: limit)
      }
      switch grant {
      case .closed: throw Self.closedError
      case .permission: return try await open()
      case .session(let session):
        if isFresh(session) { return session }
        discard(session)
      }
    }
  }

  private enum Answer {
    case granted(Grant)
    case queued(Request)
  }

  private func request() -> Answer {
    let now = EventLoop.now
    let (answer, idleTime) = state.withLock { state -> (Answer, UInt64) in
      if state.isClosed { return (.granted(.closed), 0) }
      if let idle = state.idle.popLast() {
        return (.granted(.session(idle.session)), now &- idle.since)
      }
      if state.count < configuration.maximumConnectionCount {
        state.count += 1
        return (.granted(.permission), 0)
      }
      let request = Request()
      state.queue.append(request)
      return (.queued(request), 0)
    }
    // The server may have ended a connection that was not used for some time.
    if case .granted(.session(let session)) = answer, idleTime > Self.trustedIdleTime,
      !session.isAlive()
    {
      discard(session)
      return self.request()
    }
    return answer
  }

  private func wait(_ request: Request, until deadline: UInt64) async throws -> Grant {
    let wake = await withTaskCancellationHandler {
      await request.waiter.wait(until: deadline)
    } onCancel: {
      request.waiter.interrupt()
    }
    request.waiter.close()
    let grant: Grant? = state.withLock { state in
      state.queue.removeAll { $0 === request }
      return request.grant.withLock { $0 }
    }
    if case .interrupted = wake {
      if let grant { giveBack(grant) }
      throw CancellationError()
    }
    if let grant { return grant }
    throw PostgreSQLError(
      code: .timedOut,
      message: "no connection became available within \(configuration.acquisitionTimeout)")
  }

  private func giveBack(_ grant: Grant) {
    switch grant {
    case .session(let session): add(session)
    case .permission: removeOne()
    case .closed: break
    }
  }

  private func open() async throws -> Session {
    startMaintenance()
    do {
      return try await Session.connect(configuration, shared: shared)
    } catch {
      removeOne()
      throw error
    }
  }

  /// Indicates whether the connection is not too old, and the server has not been promoted.
  private func isFresh(_ session: Session) -> Bool {
    guard session.isUsable, !(configuration.targetSession == .standby && session.isPrimary) else {
      return false
    }
    guard let age = configuration.maximumConnectionAge else { return true }
    return EventLoop.now &- session.openTime < EventLoop.nanoseconds(age)
  }

  // MARK: Returning

  /// Returns a connection to the pool, or closes it if it can't be used again.
  func release(_ session: Session) async {
    let canReuse = session.isClean() ? true : await session.reset()
    if canReuse, isFresh(session) {
      add(session)
    } else {
      discard(session)
    }
  }

  private func add(_ session: Session) {
    let (request, isClosed) = state.withLock { state -> (Request?, Bool) in
      if state.isClosed { return (nil, true) }
      if state.queue.isEmpty {
        state.idle.append(Idle(session: session, since: EventLoop.now))
        return (nil, false)
      }
      let request = state.queue.removeFirst()
      request.grant.withLock { $0 = .session(session) }
      return (request, false)
    }
    if isClosed { discard(session) }
    request?.waiter.resume(.ready)
  }

  /// Closes a connection. Another one may be opened instead.
  private func discard(_ session: Session) {
    session.closeNow()
    removeOne()
  }

  private func removeOne() {
    let request: Request? = state.withLock { state in
      if state.queue.isEmpty || state.isClosed {
        state.count -= 1
        return nil
      }
      // The permission is passed on.
      let request = state.queue.removeFirst()
      request.grant.withLock { $0 = .permission }
      return request
    }
    request?.waiter.resume(.ready)
  }

  // MARK: Maintenance

  private func startMaintenance() {
    state.withLock { state in
      guard state.maintenance == nil, !state.isClosed else { return }
      let idle = configuration.maximumIdleTime ?? .seconds(60)
      let interval = min(max(idle / 2, .milliseconds(50)), .seconds(30))
      state.maintenance = Task.detached { [weak self] in
        while !Task.isCancelled {
          try? await Task.sleep(for: interval)
          guard let self else { return }
          await self.maintain()
        }
      }
    }
  }

  /// Closes connections that were not used for long, and opens the minimum number.
  func maintain() async {
    let now = EventLoop.now
    let limit = configuration.maximumIdleTime.map { EventLoop.nanoseconds($0) } ?? .max
    let (expired, missing) = state.withLock { state -> ([Session], Int) in
      guard !state.isClosed else { return ([], 0) }
      var expired: [Session] = []
      // The least recently used connection is first.
      while let first = state.idle.first, now &- first.since > limit,
        state.count - expired.count > configuration.minimumConnectionCount
      {
        expired.append(first.session)
        state.idle.removeFirst()
      }
      let missing = max(
        0, configuration.minimumConnectionCount - (state.count - expired.count))
      state.count += missing
      return (expired, missing)
    }
    for session in expired { discard(session) }
    for _ in 0..<missing {
      if let session = try? await open() { add(session) }
    }
  }

  /// Closes the connections that are not lent, and the others when they are returned.
  func close() {
    let (sessions, requests) = state.withLock { state -> ([Session], [Request]) in
      state.isClosed = true
      state.maintenance?.cancel()
      defer {
        state.idle = []
        state.queue = []
      }
      for request in state.queue { request.grant.withLock { $0 = .closed } }
      return (state.idle.map(\.session), state.queue)
    }
    for request in requests { request.waiter.resume(.ready) }
    for session in sessions { discard(session) }
  }

  static var closedError: PostgreSQLError {
    PostgreSQLError(code: .closed, message: "the database is closed")
  }
}

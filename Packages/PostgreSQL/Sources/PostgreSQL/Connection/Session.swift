internal import Primitives

/// The state that the connections to one database share.
final class SharedSessionState: Sendable {
  let catalog = TypeCatalog()
  /// Indicates whether prepared statements failed, because a pooler moves connections between servers.
  let requiresUnnamedStatements = Atomic(false)
  let primary = Mutex(KnownPrimary())
  /// The number of operations that have ended on connections that accept writes.
  let operationCount = Atomic<UInt64>(0)
}

/// A connection to a server, which one task at a time uses.
///
/// All methods that talk to the server run in a turn: see ``perform(isRequired:_:)``. The task that has the turn calls
/// libpq itself, and suspends while the server has not answered.
///
/// `@unchecked Sendable`: `turn` determines the task that uses the stored properties.
final class Session: @unchecked Sendable {
  let configuration: PostgreSQLConfiguration
  let shared: SharedSessionState
  let openTime = EventLoop.now
  private let turn = Turn()
  private let waiter: Waiter
  /// The connection; `nil` once it is closed.
  private(set) var handle: ConnectionHandle?
  var cache: StatementCache
  /// The memory for parameters.
  var parameterBytes = ByteBuffer()
  /// The reason why the connection can't be used.
  private(set) var failure: PostgreSQLError? {
    // A standby may be promoted because the primary has failed.
    didSet { if failure?.code == .connectionLost { shared.primary.withLock { $0.forgetHost() } } }
  }
  /// The position in the primary's log up to which this standby is known to have replayed it.
  var replayedPosition = Int64.min
  /// The number of transactions and savepoints that methods of this package have begun.
  var transactionDepth = 0
  /// Indicates whether the session may have settings that the next user does not expect.
  var isStateChanged = false

  private var briefWaiting = BriefWaiting()
  /// The time limit of the current operation.
  private var deadline = UInt64.max
  /// The reason why the current operation is being cancelled.
  private var interruption: Interruption?
  /// The time by which a cancelled statement must have ended.
  private var cancellationDeadline = UInt64.max
  /// The cancel request that was sent last.
  private var cancelRequest: CancelRequest?

  private enum Interruption {
    case cancelled, timedOut
  }

  /// A request on another thread.
  private final class CancelRequest: Sendable {
    /// Resumed when the server has received the request.
    let waiter = Waiter.forTask()
    let isComplete = Atomic(false)
  }

  /// The time after which a statement that continues is cancelled again: the server ignores a request that arrives
  /// before the statement does.
  private static let repetitionInterval: Duration = .milliseconds(200)

  init(
    _ handle: ConnectionHandle, waiter: Waiter, configuration: PostgreSQLConfiguration,
    shared: SharedSessionState
  ) {
    self.handle = handle
    self.waiter = waiter
    self.configuration = configuration
    self.shared = shared
    cache = StatementCache(capacity: configuration.statementCacheCapacity)
  }

  deinit { waiter.close() }

  var catalog: TypeCatalog { shared.catalog }

  // MARK: Turns

  /// Runs `body` in this task's turn.
  ///
  /// If the task is cancelled, the running statement is cancelled. An operation that is required to leave the session in
  /// a known state, such as a rollback, runs even if the task is cancelled.
  func perform<Result>(
    isRequired: Bool = false, _ body: () async throws -> Result
  ) async throws -> Result {
    try await turn.acquire(isRequired: isRequired)
    defer { turn.release() }
    if let failure { throw failure }
    waiter.clearInterruption()
    interruption = nil
    deadline = EventLoop.time(after: configuration.statementTimeout)
    do {
      let result: Result
      if isRequired {
        result = try await body()
      } else {
        try Task.checkCancellation()
        result = try await withTaskCancellationHandler {
          try await body()
        } onCancel: {
          waiter.interrupt()
        }
      }
      await endOperation()
      return result
    } catch {
      await endOperation()
      throw translated(error)
    }
  }

  /// Indicates whether the session needs no reset. Is `false` while a task has the turn.
  func isClean() -> Bool {
    guard turn.tryAcquire() else { return false }
    defer { turn.release() }
    return isUsable && !isStateChanged && transactionDepth == 0 && handle?.isIdle ?? false
  }

  // MARK: Streams

  /// Begins an operation that ends with ``endStream()``.
  func beginStream() async throws {
    try await turn.acquire()
    if let failure {
      turn.release()
      throw failure
    }
    interruption = nil
  }

  /// Runs a part of an operation, during which the task can be cancelled.
  func continueStream<Result>(_ body: () async throws -> Result) async throws -> Result {
    if let failure { throw failure }
    waiter.clearInterruption()
    if interruption == nil { deadline = EventLoop.time(after: configuration.statementTimeout) }
    do {
      return try await withTaskCancellationHandler {
        try await body()
      } onCancel: {
        waiter.interrupt()
      }
    } catch {
      throw translated(error)
    }
  }

  func endStream() async {
    await endOperation()
    turn.release()
  }

  /// Waits until the server has received the cancel request, which would otherwise cancel the next statement.
  private func endOperation() async {
    if !configuration.isReadOnly { shared.operationCount.add(1, ordering: .releasing) }
    if let cancelRequest {
      _ = await cancelRequest.waiter.wait()
      self.cancelRequest = nil
    }
    if let onNotice = configuration.onNotice, let handle {
      for notice in handle.takeNotices() { onNotice(notice) }
    }
  }

  /// The error to throw for an error of the current operation.
  func translated(_ error: any Error) -> any Error {
    guard let error = error as? PostgreSQLError, error.code == .queryCanceled else { return error }
    switch interruption {
    case .cancelled: return CancellationError()
    case .timedOut:
      return statementTimedOut.inStatement(error.sql)
    case nil: return error
    }
  }

  // MARK: Waiting

  /// The connection, or an error if it is closed.
  func openHandle() throws(PostgreSQLError) -> ConnectionHandle {
    if let failure { throw failure }
    guard let handle else { throw Self.closedError }
    return handle
  }

  /// Waits until the socket is ready, reads the input, and writes pending output.
  ///
  /// - Returns: Whether output is pending.
  func waitForSocket(isWriting: Bool) async throws(PostgreSQLError) -> Bool {
    let handle = try openHandle()
    guard let socket = handle.socket else { throw lose() }
    let wake: Waiter.Wake
    if deadline < .max, EventLoop.now >= deadline {
      // Rows that arrive without a pause would always end the wait before the deadline does.
      wake = .timedOut
    } else if !isWriting, briefWaiting.isWorthwhile, !waiter.isInterrupted {
      let isAnswered = EventLoop.shared.waitBriefly(for: socket)
      briefWaiting.note(isAnswered: isAnswered)
      if isAnswered {
        wake = .ready
      } else {
        wake = await waiter.wait(for: .read, of: socket, until: deadline)
      }
    } else {
      let start = EventLoop.now
      wake = await waiter.wait(
        for: isWriting ? [.read, .write] : .read, of: socket, until: deadline)
      briefWaiting.note(suspendedFor: EventLoop.now &- start)
    }
    switch wake {
    case .ready: break
    case .interrupted: requestCancel(.cancelled)
    case .timedOut:
      guard interruption == nil || EventLoop.now < cancellationDeadline else {
        throw lose("the server did not end a cancelled statement in time")
      }
      requestCancel(.timedOut)
    case .failed: throw lose("the system can't wait for the socket")
    }
    // The end of the connection is detected when the results are read, after earlier results.
    _ = handle.consumeInput()
    return isWriting ? try flush() : false
  }

  /// Sends buffered output. Returns whether some is pending.
  func flush() throws(PostgreSQLError) -> Bool {
    switch try openHandle().flush() {
    case .done: return false
    case .pending: return true
    // The server may have sent the reason before it closed the connection.
    case .failed: return false
    }
  }

  /// Waits for an event of the socket until a time, and reads the input.
  ///
  /// - Returns: Whether the wait was not interrupted.
  func waitForInput(until deadline: UInt64 = .max) async throws(PostgreSQLError) -> Bool {
    let handle = try openHandle()
    guard let socket = handle.socket else { throw lose() }
    switch await waiter.wait(for: .read, of: socket, until: deadline) {
    case .interrupted: return false
    case .failed: throw lose("the system can't wait for the socket")
    case .ready, .timedOut: break
    }
    guard handle.consumeInput() else { throw lose() }
    return true
  }

  private func requestCancel(_ reason: Interruption) {
    if interruption == nil {
      interruption = reason
      cancellationDeadline = EventLoop.time(after: configuration.cancellationTimeout)
    }
    deadline = min(cancellationDeadline, EventLoop.time(after: Self.repetitionInterval))
    guard cancelRequest?.isComplete.load(ordering: .acquiring) ?? true, let handle else { return }
    let request = CancelRequest()
    cancelRequest = request
    BlockingThread.start {
      handle.cancel()
      request.isComplete.store(true, ordering: .releasing)
      request.waiter.resume(.ready)
    }
  }

  /// Throws if the operation was interrupted, so that it sends no further statement.
  func checkInterruption() throws {
    switch interruption {
    case nil: break
    case .cancelled: throw CancellationError()
    case .timedOut: throw statementTimedOut
    }
  }

  private var statementTimedOut: PostgreSQLError {
    PostgreSQLError(
      code: .timedOut,
      message: "the statement did not end within \(configuration.statementTimeout ?? .zero)")
  }

  /// Cancels the running statement.
  func cancelStatement() { requestCancel(.cancelled) }

  // MARK: Failures

  static var closedError: PostgreSQLError {
    PostgreSQLError(code: .closed, message: "the connection is closed")
  }

  /// Marks the connection as lost, and returns the error to throw.
  func lose(_ reason: String? = nil) -> PostgreSQLError {
    if let failure { return failure }
    let message = reason ?? handle.map { $0.message }.flatMap { $0.isEmpty ? nil : $0 }
    let error = PostgreSQLError(
      code: .connectionLost, message: message ?? "the connection to the server ended")
    failure = error
    return error
  }

  /// Marks the connection as lost if the error or the state of the handle indicates it.
  func noteFailure(_ error: PostgreSQLError?) {
    guard failure == nil else { return }
    if let error, error.code.endsConnection {
      failure = PostgreSQLError(
        code: .connectionLost, message: "the connection ended: \(error.message)")
    } else if handle?.hasFailed ?? true {
      _ = lose()
    }
  }

  /// Indicates whether the connection can be used. Requires that no task has the turn.
  var isUsable: Bool { failure == nil && handle != nil }

  /// Indicates whether the server has reported that it is no standby. Servers report this since version 14.
  var isPrimary: Bool { handle?.parameterStatus("in_hot_standby") == "off" }

  /// Reads the input of an idle connection, which shows whether the server has ended it.
  func isAlive() -> Bool {
    guard isUsable, let handle else { return false }
    if handle.consumeInput(), !handle.isBusy, !handle.isEnding, !handle.hasFailed, handle.isIdle {
      return true
    }
    _ = lose()
    return false
  }

  /// Closes the connection after the current operation.
  func close() async {
    try? await turn.acquire(isRequired: true)
    defer { turn.release() }
    closeNow()
  }

  /// Closes the connection. The caller has the turn, or no task can get it.
  func closeNow() {
    if failure == nil { failure = Self.closedError }
    waiter.close()
    handle = nil
  }
}

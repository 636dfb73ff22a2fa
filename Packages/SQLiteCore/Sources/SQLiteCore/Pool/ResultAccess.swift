/// An access that a task awaits.
///
/// `@unchecked Sendable`: see ``Access``. The other properties are written before the access waits.
class TaskAccess<Result>: Access, @unchecked Sendable {
  private var continuation: ThrowingContinuation<Result>?
  /// The access that the task began with, if it is not this one.
  private var predecessor: Access?

  /// Waits for a connection, runs, and returns the result. Must be called once.
  final func result() async throws -> sending Result {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return try await withTaskPriorityEscalationHandler {
        try await cancellableResult()
      } onPriorityEscalated: { _, priority in
        self.pool.raise(self, to: AccessPriority(priority))
      }
    } else {
      return try await cancellableResult()
    }
  }

  private func cancellableResult() async throws -> sending Result {
    #if THREAD_SANITIZER
      // ThreadSanitizer does not see how the runtime synchronizes a task that is resumed before it is suspended.
      defer { waitUntilFinished() }
    #endif
    return try await withTaskCancellationHandler {
      try await withContinuation { if enqueue(resuming: $0) { spinUntilFinished() } }
    } onCancel: {
      cancel()
    }
  }

  /// Enters the queue. Must be called once.
  @discardableResult
  final func enqueue(resuming continuation: ThrowingContinuation<Result>) -> Bool {
    self.continuation = continuation
    return enqueue()
  }

  /// Resumes the task.
  final func resume(_ result: consuming sending Swift.Result<Result, any Error>) {
    continuation?(result)
    finish()
    predecessor?.finish()
    predecessor = nil
  }

  /// Makes `other` resume the task in place of this access.
  final func transferContinuation(to other: TaskAccess<Result>) {
    other.predecessor = self
    if let continuation { other.enqueue(resuming: continuation) }
  }

  override func fail(_ error: any Error) { resume(.failure(error)) }
}

/// An access that returns its body's result to its task.
///
/// `@unchecked Sendable`: see ``Access``. `body` is used by the thread that runs the access, and `retainedConnection` is
/// written before the task resumes.
final class ResultAccess<Result>: TaskAccess<Result>, @unchecked Sendable {
  /// Released before the task resumes, which may rely on the release of captured objects.
  private var body: (@Sendable (Connection) throws -> sending Result)?
  /// Indicates whether the task keeps the connection after the body has run.
  private let retainsConnection: Bool
  /// Called if the body will not run.
  private let onFailure: (@Sendable () -> Void)?
  private(set) var retainedConnection: PooledConnection?

  init(
    in pool: ConnectionPool, priority: AccessPriority = .current, retainsConnection: Bool = false,
    beyondCapacity: Bool = false, onFailure: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) {
    self.body = body
    self.retainsConnection = retainsConnection
    self.onFailure = onFailure
    super.init(in: pool, priority: priority, beyondCapacity: beyondCapacity)
  }

  override func perform(on pooled: PooledConnection) -> Access? {
    guard beginRunning(on: pooled) else {
      let next = pool.release(pooled)
      fail(CancellationError())
      return next
    }
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try runBody(on: pooled.connection))
      if retainsConnection { retainedConnection = pooled }
    } catch {
      result = .failure(taskError(error))
    }
    pooled.end()
    let next = retainedConnection == nil ? pool.release(pooled) : nil
    resume(result)
    return next
  }

  private func runBody(on connection: Connection) throws -> sending Result {
    guard let body = body.take() else { throw CancellationError() }
    return try body(connection)
  }

  override func fail(_ error: any Error) {
    body = nil
    onFailure?()
    super.fail(error)
  }
}

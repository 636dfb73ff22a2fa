internal import Primitives

extension ChangeHub {
  struct IdleWaiter {
    let inbox: Inbox<Void>
    let includesConsumers: Bool
  }

  /// Waits until no fetch is pending, or the task is cancelled.
  func waitUntilIdle(includingConsumers: Bool) async {
    let inbox = Inbox<Void>()
    let idleWaiter = IdleWaiter(inbox: inbox, includesConsumers: includingConsumers)
    // The inbox never fails; it is only ended.
    _ = try? await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard inbox.wait(continuation) else { return }
        state.withLock { $0.idleWaiters.append(idleWaiter) }
        resumeIdleWaiters()
      }
    } onCancel: {
      inbox.end()
    }
    state.withLock { state in state.idleWaiters.removeAll { $0.inbox === inbox } }
  }

  /// Records that a consumer requests nothing while `isResting` returns true; `nil` ends this
  /// state.
  func rest(_ id: ID, while isResting: (@Sendable () -> Bool)?) {
    state.withLock { $0.resting[id] = isResting }
    if isResting != nil { resumeIdleWaiters() }
  }

  func resumeIdleWaiters() {
    // The clocks are user code, and are called outside the lock.
    let clocks = state.withLock { $0.idleWaiters.isEmpty ? [:] : $0.resting }
    let resting = Set(clocks.filter { $0.value() }.keys)
    // Commits of another database are delivered by that database's thread.
    let areCommitsDelivered = exchange?.isIdle != false
    let finished = state.withLock { state -> [IdleWaiter] in
      guard !state.idleWaiters.isEmpty, areCommitsDelivered else { return [] }
      return state.idleWaiters.filter {
        state.schedule.isIdle(
          includingConsumers: $0.includesConsumers,
          resting: resting.filter { state.resting[$0] != nil })
          && (!$0.includesConsumers || inspector.isIdle)
      }
    }
    for idleWaiter in finished { idleWaiter.inbox.end() }
  }
}

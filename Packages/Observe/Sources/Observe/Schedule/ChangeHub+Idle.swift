internal import Primitives

extension ChangeHub {
  /// Waits until no fetch is pending, or the task is cancelled.
  func waitUntilIdle(includingConsumers: Bool) async {
    let inbox = Inbox<Void>()
    // The inbox never fails; it is only ended.
    _ = try? await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard inbox.wait(continuation) else { return }
        state.withLock { $0.idleWaiters.append((inbox, includingConsumers)) }
        resumeIdleWaiters()
      }
    } onCancel: {
      inbox.end()
    }
    state.withLock { state in state.idleWaiters.removeAll { $0.inbox === inbox } }
  }

  /// Records that a consumer requests nothing while `isThrottled` returns true; `nil` ends this
  /// state.
  func throttle(_ id: ID, while isThrottled: (@Sendable () -> Bool)?) {
    state.withLock { $0.throttled[id] = isThrottled }
    if isThrottled != nil { resumeIdleWaiters() }
  }

  func resumeIdleWaiters() {
    // The clocks are user code, and are called outside the lock.
    let clocks = state.withLock { $0.idleWaiters.isEmpty ? [:] : $0.throttled }
    let throttled = Set(clocks.filter { $0.value() }.keys)
    // Commits of another database are delivered by that database's thread.
    let areCommitsDelivered = broadcaster?.isIdle != false
    let finished = state.withLock { state -> [Inbox<Void>] in
      guard !state.idleWaiters.isEmpty, areCommitsDelivered else { return [] }
      return state.idleWaiters.filter {
        state.schedule.isIdle(
          includingConsumers: $0.includesConsumers,
          throttled: throttled.filter { state.throttled[$0] != nil })
          && (!$0.includesConsumers || inspector.isIdle)
      }.map(\.inbox)
    }
    for inbox in finished { inbox.end() }
  }
}

internal import Primitives

extension ChangeHub {
  struct Settler {
    let inbox: Inbox<Void>
    let includesConsumers: Bool
  }

  /// Waits until there is nothing to fetch, or the task is cancelled.
  func settle(includingConsumers: Bool) async {
    let inbox = Inbox<Void>()
    let settler = Settler(inbox: inbox, includesConsumers: includingConsumers)
    // It is ended, and never fails.
    _ = try? await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard inbox.wait(continuation) else { return }
        state.withLock { $0.settlers.append(settler) }
        releaseSettled()
      }
    } onCancel: {
      inbox.end()
    }
    state.withLock { state in state.settlers.removeAll { $0.inbox === inbox } }
  }

  /// Takes note that a consumer asks for nothing while `isResting` says so; `nil` when it goes on.
  func rest(_ id: ID, while isResting: (@Sendable () -> Bool)?) {
    state.withLock { $0.resting[id] = isResting }
    if isResting != nil { releaseSettled() }
  }

  func releaseSettled() {
    // The clocks are users' code, and asked outside of the lock.
    let clocks = state.withLock { $0.settlers.isEmpty ? [:] : $0.resting }
    let resting = Set(clocks.filter { $0.value() }.keys)
    // What another database has committed is told by its thread.
    let isTold = exchange?.isSettled != false
    let settled = state.withLock { state -> [Settler] in
      guard !state.settlers.isEmpty, isTold else { return [] }
      return state.settlers.filter {
        state.schedule.isSettled(
          includingConsumers: $0.includesConsumers,
          resting: resting.filter { state.resting[$0] != nil })
          && (!$0.includesConsumers || inspector.isSettled)
      }
    }
    for settler in settled { settler.inbox.end() }
  }
}

internal import Primitives

#if canImport(Combine)
  internal import Combine
#else
  internal import OpenCombine
#endif

/// One subscriber's iteration of a sequence.
///
/// A task requests an element whenever there is demand, and sleeps otherwise. It retains the
/// sequence and the subscriber until the sequence ends or the subscriber cancels.
final class SequenceSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
  typealias Step = SequencePublisher<Output, Failure>.Step

  /// `@unchecked Sendable`: one task calls both closures, only after the subscriber has received
  /// the subscription.
  private struct Receiver: @unchecked Sendable {
    let receive: (Output) -> Subscribers.Demand
    let complete: (Subscribers.Completion<Failure>) -> Void
  }

  private struct State {
    /// `nil` after the end or cancellation.
    var receiver: Receiver?
    var demand = Subscribers.Demand.none
    var task: Task<Void, Never>?
    /// Resumed at the next demand, or at the end.
    var sleeper: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>

  init(_ subscriber: some Subscriber<Output, Failure>) {
    let receiver = Receiver {
      subscriber.receive($0)
    } complete: {
      subscriber.receive(completion: $0)
    }
    state = Mutex(State(receiver: receiver))
  }

  func begin(isOnMainActor: Bool, _ step: sending @escaping Step) {
    let task =
      if isOnMainActor {
        Task { @MainActor in await self.run(step) }
      } else {
        Task { await self.run(step) }
      }
    let isWanted = state.withLock { state in
      if state.receiver != nil { state.task = task }
      return state.receiver != nil
    }
    if !isWanted { task.cancel() }
  }

  func request(_ demand: Subscribers.Demand) { wake { $0.demand += demand } }

  func cancel() {
    let (released, task) = state.withLock { state in
      defer {
        state.receiver = nil
        state.task = nil
      }
      return (state.receiver, state.task)
    }
    task?.cancel()
    wake { _ in }
    // Objects that the subscriber retains are released here, and not under the lock.
    withExtendedLifetime(released) {}
  }

  // MARK: Task

  private func run(_ step: Step) async {
    while await hasDemand() {
      do throws(Failure) {
        guard let element = try await step() else {
          end(.finished)
          return
        }
        guard let receiver = takeDemand() else { return }
        request(receiver.receive(element))
      } catch {
        end(.failure(error))
        return
      }
    }
  }

  /// Waits until there is demand.
  ///
  /// - Returns: Whether the subscriber still exists.
  private func hasDemand() async -> Bool {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.receiver == nil || state.demand > .none { return true }
        state.sleeper = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    return state.withLock { $0.receiver != nil }
  }

  private func wake(_ change: (inout State) -> Void) {
    let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
      change(&state)
      guard state.receiver == nil || state.demand > .none else { return nil }
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume()
  }

  private func takeDemand() -> Receiver? {
    state.withLock { state in
      if state.receiver != nil, state.demand != .unlimited { state.demand -= 1 }
      return state.receiver
    }
  }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    let receiver = state.withLock { state in
      defer {
        state.receiver = nil
        state.task = nil
      }
      return state.receiver
    }
    receiver?.complete(completion)
  }
}

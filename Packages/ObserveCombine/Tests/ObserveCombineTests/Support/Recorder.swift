import Foundation
import SQLiteCore

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// A subscriber that requests the values that a test specifies, and stores the received values.
///
/// `@unchecked Sendable`: `lock` guards the mutable state.
final class Recorder<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
  private let lock = NSLock()
  private let onReceive: (Recorder, Input) -> Subscribers.Demand
  private var kept: [Input] = []
  private var completions: [Subscribers.Completion<Failure>] = []
  private var subscription: (any Subscription)?

  /// - Parameter onReceive: Called with each value, outside the lock.
  init(_ onReceive: @escaping (Recorder, Input) -> Subscribers.Demand = { _, _ in .none }) {
    self.onReceive = onReceive
  }

  var values: [Input] { lock.withLock { kept } }

  /// The completion; `nil` if the subscription has not ended.
  var completion: Subscribers.Completion<Failure>? { lock.withLock { completions.first } }

  func receive(subscription: any Subscription) {
    lock.withLock { self.subscription = subscription }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock.withLock { kept.append(input) }
    return onReceive(self, input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock.withLock { completions.append(completion) }
  }

  func request(_ demand: Subscribers.Demand) { lock.withLock { subscription }?.request(demand) }

  func cancel() { lock.withLock { subscription }?.cancel() }

  /// Waits for this number of values.
  func wait(for count: Int) async { while values.count < count { await Task.yield() } }

  func waitForEnd() async { while completion == nil { await Task.yield() } }
}

extension Subscribers.Completion {
  /// The completion as text: `finished`, or the type of its error.
  var text: String {
    switch self {
    case .finished: "finished"
    case .failure(let error as SQLiteError): "\(error.code)"
    case .failure(let error): "\(type(of: error as Any))"
    }
  }
}

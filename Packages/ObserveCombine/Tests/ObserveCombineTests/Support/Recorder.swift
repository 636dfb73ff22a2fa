import Foundation
import SQLiteCore

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// A subscriber that asks for what a test says, and keeps what it gets.
///
/// `@unchecked Sendable`: `lock` guards what varies.
final class Recorder<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
  private let lock = NSLock()
  private let onReceive: (Recorder, Input) -> Subscribers.Demand
  private var kept: [Input] = []
  private var completions: [Subscribers.Completion<Failure>] = []
  private var subscription: (any Subscription)?

  /// - Parameter onReceive: Is called with each value, outside of the lock.
  init(_ onReceive: @escaping (Recorder, Input) -> Subscribers.Demand = { _, _ in .none }) {
    self.onReceive = onReceive
  }

  var values: [Input] { lock.withLock { kept } }

  /// How it ended: `nil` where it has not.
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

  /// Waits for so many values.
  func wait(for count: Int) async { while values.count < count { await Task.yield() } }

  func waitForEnd() async { while completion == nil { await Task.yield() } }
}

extension Subscribers.Completion {
  /// What it says, as `finished`, or the type of its error.
  var text: String {
    switch self {
    case .finished: "finished"
    case .failure(let error as SQLiteError): "\(error.code)"
    case .failure(let error): "\(type(of: error as Any))"
    }
  }
}

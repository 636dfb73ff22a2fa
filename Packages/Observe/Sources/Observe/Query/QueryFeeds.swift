internal import Primitives

/// The sequences that a controller feeds, each with the latest phase that its consumer has not seen.
final class QueryFeeds<Value: Sendable>: Sendable {
  typealias Phase = QueryPhase<Value>

  private struct State {
    var lastID: UInt64 = 0
    var feeds: [UInt64: AsyncStream<Phase>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// A sequence that begins with a phase.
  func add(_ first: Phase) -> AsyncStream<Phase> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Phase.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastID += 1
      state.feeds[state.lastID] = continuation
      return state.lastID
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.feeds.removeValue(forKey: id) }
    }
    continuation.yield(first)
    return stream
  }

  func send(_ phase: Phase) {
    for feed in state.withLock({ Array($0.feeds.values) }) { feed.yield(phase) }
  }

  func finish() {
    for feed in state.withLock({ Array($0.feeds.values) }) { feed.finish() }
  }
}

extension QueryController {
  /// The phases, from that of now on. Who is slow gets the latest next.
  ///
  /// It ends with the controller, which it does not keep, and when its task is cancelled.
  public var phases: AsyncStream<QueryPhase<Request.Value>> {
    feeds.add(phase)
  }

  /// The values, from that of now on where it is known. Who is slow gets the latest next.
  ///
  /// What is merely the last known, of before a change or a failure, is none. The sequence ends with the
  /// controller, which it does not keep, and when its task is cancelled.
  public var values: AsyncCompactMapSequence<AsyncStream<QueryPhase<Request.Value>>, Request.Value>
  {
    feeds.add(phase).compactMap { phase in
      if case .value(let value) = phase { value } else { nil }
    }
  }
}

internal import Primitives
internal import SQLiteCore

/// A namespace for the sequences, events and statistics of observations.
///
/// ``ValueObservation`` and `Database` return these types. Most programs use them without naming them.
public enum DatabaseObservation {}

extension DatabaseObservation {
  /// Pauses observations, and resumes them: those of a view that is out of sight, say.
  ///
  /// ```swift
  /// let control = DatabaseObservation.Control()
  /// let players = database.observe(fetch).controlled(by: control)
  /// control.pause()  // commits cause no fetch any more
  /// control.resume()  // whose value is stale by now gets the latest
  /// ```
  ///
  /// A paused iteration waits. A fetch that runs when it is paused is not interrupted, and gives its value. Closing
  /// the database and cancelling the task end it as ever.
  public final class Control: Sendable {
    private struct State {
      var isPaused: Bool
      var members: [ObjectIdentifier: Member] = [:]
    }

    /// An iteration, as its hub knows it.
    private struct Member {
      weak var hub: ChangeHub?
      let id: Schedule.ID
    }

    private let state: Mutex<State>

    /// - Parameter isPaused: Whether observations begin paused, without a first value.
    public init(isPaused: Bool = false) { state = Mutex(State(isPaused: isPaused)) }

    /// Whether the observations are paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Pauses all iterations of observations under this control, later ones too.
    public func pause() { set(isPaused: true) }

    /// Resumes them: each whose value is stale gets the latest.
    public func resume() { set(isPaused: false) }

    private func set(isPaused: Bool) {
      // Under the lock, so that the last call counts; no user code is run.
      state.withLock { state in
        state.isPaused = isPaused
        for member in state.members.values {
          if isPaused { member.hub?.pause(member.id) } else { member.hub?.resume(member.id) }
        }
      }
    }

    func add(_ key: AnyObject, _ id: Schedule.ID, in hub: ChangeHub) {
      state.withLock { state in
        state.members[ObjectIdentifier(key)] = Member(hub: hub, id: id)
        if state.isPaused { hub.pause(id) }
      }
    }

    func remove(_ key: AnyObject) {
      state.withLock { $0.members[ObjectIdentifier(key)] = nil }
    }
  }
}

extension ValueObservation {
  /// Puts the observation's iterations under a control, which pauses and resumes them.
  public func controlled(by control: DatabaseObservation.Control) -> ValueObservation {
    var observation = self
    observation.control = control
    return observation
  }
}

extension DatabaseObservation {
  /// The values of a ``ValueObservation``, and the errors of fetches that failed: neither is the end.
  ///
  /// ```swift
  /// for await result in database.observe(fetch).results {
  ///   switch result {
  ///   case .success(let players): show(players)
  ///   case .failure(let error): show(error)
  ///   }
  /// }
  /// ```
  ///
  /// What holds for an observation's values holds for these. After a failure, the value is fetched again when a
  /// commit changes something of what it depended on when it was last fetched, or of what was read
  /// until the failure; where there has been no value yet, at the next commit, whatever that
  /// changes. Between commits a failed fetch is not repeated: what failed for another reason, such as a
  /// network, is fetched again by `Database.notifyChanges(in:)`.
  ///
  /// The sequence ends when the database is closed, or the task is cancelled. Where commits can't be
  /// recorded, the error is its only element.
  public struct Results<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Result<Value, any Error>
    public typealias Failure = Never

    let observation: ValueObservation<Value>

    public func makeAsyncIterator() -> AsyncIterator {
      let pacers = observation.timing.pacers
      let fetcher = Fetcher(region: observation.region, fetch: observation.fetch).paced(by: pacers)
      let observer = ResultObserver(fetcher, isDuplicate: observation.isDuplicate)
      return AsyncIterator(
        subscription: Subscription(
          to: observation.database, inbox: observer.inbox, control: observation.control,
          pacers: pacers
        ) {
          $0.add(observer, endsOnFailure: false, name: observation.name)
        })
    }

    /// One observation, from its first value or error on. It ends when it is let go.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscription: Subscription<Element>
      private var hasEnded = false

      init(subscription: Subscription<Element>) { self.subscription = subscription }

      /// The next value or error.
      ///
      /// - Returns: `nil` where the task was cancelled or the database is closed.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Element? {
        if hasEnded { return nil }
        do {
          if let result = try await subscription.next() { return result }
          hasEnded = true
          return nil
        } catch {
          hasEnded = true
          if let error = error as? SQLiteError, error.code == .closed { return nil }
          return .failure(error)
        }
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async -> Element? {
        await next(isolation: #isolation)
      }
    }
  }
}

extension ValueObservation {
  /// The values, and what failed fetches threw, which is not the end of it.
  public var results: DatabaseObservation.Results<Value> {
    DatabaseObservation.Results(observation: self)
  }
}

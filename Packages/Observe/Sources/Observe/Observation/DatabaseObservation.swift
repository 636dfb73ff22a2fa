internal import Primitives
internal import SQLiteCore

/// A namespace for the sequences, events and statistics of observations.
///
/// ``ValueObservation`` and `Database` return these types. Most programs use them without naming
/// them.
public enum DatabaseObservation {}

extension DatabaseObservation {
  /// Pauses and resumes observations, for example the observations of a view that is not visible.
  ///
  /// ```swift
  /// let control = DatabaseObservation.Control()
  /// let players = database.observe(fetch).controlled(by: control)
  /// control.pause()  // commits cause no fetches
  /// control.resume()  // fetches the values that are stale
  /// ```
  ///
  /// A paused iteration waits. A fetch that is running when the iteration is paused is not
  /// interrupted, and delivers its value. Closing the database and cancelling the task end the
  /// iteration as usual.
  public final class Control: Sendable {
    private struct State {
      var isPaused: Bool
      var members: [ObjectIdentifier: Member] = [:]
    }

    /// An iteration and its hub.
    private struct Member {
      weak var hub: ChangeHub?
      let id: Schedule.ID
    }

    private let state: Mutex<State>

    /// Creates a control.
    ///
    /// - Parameter isPaused: Whether observations are initially paused, before their first value.
    public init(isPaused: Bool = false) { state = Mutex(State(isPaused: isPaused)) }

    /// A Boolean value that indicates whether the observations are paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Pauses all iterations of observations under this control, including later ones.
    public func pause() { set(isPaused: true) }

    /// Resumes all iterations. Iterations with stale values receive the latest value.
    public func resume() { set(isPaused: false) }

    private func set(isPaused: Bool) {
      // Under the lock, so that the last call takes effect; no user code runs.
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
  /// Assigns the observation's iterations to a control, which pauses and resumes them.
  public func controlled(by control: DatabaseObservation.Control) -> ValueObservation {
    var observation = self
    observation.control = control
    return observation
  }
}

extension DatabaseObservation {
  /// The values of a ``ValueObservation`` and the errors of failed fetches. An error does not end
  /// the sequence.
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
  /// The guarantees for an observation's values apply. After a failure, the value is fetched again
  /// when a commit changes something that the last successful fetch depended on, or that was read
  /// until the failure; if there has been no value yet, at the next commit, regardless of its
  /// changes. A failed fetch is not repeated between commits: after failures for other reasons,
  /// such as a network, call `Database.notifyChanges(in:)`.
  ///
  /// The sequence ends when the database is closed or the task is cancelled. If commits can't be
  /// recorded, the error is its only element.
  public struct Results<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Result<Value, any Error>
    public typealias Failure = Never

    let observation: ValueObservation<Value>

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(subscription: observation.subscribe(endsOnFailure: false))
    }

    /// One iteration, starting with its first value or error. It ends when the iterator is
    /// released.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscription: Subscription<Element>
      private var hasEnded = false

      init(subscription: Subscription<Element>) { self.subscription = subscription }

      /// Returns the next value or error.
      ///
      /// - Returns: `nil` if the task was cancelled or the database is closed.
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

      /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
      public mutating func next() async -> Element? {
        await next(isolation: #isolation)
      }
    }
  }
}

extension ValueObservation {
  /// The values, and the errors of failed fetches, which don't end the sequence.
  public var results: DatabaseObservation.Results<Value> {
    DatabaseObservation.Results(observation: self)
  }
}

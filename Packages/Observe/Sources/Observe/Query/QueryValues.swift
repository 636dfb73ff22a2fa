@_spi(Observing) public import SQLiteCore
internal import Primitives

/// The values of a request, as a sequence.
///
/// Each iteration fetches independently. It ends when its task is cancelled, and with the first
/// error, unless the values were created from results.
public struct QueryValues<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = any Error

  private let begin: @Sendable () -> () async throws -> Value?
  /// The state of the last fetch; `nil` if no database is observed.
  let lastFetch: LastFetch?
  /// Indicates whether the sequence continues after an error.
  let continuesAfterError: Bool

  /// Creates values from the elements of another sequence.
  public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Value {
    self.init(base, lastFetch: nil)
  }

  /// Creates values from the successes of another sequence. A failure does not end the values: it
  /// is the query's error until the next value.
  ///
  /// After the sequence has ended, a query that begins later iterates it again, and does not
  /// receive the earlier values.
  ///
  /// ```swift
  /// QueryValues(results: router.observeValues(Todo.self, for: .fetch(from: "todos")).results)
  /// ```
  public init<Base: AsyncSequence & Sendable>(results base: Base)
  where Base.Element == Result<Value, any Error> {
    lastFetch = nil
    continuesAfterError = true
    begin = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.nextElement()?.get() }
    }
  }

  private init<Base: AsyncSequence & Sendable>(_ base: Base, lastFetch: LastFetch?)
  where Base.Element == Value {
    self.lastFetch = lastFetch
    continuesAfterError = false
    begin = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.nextElement() }
    }
  }

  /// Creates values by transforming each element of another sequence together with the previous
  /// value.
  init<Base: AsyncSequence & Sendable>(
    _ base: Base, _ transform: @escaping @Sendable (Base.Element, _ last: Value?) -> Value
  ) where Base.Element: Sendable {
    let values = base as? QueryValues<Base.Element>
    lastFetch = values?.lastFetch
    continuesAfterError = values?.continuesAfterError ?? false
    begin = {
      var iterator = base.makeAsyncIterator()
      var last: Value?
      return {
        guard let element = try await iterator.nextElement() else { return nil }
        let value = transform(element, last)
        last = value
        return value
      }
    }
  }

  /// Creates a single value, fetched when it is requested.
  init(
    fetching reader: any DatabaseReader, _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) {
    lastFetch = nil
    continuesAfterError = false
    begin = {
      var isDone = false
      return {
        if isDone { return nil }
        isDone = true
        do {
          return try await reader.read(fetch)
        } catch is CancellationError where Task.isCancelled {
          return nil
        }
      }
    }
  }

  /// Creates a value, and a new one after each commit that may have changed it.
  ///
  /// If the reader's database never changes, as for a snapshot, there is only one value.
  init(
    observing reader: any DatabaseReader, _ region: Region?,
    isDuplicate: (@Sendable (Value, Value) -> Bool)? = nil, name: String? = nil,
    _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) {
    if let database = reader.observed {
      self.init(database.observe(region, fetch), isDuplicate: isDuplicate, name: name)
    } else {
      self.init(fetching: reader, fetch)
    }
  }

  /// Creates a value, and a new one after each commit that may have changed it, with a region that
  /// `fetch` sets: see `Database.observe(trackingRegion:)`.
  ///
  /// If the reader's database never changes, as for a snapshot, there is only one value.
  ///
  /// - Parameters:
  ///   - reader: The reader of the database to observe.
  ///   - isDuplicate: Compares the last value with a new one. Equal values are skipped.
  ///   - name: The observation's name in events and statistics; `nil` for a number.
  ///   - fetch: Fetches the value, and adds its dependencies to the region.
  public init(
    observing reader: any DatabaseReader, isDuplicate: (@Sendable (Value, Value) -> Bool)? = nil,
    name: String? = nil,
    trackingRegion fetch: @escaping @Sendable (Connection, inout Region) throws -> Value
  ) {
    if let observation = reader.observation(trackingRegion: fetch) {
      self.init(observation, isDuplicate: isDuplicate, name: name)
    } else {
      self.init(fetching: reader) { connection in
        var region = Region.nothing
        return try fetch(connection, &region)
      }
    }
  }

  private init(
    _ observation: ValueObservation<Value>, isDuplicate: (@Sendable (Value, Value) -> Bool)?,
    name: String?
  ) {
    let lastFetch = LastFetch()
    let database = observation.database.sqlite
    var observation = observation.wrapped { [weak database] context, fetch in
      // Before anything is read: the read shows this commit, and possibly later ones.
      if let database { lastFetch.begin(ChangeHub.of(database)) }
      let value = try fetch(&context)
      lastFetch.succeed()
      return value
    }
    observation.name = name
    if let isDuplicate { observation = observation.removeDuplicates(by: isDuplicate) }
    self.init(observation, lastFetch: lastFetch)
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: begin()) }

  /// One iteration of the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let step: () async throws -> Value?

    /// Returns the next value, or `nil` if there is none or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      try await step()
    }

    /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
    public mutating func next() async throws -> Value? {
      try await next(isolation: #isolation)
    }
  }
}

/// The state of the database that a fetch has seen, even if the fetch failed.
final class LastFetch: Sendable {
  /// The position, and a token that keeps all later commits recorded while the fetch runs, or after
  /// it has failed.
  private let state = Mutex<(position: UInt64?, recordingToken: RowRecordingToken?)>((nil, nil))

  /// The number of the last commit that the fetch certainly shows.
  var position: UInt64? { state.withLock { $0.position } }

  func begin(_ hub: ChangeHub) {
    let token = RowRecordingToken(hub)
    // In this order, so that every later commit is recorded.
    let position = hub.position
    let last = state.withLock { state in
      defer { state = (position, token) }
      return state.recordingToken
    }
    withExtendedLifetime(last) {}
  }

  func succeed() {
    let last = state.withLock { $0.recordingToken.take() }
    withExtendedLifetime(last) {}
  }
}

extension DatabaseReader {
  /// The database whose commits make values stale; `nil` if the reader observes none.
  var observed: Database? { self as? Database ?? (self as? ReadOnlyDatabase)?.observedDatabase }
}

@_spi(Observing) public import SQLiteCore
internal import Primitives

/// The values of a request, one after another, however they are made.
///
/// Each iteration fetches for itself. It ends when its task is cancelled, and with the first error, unless the values are
/// made of results.
public struct QueryValues<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = any Error

  private let begin: @Sendable () -> () async throws -> Value?
  /// Tells what the last fetch has seen; `nil` where nothing is observed.
  let lastFetch: LastFetch?
  /// Whether an error is not the end.
  let goesOn: Bool

  /// The elements of another sequence.
  public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Value {
    self.init(base, lastFetch: nil)
  }

  /// The successes of another sequence, whose failures are not the end: each is the query's error until a value follows.
  ///
  /// Where the sequence ends, a query that begins later begins it anew, and is not told what there was.
  ///
  /// ```swift
  /// QueryValues(results: router.observeValues(Todo.self, for: .fetch(from: "todos")).results)
  /// ```
  public init<Base: AsyncSequence & Sendable>(results base: Base)
  where Base.Element == Result<Value, any Error> {
    lastFetch = nil
    goesOn = true
    begin = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.nextElement()?.get() }
    }
  }

  private init<Base: AsyncSequence & Sendable>(_ base: Base, lastFetch: LastFetch?)
  where Base.Element == Value {
    self.lastFetch = lastFetch
    goesOn = false
    begin = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.nextElement() }
    }
  }

  /// What `transform` makes of the elements of another sequence, and of what it made of the one before.
  init<Base: AsyncSequence & Sendable>(
    _ base: Base, _ transform: @escaping @Sendable (Base.Element, _ last: Value?) -> Value
  ) {
    lastFetch = (base as? any TellingLastFetch)?.lastFetch
    goesOn = (base as? any TellingLastFetch)?.goesOn ?? false
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

  /// One value, fetched when it is asked for.
  init(
    fetching reader: any DatabaseReader, _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) {
    lastFetch = nil
    goesOn = false
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

  /// A value, and a fresh one after each commit that may have changed it.
  ///
  /// Of a reader whose database never changes, such as a snapshot, it is one.
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

  /// A value, and a fresh one after each commit that may have changed it, of a fetch that says itself what it reads:
  /// see `Database.observe(telling:)`.
  ///
  /// Of a reader whose database never changes, such as a snapshot, it is one.
  ///
  /// - Parameters:
  ///   - reader: The database that is observed.
  ///   - isDuplicate: Compares the last value with a fresh one, to skip it where they are equal.
  ///   - name: What it is called where observations are looked at; `nil` for a number.
  ///   - fetch: Makes the value, and adds to the region what it depends on.
  public init(
    observing reader: any DatabaseReader, isDuplicate: (@Sendable (Value, Value) -> Bool)? = nil,
    name: String? = nil,
    telling fetch: @escaping @Sendable (Connection, inout Region) throws -> Value
  ) {
    if let observation = reader.observation(telling: fetch) {
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
    let database = observation.database
    var observation = observation.wrapped { [weak database] run, fetch in
      // Before anything is read: what is read shows this commit, and maybe later ones.
      if let database { lastFetch.begin(ChangeHub.of(database)) }
      let value = try fetch(&run)
      lastFetch.succeed()
      return value
    }
    observation.name = name
    if let isDuplicate { observation = observation.removeDuplicates(by: isDuplicate) }
    self.init(observation, lastFetch: lastFetch)
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: begin()) }

  /// One run of the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let step: () async throws -> Value?

    /// The next value; `nil` where there is none, or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      try await step()
    }

    /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
    public mutating func next() async throws -> Value? {
      try await next(isolation: #isolation)
    }
  }
}

/// Values whose last fetch can be asked about.
protocol TellingLastFetch {
  var lastFetch: LastFetch? { get }
  var goesOn: Bool { get }
}

extension QueryValues: TellingLastFetch {}

/// What a fetch has seen, of which nothing may have come but an error.
final class LastFetch: Sendable {
  private struct Kept {
    var position: UInt64?
    /// Has all that is committed since kept, while the fetch may fail or has failed.
    var claim: ChangeClaim?
  }

  private let kept = Mutex(Kept())

  /// The number of the last commit that it shows for certain.
  var position: UInt64? { kept.withLock { $0.position } }

  func begin(_ hub: ChangeHub) {
    let claim = ChangeClaim(hub)
    // In this order: no commit from there on is forgotten.
    let begun = Kept(position: hub.position, claim: claim)
    let last = kept.withLock { kept in
      defer { kept = begun }
      return kept.claim
    }
    withExtendedLifetime(last) {}
  }

  func succeed() {
    let last = kept.withLock { $0.claim.take() }
    withExtendedLifetime(last) {}
  }
}

extension DatabaseReader {
  /// The database whose commits tell that a value is stale; `nil` where none do.
  var observed: Database? { self as? Database ?? (self as? ReadOnlyDatabase)?.observedDatabase }
}

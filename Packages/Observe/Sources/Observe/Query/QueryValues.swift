@_spi(Observing) internal import SQLiteCore

/// The values of a request, one after another, however they are made.
///
/// Each iteration fetches for itself. It ends when its task is cancelled, and with the first error.
public struct QueryValues<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = any Error

  private let begin: @Sendable () -> () async throws -> Value?

  /// The elements of another sequence.
  public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Value {
    begin = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.next(isolation: #isolation) }
    }
  }

  /// What `transform` makes of the elements of another sequence, and of what it made of the one before.
  init<Base: AsyncSequence & Sendable>(
    _ base: Base, _ transform: @escaping @Sendable (Base.Element, _ last: Value?) -> Value
  ) {
    begin = {
      var iterator = base.makeAsyncIterator()
      var last: Value?
      return {
        guard let element = try await iterator.next(isolation: #isolation) else { return nil }
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
    isDuplicate: (@Sendable (Value, Value) -> Bool)? = nil,
    _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) {
    if let database = reader.observed {
      var observation = database.observe(region, fetch)
      if let isDuplicate { observation = observation.removeDuplicates(by: isDuplicate) }
      self.init(observation)
    } else {
      self.init(fetching: reader, fetch)
    }
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
  }
}

extension DatabaseReader {
  /// The database whose commits tell that a value is stale; `nil` where none do.
  var observed: Database? { self as? Database ?? (self as? ReadOnlyDatabase)?.observedDatabase }
}

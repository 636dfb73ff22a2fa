internal import Primitives

extension RelationQuery {
  /// What is shown, and again whenever that has changed.
  ///
  /// ```swift
  /// for try await albums in cureAlbums.values { show(albums) }
  /// ```
  ///
  /// It begins with what is shown already, or where nothing was fetched, by fetching the first rows. Who is slow gets the latest.
  /// It ends where the task is cancelled, and throws what a fetch fails with, also one that a commit has caused; the query
  /// itself goes on, and another iteration may begin. It never gives equal results one after the other.
  public var values: Values { Values(query: self) }

  /// See ``RelationQuery/values``.
  public struct Values: AsyncSequence, Sendable {
    public typealias Element = [Target]
    public typealias Failure = any Error

    let query: RelationQuery

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }
  }

  /// One iteration of ``RelationQuery/values``.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let query: RelationQuery
    private let listening: Listening
    private var told: AsyncStream<Void>.AsyncIterator
    private var last: [Target.Row]?

    fileprivate init(query: RelationQuery) {
      self.query = query
      let core = query.core
      let (number, told) = core.listen()
      listening = Listening(core: core, number: number)
      self.told = told.makeAsyncIterator()
    }

    /// The next result, with its models as they are on the actor of whoever asks.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [Target]? {
      if last == nil {
        if Task.isCancelled { return nil }
        if !query.core.isLoaded { try await query.core.fetch(.again) }
        return take() ?? []
      }
      while try await told.nextElement(isolation: actor) != nil {
        if let failure = query.core.failure { throw failure }
        if let items = take() { return items }
      }
      return nil
    }

    /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
    public mutating func next() async throws -> [Target]? {
      try await next(isolation: #isolation)
    }

    /// What is shown, unless that is what was given last.
    private mutating func take() -> [Target]? {
      let rows = query.core.with { $0.rows.map(\.row) }
      if rows == last { return nil }
      last = rows
      return query.core.items
    }
  }

  /// Ends with the iterator.
  private final class Listening: Sendable {
    let core: QueryCore<Target>
    let number: Int

    init(core: QueryCore<Target>, number: Int) {
      self.core = core
      self.number = number
    }

    deinit { core.endListening(number) }
  }
}

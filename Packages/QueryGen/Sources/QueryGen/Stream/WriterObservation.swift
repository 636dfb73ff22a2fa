/// The values that a function fetches, first when the sequence is iterated, and again after each
/// commit that changes a region.
///
/// Unlike a `ValueObservation`, it does not fetch on a reader, which lacks the rows of temporary
/// tables.
struct WriterObservation<Value: Sendable>: AsyncSequence, Sendable {
  typealias Element = Value

  let database: Database
  let region: Region
  let fetch: @Sendable () async throws -> Value

  init(
    database: Database, region: Region, fetch: @escaping @Sendable () async throws -> Value
  ) {
    self.database = database
    self.region = region
    self.fetch = fetch
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observation: self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let observation: WriterObservation
    /// The sequence is retained, since it keeps the commits recorded.
    private var sequence: DatabaseObservation.ChangeSequence?
    private var changes: DatabaseObservation.ChangeSequence.AsyncIterator?

    init(observation: WriterObservation) { self.observation = observation }

    mutating func next() async throws -> Value? {
      if changes == nil {
        // In this order, so that no commit after the first fetch is missed.
        try await observation.database.startObserving()
        let sequence = observation.database.changes(in: observation.region)
        self.sequence = sequence
        changes = sequence.makeAsyncIterator()
      } else if try await changes?.next() == nil {
        return nil
      }
      return try await observation.fetch()
    }
  }
}

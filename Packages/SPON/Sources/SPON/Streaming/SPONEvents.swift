extension SPONEventReader {
  /// The events of a document that comes in chunks, as they come.
  ///
  /// ```swift
  /// for try await event in SPONEventReader.Events(of: chunks) {
  ///   if case .scalar(let value) = event.kind { print(event.depth, value) }
  /// }
  /// ```
  ///
  /// The next chunk is asked for once the events of those before were taken. Errors of the sequence of
  /// chunks are thrown as they are, ``SPONError`` where the document can't be read, and
  /// `CancellationError` once the task is cancelled. After an error, nothing more is given.
  ///
  /// Memory, limits, and what is an event: as ``SPONEventReader`` has it.
  public struct Events<Chunks: AsyncSequence>: AsyncSequence
  where Chunks.Element: Sequence<UInt8> {
    public typealias Element = Event
    public typealias Failure = any Error

    private let chunks: Chunks
    private let reader: SPONEventReader

    /// The events in chunks of bytes, such as `[UInt8]` or `Data`.
    public init(
      of chunks: Chunks, rules: SPONValue.Rules = .standard, limits: SPONValue.Limits = .init()
    ) {
      self.chunks = chunks
      reader = SPONEventReader(rules: rules, limits: limits)
    }

    /// The events in single bytes.
    public init<Bytes: AsyncSequence>(
      of bytes: Bytes, rules: SPONValue.Rules = .standard, limits: SPONValue.Limits = .init()
    ) where Bytes.Element == UInt8, Chunks == ByteChunks<Bytes> {
      self.init(of: ByteChunks(of: bytes), rules: rules, limits: limits)
    }

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(pump: ChunkPump(chunks.makeAsyncIterator(), into: reader))
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var pump: ChunkPump<Chunks.AsyncIterator, SPONEventReader>

      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Event? {
        try await pump.next(isolation: actor)
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> Event? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension SPONEventReader.Events: Sendable where Chunks: Sendable {}

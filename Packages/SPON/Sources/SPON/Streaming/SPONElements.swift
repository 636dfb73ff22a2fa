extension SPONElementReader {
  /// The values at a pattern in a document that comes in chunks, as they come.
  ///
  /// ```swift
  /// for try await row in SPONElementReader.Elements(of: chunks, at: [.key("rows"), .elements]) {
  ///   print(row.path, try row.value())
  /// }
  /// ```
  ///
  /// The next chunk is asked for once the values of those before were taken. Errors of the sequence of
  /// chunks are thrown as they are, ``SPONError`` where the document can't be read, and
  /// `CancellationError` once the task is cancelled. After an error, nothing more is given.
  ///
  /// Memory, limits, and what is found: as ``SPONElementReader`` has it.
  public struct Elements<Chunks: AsyncSequence>: AsyncSequence
  where Chunks.Element: Sequence<UInt8> {
    public typealias Element = SPONElementReader.Element
    public typealias Failure = any Error

    private let chunks: Chunks
    private let reader: SPONElementReader

    /// The values in chunks of bytes, such as `[UInt8]` or `Data`.
    ///
    /// - Parameters:
    ///   - chunks: The document, in pieces.
    ///   - pattern: Which values: the elements of the array that the document is, unless told otherwise.
    ///   - rules: How strictly the text is read.
    ///   - limits: How large a value may be, and what it holds; the document is not bounded.
    public init(
      of chunks: Chunks, at pattern: SPONPath.Pattern = .elements,
      rules: SPONValue.Rules = .standard,
      limits: SPONValue.Limits = .init()
    ) {
      self.chunks = chunks
      reader = SPONElementReader(at: pattern, rules: rules, limits: limits)
    }

    /// The values in single bytes.
    ///
    /// - Parameters:
    ///   - bytes: The document, byte by byte.
    ///   - pattern: Which values: the elements of the array that the document is, unless told otherwise.
    ///   - rules: How strictly the text is read.
    ///   - limits: How large a value may be, and what it holds; the document is not bounded.
    public init<Bytes: AsyncSequence>(
      of bytes: Bytes, at pattern: SPONPath.Pattern = .elements, rules: SPONValue.Rules = .standard,
      limits: SPONValue.Limits = .init()
    ) where Bytes.Element == UInt8, Chunks == SPONEventReader.ByteChunks<Bytes> {
      self.init(
        of: SPONEventReader.ByteChunks(of: bytes), at: pattern, rules: rules, limits: limits)
    }

    /// The values as ``SPONValue``, without their places.
    public var values: AsyncThrowingMapSequence<Self, SPONValue> { map { try $0.value() } }

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(pump: ChunkPump(chunks.makeAsyncIterator(), into: reader))
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var pump: ChunkPump<Chunks.AsyncIterator, SPONElementReader>

      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> SPONElementReader.Element? {
        try await pump.next(isolation: actor)
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> SPONElementReader.Element? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension SPONElementReader.Elements: Sendable where Chunks: Sendable {}

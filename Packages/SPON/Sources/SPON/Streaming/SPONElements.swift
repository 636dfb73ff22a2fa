/// The values at a pattern in a document that comes in chunks, as they come.
///
/// ```swift
/// for try await row in SPONElements(of: chunks, at: [.key("rows"), .elements]) {
///   print(row.path, try row.value())
/// }
/// ```
///
/// The next chunk is asked for once the values of those before were taken. Errors of the sequence of
/// chunks are thrown as they are, ``SPONError`` where the document can't be read, and
/// `CancellationError` once the task is cancelled. After an error, nothing more is given.
///
/// Memory, limits, and what is found: as ``SPONElementReader`` has it.
public struct SPONElements<Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
  public typealias Element = SPONElement
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
    of chunks: Chunks, at pattern: SPONPathPattern = .elements, rules: SPONRules = .standard,
    limits: SPONLimits = .init()
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
    of bytes: Bytes, at pattern: SPONPathPattern = .elements, rules: SPONRules = .standard,
    limits: SPONLimits = .init()
  ) where Bytes.Element == UInt8, Chunks == SPONByteChunks<Bytes> {
    self.init(of: SPONByteChunks(of: bytes), at: pattern, rules: rules, limits: limits)
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
    ) async throws -> SPONElement? {
      try await pump.next(isolation: actor)
    }

    /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
    public mutating func next() async throws -> SPONElement? {
      try await next(isolation: #isolation)
    }
  }
}

extension SPONElements: Sendable where Chunks: Sendable {}

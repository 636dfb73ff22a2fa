internal import Primitives

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

/// What reads chunks of a document into something.
protocol ChunkReader {
  associatedtype Output
  var isAtEnd: Bool { get }
  mutating func append(_ chunk: some Sequence<UInt8>)
  mutating func finish()
  mutating func next() throws(SPONError) -> Output?
}

extension SPONEventReader: ChunkReader {}
extension SPONElementReader: ChunkReader {}

/// Feeds a reader, a chunk at a time, and the next one only once it has nothing to give.
struct ChunkPump<Chunks: AsyncIteratorProtocol, Reader: ChunkReader>
where Chunks.Element: Sequence<UInt8> {
  private var chunks: Chunks
  private var reader: Reader
  private var isOver = false

  init(_ chunks: Chunks, into reader: Reader) {
    self.chunks = chunks
    self.reader = reader
  }

  mutating func next(isolation actor: isolated (any Actor)?) async throws -> Reader.Output? {
    guard !isOver else { return nil }
    do {
      while true {
        try Task.checkCancellation()
        if let next = try reader.next() { return next }
        if reader.isAtEnd {
          isOver = true
          return nil
        }
        if let chunk = try await chunks.nextElement(isolation: actor) {
          reader.append(chunk)
        } else {
          // Of many sequences the end is also what a cancelled task gets.
          try Task.checkCancellation()
          reader.finish()
        }
      }
    } catch {
      isOver = true
      throw error
    }
  }
}

internal import Primitives

extension SPONElementReader {
  /// The values that match a pattern in a document that arrives in chunks, as an asynchronous
  /// sequence.
  ///
  /// ```swift
  /// for try await row in SPONElementReader.Elements(of: chunks, at: [.key("rows"), .elements]) {
  ///   print(row.path, try row.value())
  /// }
  /// ```
  ///
  /// The next chunk is requested once all values of the previous ones were consumed. The sequence
  /// rethrows errors of the chunks, throws ``SPONError`` if the document can't be read, and throws
  /// `CancellationError` if the task is cancelled. It ends after an error.
  ///
  /// For memory use, limits and matching, see ``SPONElementReader``.
  public struct Elements<Chunks: AsyncSequence>: AsyncSequence
  where Chunks.Element: Sequence<UInt8> {
    public typealias Element = SPONElementReader.Element
    public typealias Failure = any Error

    private let chunks: Chunks
    private let reader: SPONElementReader

    /// Creates a sequence from chunks of bytes, such as `[UInt8]` or `Data`.
    ///
    /// - Parameters:
    ///   - chunks: The chunks of the document.
    ///   - pattern: The values to read; by default, the elements of an array that is the document's
    ///     root.
    ///   - rules: The strictness with which the text is parsed.
    ///   - limits: The limits for each value. The size of the document is not limited.
    public init(
      of chunks: Chunks, at pattern: SPONPath.Pattern = .elements,
      rules: SPONValue.Rules = .standard,
      limits: SPONValue.Limits = .init()
    ) {
      self.chunks = chunks
      reader = SPONElementReader(at: pattern, rules: rules, limits: limits)
    }

    /// Creates a sequence from single bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the document.
    ///   - pattern: The values to read; by default, the elements of an array that is the document's
    ///     root.
    ///   - rules: The strictness with which the text is parsed.
    ///   - limits: The limits for each value. The size of the document is not limited.
    public init<Bytes: AsyncSequence>(
      of bytes: Bytes, at pattern: SPONPath.Pattern = .elements, rules: SPONValue.Rules = .standard,
      limits: SPONValue.Limits = .init()
    ) where Bytes.Element == UInt8, Chunks == SPONEventReader.ByteChunks<Bytes> {
      self.init(
        of: SPONEventReader.ByteChunks(of: bytes), at: pattern, rules: rules, limits: limits)
    }

    /// The values as ``SPONValue``, without their positions.
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

      /// Equivalent to `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> SPONElementReader.Element? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension SPONElementReader.Elements: Sendable where Chunks: Sendable {}

/// A reader that turns the chunks of a document into values.
protocol ChunkReader {
  associatedtype Output
  var isAtEnd: Bool { get }
  mutating func append(_ chunk: some Sequence<UInt8>)
  mutating func finish()
  mutating func next() throws(SPONError) -> Output?
}

extension SPONEventReader: ChunkReader {}
extension SPONElementReader: ChunkReader {}

/// Feeds a reader one chunk at a time, and requests the next chunk only when the reader has no
/// output.
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
          // Many sequences end early in a cancelled task.
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

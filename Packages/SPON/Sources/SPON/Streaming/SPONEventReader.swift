/// Reads a document that arrives in chunks, one event at a time.
///
/// Memory use does not depend on the document's size: the reader stores an incomplete value,
/// appended bytes that were not read yet, and the keys of the open containers. Therefore append a
/// chunk, read events until there are none, and append the next chunk.
///
/// ```swift
/// var reader = SPONEventReader()
/// while let chunk = nextChunk() {
///   reader.append(chunk)
///   while let event = try reader.next() { handle(event) }
/// }
/// reader.finish()
/// while let event = try reader.next() { handle(event) }
/// ```
///
/// The version marker is not an event. A key that an object contains twice causes two events, of
/// which the last one counts. With ``SPONValue/Rules/rejectsDuplicateKeys``, it is an error; the
/// reader then stores all keys of the open objects, at most ``SPONValue/Limits/count`` for each
/// object.
///
/// The limits ``SPONValue/Limits/bytes`` and ``SPONValue/Limits/count`` do not apply to a stream.
public struct SPONEventReader: Sendable {
  private(set) var tokens: TokenStream
  /// The token of the last event.
  private(set) var token = Token(kind: .incomplete)

  /// Creates a reader at the beginning of a document.
  public init(rules: SPONValue.Rules = .standard, limits: SPONValue.Limits = .init()) {
    tokens = TokenStream(rules: rules, limits: limits)
  }

  /// Appends the next bytes of the document. A chunk may end anywhere, even inside a character.
  ///
  /// Bytes that are appended after ``finish()`` cause an error in ``next()``. After an error, bytes
  /// are ignored.
  ///
  /// - Complexity: Amortized O(*n*) in the length of `chunk`.
  public mutating func append(_ chunk: some Sequence<UInt8>) { tokens.append(chunk) }

  /// Signals that all bytes of the document have been appended.
  public mutating func finish() { tokens.finish() }

  /// A Boolean value that indicates whether the whole document was read. Always `false` before
  /// ``finish()``.
  public var isAtEnd: Bool { tokens.isAtEnd }

  /// The position after the last event, and after skipped text that follows it.
  ///
  /// - Complexity: O(*n*) in the number of bytes that were read since the last chunk was appended.
  public var position: SPONError.Position { tokens.position(of: tokens.end) }

  /// Returns the next event; `nil` if more bytes are required, and at the end.
  ///
  /// - Throws: ``SPONError`` with the position in the document if it is not SPON or exceeds a
  ///   limit. Every later call throws the same error. An incomplete document is not an error before
  ///   ``finish()``.
  public mutating func next() throws(SPONError) -> Event? {
    try advance() == nil ? nil : event
  }

  /// Advances to the next event, without creating its value and its key.
  ///
  /// The properties of the reader then provide the parts of the event that are needed. They are
  /// valid until the next call of a mutating method.
  ///
  /// ```swift
  /// while let type = try reader.advance() {
  ///   if type == .integer { sum += reader.integer }
  /// }
  /// ```
  ///
  /// - Returns: The type of the event; `nil` if more bytes are required, and at the end.
  /// - Throws: ``SPONError``, under the same conditions as ``next()``.
  public mutating func advance() throws(SPONError) -> EventType? {
    guard let next = try tokens.next() else { return nil }
    token = next
    return eventType
  }
}

extension SPONEventReader {
  /// An event in a document: a scalar, or the beginning or end of a container.
  ///
  /// ```swift
  /// var reader = SPONEventReader()
  /// reader.append("@obj:Lot<tags=@array[`red`]>".utf8)
  /// reader.finish()
  /// while let event = try reader.next() {
  ///   print(event.depth, event.key?.stringValue ?? "", event.kind)
  /// }
  /// ```
  public struct Event: Hashable, Sendable {
    /// The kind of event.
    public enum Kind: Hashable, Sendable {
      /// The beginning of an object. The type name is empty if the object has none.
      case beginObject(typeName: String)
      case beginArray
      /// A value that is neither an object nor an array.
      case scalar(SPONValue)
      case endObject
      case endArray
    }

    public let kind: Kind
    /// The key or the index of the value in its container; `nil` for the root. The end of a
    /// container has the same key as its beginning.
    public let key: SPONPath.Key?
    /// The number of containers around the value, which is 0 for the root. The end of a container
    /// has the same depth as its beginning.
    public let depth: Int

    public init(_ kind: Kind, key: SPONPath.Key?, depth: Int) {
      self.kind = kind
      self.key = key
      self.depth = depth
    }
  }
}

extension SPONEventReader {
  /// The events of a document that arrives in chunks, as an asynchronous sequence.
  ///
  /// ```swift
  /// for try await event in SPONEventReader.Events(of: chunks) {
  ///   if case .scalar(let value) = event.kind { print(event.depth, value) }
  /// }
  /// ```
  ///
  /// The next chunk is requested once all events of the previous ones were consumed. The sequence
  /// rethrows errors of the chunks, throws ``SPONError`` if the document can't be read, and throws
  /// `CancellationError` if the task is cancelled. It ends after an error.
  ///
  /// For memory use, limits and events, see ``SPONEventReader``.
  public struct Events<Chunks: AsyncSequence>: AsyncSequence
  where Chunks.Element: Sequence<UInt8> {
    public typealias Element = Event
    public typealias Failure = any Error

    private let chunks: Chunks
    private let reader: SPONEventReader

    /// Creates a sequence from chunks of bytes, such as `[UInt8]` or `Data`.
    public init(
      of chunks: Chunks, rules: SPONValue.Rules = .standard, limits: SPONValue.Limits = .init()
    ) {
      self.chunks = chunks
      reader = SPONEventReader(rules: rules, limits: limits)
    }

    /// Creates a sequence from single bytes.
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

      /// Equivalent to `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> Event? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension SPONEventReader.Events: Sendable where Chunks: Sendable {}

extension SPONEventReader {
  /// Groups single bytes into chunks.
  ///
  /// A chunk ends at each byte that may end a value, so that no value is delayed.
  ///
  /// ```swift
  /// for try await element in SPONElementReader.Elements(of: SPONEventReader.ByteChunks(of: bytes)) {
  ///   print(try element.value())
  /// }
  /// ```
  public struct ByteChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    public typealias Element = [UInt8]
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Bytes.Failure

    private let bytes: Bytes

    public init(of bytes: Bytes) { self.bytes = bytes }

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(bytes: bytes.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var bytes: Bytes.AsyncIterator
      private var isOver = false

      fileprivate init(bytes: Bytes.AsyncIterator) { self.bytes = bytes }

      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Failure) -> [UInt8]? {
        guard !isOver else { return nil }
        var chunk: [UInt8] = []
        while let byte = try await bytes.next(isolation: actor) {
          chunk.append(byte)
          if Self.mayEndValue(byte) || chunk.count == 4_096 { return chunk }
        }
        isOver = true
        return chunk.isEmpty ? nil : chunk
      }

      /// Equivalent to `next(isolation:)`, but nonisolated. Systems before macOS 15 call this
      /// method.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> [UInt8]? {
        guard !isOver else { return nil }
        var chunk: [UInt8] = []
        while let byte = try await bytes.next() {
          chunk.append(byte)
          if Self.mayEndValue(byte) || chunk.count == 4_096 { return chunk }
        }
        isOver = true
        return chunk.isEmpty ? nil : chunk
      }

      private static func mayEndValue(_ byte: UInt8) -> Bool {
        switch byte {
        case Byte.backtick, Byte.comma, Byte.less, Byte.greater, Byte.openBracket,
          Byte.closeBracket:
          true
        default: false
        }
      }
    }
  }
}

extension SPONEventReader.ByteChunks: Sendable where Bytes: Sendable {}

/// Reads a document that comes in chunks, one event at a time.
///
/// Memory does not grow with the document: the reader keeps the bytes of a value that is not complete
/// yet, what was appended and not read, and the keys of the containers that are open. So append a
/// chunk, take the events until there is none, and append the next.
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
/// The version's marker is no event. A key that an object has twice gives two events: of them, the
/// last value holds. Where ``SPONValue/Rules/refusesDuplicateKeys`` says so it is an error; then all keys of
/// the open objects are kept, at most ``SPONValue/Limits/count`` of each.
///
/// Of the limits, ``SPONValue/Limits/bytes`` and ``SPONValue/Limits/count`` do not bound a stream.
public struct SPONEventReader: Sendable {
  private(set) var tokens: TokenStream

  /// A reader at the beginning of a document.
  public init(rules: SPONValue.Rules = .standard, limits: SPONValue.Limits = .init()) {
    tokens = TokenStream(rules: rules, limits: limits)
  }

  /// Appends the next bytes of the document. They may end anywhere, also within a character.
  ///
  /// Bytes behind ``finish()`` are refused by ``next()``. After an error, they are ignored.
  ///
  /// - Complexity: O(*n*) in the length of `chunk`, taken over many chunks.
  public mutating func append(_ chunk: some Sequence<UInt8>) { tokens.append(chunk) }

  /// Says that the document ends with the bytes that were appended.
  public mutating func finish() { tokens.finish() }

  /// Whether the whole document was read. It never is before ``finish()``.
  public var isAtEnd: Bool { tokens.isAtEnd }

  /// Where the last event ends, or what was passed behind it.
  ///
  /// - Complexity: O(*n*) in the length of what was read since the last chunk was appended.
  public var position: SPONError.Position { tokens.position(of: tokens.end) }

  /// The next event; `nil` where more bytes are needed, and at the end.
  ///
  /// - Throws: ``SPONError`` with the place in the document where it is not SPON or passes a limit.
  ///   Every later call throws it again. That the bytes end in the midst of the document is not an
  ///   error before ``finish()``.
  public mutating func next() throws(SPONError) -> Event? {
    guard let token = try tokens.next() else { return nil }
    let depth = tokens.open.count
    switch token.kind {
    case .end:
      let isObject = tokens.closed?.isObject ?? false
      return Event(isObject ? .endObject : .endArray, key: tokens.closed?.key, depth: depth)
    case .object:
      let name = token.typeName(in: tokens.buffer, level: tokens.level)
      return Event(
        .beginObject(typeName: name), key: tokens.open.last?.key, depth: depth - 1)
    case .array:
      return Event(.beginArray, key: tokens.open.last?.key, depth: depth - 1)
    default:
      return Event(
        .scalar(token.value(in: tokens.buffer, level: tokens.level)), key: tokens.key(of: token),
        depth: depth)
    }
  }
}

extension SPONEventReader {
  /// One step through a document: a scalar, or the beginning or the end of a container.
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
    /// What is found.
    public enum Kind: Hashable, Sendable {
      /// An object begins. The name of its type is empty where it has none.
      case beginObject(typeName: String)
      case beginArray
      /// A value that is neither an object nor an array.
      case scalar(SPONValue)
      case endObject
      case endArray
    }

    public let kind: Kind
    /// The key or the index of the value in its container; `nil` for the root. The end of a container
    /// has that of its beginning.
    public let key: SPONPath.Key?
    /// How many containers are around the value: 0 for the root. The end of a container has the depth
    /// of its beginning.
    public let depth: Int

    public init(_ kind: Kind, key: SPONPath.Key?, depth: Int) {
      self.kind = kind
      self.key = key
      self.depth = depth
    }
  }
}

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

extension SPONEventReader {
  /// Bytes that come one by one, in chunks.
  ///
  /// A chunk ends where a value may end, so that nothing is waited for longer than it must be.
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

      /// The same, isolated to no actor. Systems before macOS 15 call this.
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

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

/// A reader of JSON (RFC 8259) that returns a text's values one at a time, without copies, from bytes that its caller holds.
///
/// Each call takes the same bytes: the whole text. Texts without escapes, and numbers that no type holds, are ranges of them.
///
/// ```swift
/// var reader = JSONEventReader()
/// while true {
///   switch try reader.next(in: bytes) {
///   case .beginObject, .endObject, .beginArray, .endArray: break
///   case .string: reader.withText(in: bytes) { bind(key: reader.key, text: $0) }
///   case .integer: bind(key: reader.key, integer: reader.integer)
///   case .end: return
///   default: break
///   }
/// }
/// ```
///
/// - A value in an object comes together with its ``key``: there is no event for keys.
/// - A number without a fraction and an exponent is an integer if 64 bits hold it. Any other number, and `-0`, is a `Double`
///   if the shortest text of that `Double` denotes the same number. Otherwise the number would be rounded, and its text is the
///   value. An integer beyond 64 bits is never a `Double`.
/// - A byte order mark is skipped. UTF-16 is refused, by that name.
/// - No escape may stand for half of a pair of surrogates.
///
/// A text can also come in parts. Set ``isComplete`` to `false`; at ``JSONEvent/incomplete``, drop the first ``position``
/// bytes, call ``forget(_:in:)`` with their number, and call again with the bytes after them and at least as many more. What was
/// read in vain is read again, so parts should double in size until one event fits.
public struct JSONEventReader: Sendable {
  enum Place: UInt8 {
    case start
    case objectStart, afterMember, arrayStart, afterElement
    case end
  }

  /// A container that is open.
  struct Frame {
    let isObject: Bool
    /// The number of the object around it.
    let outerObject: Int
    /// How many keys of objects around it are noted in ``formerObjects``.
    let formerCount: Int
  }

  public let options: JSONReadingOptions
  /// Whether the bytes at hand end where the text does.
  public var isComplete = true
  /// The number of the bytes at hand that are read.
  public internal(set) var position = 0
  /// The number of the value's key in ``keys``; -1 for a value in an array or at the root, and for the end of a container.
  public internal(set) var key = -1
  /// The offset of the key's quote, if the value has a key.
  public internal(set) var keyOffset = 0
  /// Whether the object had this key before, if duplicates are reported.
  public internal(set) var isDuplicateKey = false
  /// The value of an integer.
  public internal(set) var integer: Int64 = 0
  /// The value of another number.
  public internal(set) var double = 0.0
  /// The value of a Boolean.
  public internal(set) var bool = false
  /// Whether the text has escapes, and is in ``decoded``.
  public internal(set) var hasEscapes = false
  /// The last text with escapes, without them.
  public internal(set) var decoded: [UInt8] = []
  /// The keys so far.
  public internal(set) var keys = JSONKeyTable()

  var place = Place.start
  /// Where the reader is behind a value of the innermost container.
  var placeAfterValue: Place
  var frames: [Frame] = []
  @usableFromInline var start = 0
  @usableFromInline var end = 0
  /// The key that was read last, in whatever object.
  var lastKey = -1
  /// The innermost object that is open, and how many there have been.
  var object = 0
  var objectCount = 0
  var openObjects = 0
  /// What the key table noted of keys that an object around the innermost one may have too.
  var formerObjects: [(key: Int, object: Int)] = []
  /// What is undone where a member's value is incomplete.
  var noted: (key: Int, former: Int, count: Int)?
  /// The container that is passed over: how deep it is, and where it begins.
  var skipped: (depth: Int, start: Int)?
  /// Where what is decoded in vain goes.
  var scratch: [UInt8] = []
  var origin = TextOrigin(carriageReturnsBreak: false)
  var isAtBeginning = true
  /// Whether a value was begun at the root.
  var hasRoot = false

  public init(_ options: JSONReadingOptions = JSONReadingOptions()) {
    self.options = options
    placeAfterValue = options.mode == .single ? .end : .start
  }

  /// Begins another text. Keys keep their numbers.
  public mutating func restart() {
    var next = JSONEventReader(options)
    swap(&next.keys, &keys)
    swap(&next.decoded, &decoded)
    swap(&next.scratch, &scratch)
    // The key table has noted objects by their numbers.
    next.objectCount = objectCount
    self = next
  }

  /// The number of open containers.
  public var depth: Int { frames.count }

  /// The bytes of the event's value: of a text those between the quotes, of a container its bracket.
  @inlinable
  public var range: Range<Int> { start..<end }

  /// The offset of the first byte at hand that is still needed: ``position``, or the start of a container that is being skipped.
  public var firstNeededOffset: Int { skipped?.start ?? position }

  /// The text of an event, for as long as `body` runs.
  @inlinable @inline(__always)
  public func withText<Result, Failure: Error>(
    in bytes: Span<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try hasEscapes ? body(decoded.elementSpan) : body(bytes.extracting(start..<end))
  }

  /// The text of an event, or the digits of a number, as a copy.
  public func text(in bytes: Span<UInt8>) -> String {
    if hasEscapes { return String(decoding: decoded, as: UTF8.self) }
    var text: [UInt8] = []
    text.append(bytes.extracting(start..<end))
    return String(decoding: text, as: UTF8.self)
  }

  /// The next event.
  ///
  /// - Throws: ``JSONFailure`` if the text is not JSON or exceeds a limit. A number that no type holds is not an error.
  public mutating func next(in bytes: Span<UInt8>) throws(JSONFailure) -> JSONEvent {
    do throws(JSONFailure) {
      let event = try step(bytes)
      return event == .end && !isComplete ? .incomplete : event
    } catch {
      guard !isComplete, error.code == .truncated else { throw error }
      // As if the call had not been: `step` sets all else when it succeeds.
      key = -1
      if let noted {
        _ = keys.note(noted.key, in: noted.former)
        formerObjects.removeSubrange(noted.count...)
      }
      return .incomplete
    }
  }

  /// Notes that the first `count` bytes are dropped.
  public mutating func forget(_ count: Int, in bytes: Span<UInt8>) {
    precondition(count <= firstNeededOffset, "bytes that are yet to be read are kept")
    origin.advance(count, in: bytes)
    position -= count
    if let skipped { self.skipped = (skipped.depth, skipped.start - count) }
  }

  /// The place in the text of a byte at hand.
  public func position(of offset: Int, in bytes: Span<UInt8>) -> DataErrorPlace.Position {
    origin.position(of: offset, in: bytes)
  }

  /// Skips the rest of the container that the last event began.
  ///
  /// All of it is checked but for duplicate keys. Its keys are not added to ``keys``.
  ///
  /// - Returns: The container's bytes, brackets included; `nil` if the bytes at hand end within it. Then call again with more,
  ///   and keep the container's bytes until then.
  public mutating func skipContainer(
    in bytes: Span<UInt8>
  ) throws(JSONFailure) -> Range<Int>? {
    precondition(
      skipped != nil || place == .objectStart || place == .arrayStart,
      "only a container that has just begun can be skipped")
    let (depth, first) = skipped ?? (frames.count, start)
    skipped = (depth, first)
    while frames.count >= depth {
      if try next(in: bytes) == .incomplete { return nil }
    }
    skipped = nil
    key = -1
    return first..<position
  }
}

/// A pull parser for JSON (RFC 8259), which returns a text's values one at a time, without copies, from bytes that the
/// caller holds.
///
/// Each call takes the same bytes: the whole text. Strings without escapes, and numbers that no type represents
/// exactly, are ranges of these bytes.
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
/// - A value in an object is reported together with its ``key``: there is no event for keys.
/// - A number without fraction and exponent is an integer if it fits in 64 bits. Any other number, and `-0`, is a
///   `Double` if the shortest text of that `Double` denotes the same number. Otherwise the number would be rounded, and
///   its text is the value. An integer that does not fit in 64 bits is never a `Double`.
/// - A byte order mark is skipped. UTF-16 and UTF-32 are detected and refused.
/// - An escape for a lone surrogate is an error.
///
/// A text can also be passed in parts. Set ``isComplete`` to `false`; at ``JSONEvent/incomplete``, drop the first
/// ``position`` bytes, call ``discard(_:in:)`` with their number, and call again with the bytes after them and more. An
/// incomplete value is parsed again, so the size should at least double until one event fits.
public struct JSONEventReader: Sendable {
  enum Place: UInt8 {
    case start
    case objectStart, afterMember, arrayStart, afterElement
    case end
  }

  /// An open container.
  struct Frame {
    let isObject: Bool
    /// The number of the enclosing object.
    let outerObject: Int
    /// The count of ``formerObjects`` at the beginning of the container.
    let formerCount: Int
  }

  public let options: JSONReadingOptions
  /// Indicates whether the text ends with the available bytes.
  public var isComplete = true
  /// The number of available bytes that were read.
  public internal(set) var position = 0
  /// The index of the value's key in ``keys``, or -1 for a value in an array or at the root, and for the end of a
  /// container.
  public internal(set) var key = -1
  /// The offset of the key's opening quote, if the value has a key.
  public internal(set) var keyOffset = 0
  /// Indicates whether the object already had this key, if duplicates are reported.
  public internal(set) var isDuplicateKey = false
  /// The value of an integer.
  public internal(set) var integer: Int64 = 0
  /// The value of a `Double`.
  public internal(set) var double = 0.0
  /// The value of a Boolean.
  public internal(set) var bool = false
  /// Indicates whether the string has escapes, and its text is in ``decoded``.
  public internal(set) var hasEscapes = false
  /// The decoded text of the last string with escapes.
  public internal(set) var decoded: [UInt8] = []
  /// The table of all keys so far.
  public internal(set) var keys = JSONKeyTable()

  var place = Place.start
  /// The state after a value of the innermost container.
  var placeAfterValue: Place
  var frames: [Frame] = []
  @usableFromInline var start = 0
  @usableFromInline var end = 0
  /// The last key that was read, in any object.
  var lastKey = -1
  /// The number of the innermost open object, and the total number of objects.
  var object = 0
  var objectCount = 0
  var openObjects = 0
  /// The previous key table entries of keys that an enclosing object may have, too.
  var formerObjects: [(key: Int, object: Int)] = []
  /// The change to undo if a member's value is incomplete.
  var pendingKey: (key: Int, former: Int, count: Int)?
  /// The depth and the start of the container that is being skipped.
  var skipped: (depth: Int, start: Int)?
  /// A buffer for decoded keys.
  var scratch: [UInt8] = []
  var origin = TextOrigin(carriageReturnsBreak: false)
  var isAtBeginning = true
  /// Indicates whether a root value was begun.
  var hasRoot = false

  public init(_ options: JSONReadingOptions = JSONReadingOptions()) {
    self.options = options
    placeAfterValue = options.mode == .single ? .end : .start
  }

  /// Begins another text. The indexes of keys are preserved.
  public mutating func restart() {
    var next = JSONEventReader(options)
    swap(&next.keys, &keys)
    swap(&next.decoded, &decoded)
    swap(&next.scratch, &scratch)
    // The key table refers to objects by number.
    next.objectCount = objectCount
    self = next
  }

  /// The number of open containers.
  public var depth: Int { frames.count }

  /// The byte range of the event's value: for a string, the content without quotes; for a container, its bracket.
  @inlinable
  public var range: Range<Int> { start..<end }

  /// The offset of the first available byte that is still needed: ``position``, or the start of a container that is
  /// being skipped.
  public var firstNeededOffset: Int { skipped?.start ?? position }

  /// Calls `body` with the text of a string.
  @inlinable @inline(__always)
  public func withText<Result, Failure: Error>(
    in bytes: Span<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try hasEscapes ? body(decoded.elementSpan) : body(bytes.extracting(start..<end))
  }

  /// Returns a copy of the text of a string or number.
  public func text(in bytes: Span<UInt8>) -> String {
    if hasEscapes { return String(decoding: decoded, as: UTF8.self) }
    var text: [UInt8] = []
    text.append(bytes.extracting(start..<end))
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the next event.
  ///
  /// - Throws: ``JSONFailure`` if the text is not JSON or exceeds a limit. A number that no type represents exactly is
  ///   not an error.
  public mutating func next(in bytes: Span<UInt8>) throws(JSONFailure) -> JSONEvent {
    do throws(JSONFailure) {
      let event = try step(bytes)
      return event == .end && !isComplete ? .incomplete : event
    } catch {
      guard !isComplete, error.code == .truncated else { throw error }
      // Restores the state before the call: `step` sets the other properties when it succeeds.
      key = -1
      if let pendingKey {
        _ = keys.recordKey(pendingKey.key, in: pendingKey.former)
        formerObjects.removeSubrange(pendingKey.count...)
      }
      return .incomplete
    }
  }

  /// Adjusts all offsets after the first `count` bytes were dropped.
  public mutating func discard(_ count: Int, in bytes: Span<UInt8>) {
    precondition(count <= firstNeededOffset, "bytes that are still needed must not be dropped")
    origin.advance(count, in: bytes)
    position -= count
    if let skipped { self.skipped = (skipped.depth, skipped.start - count) }
  }

  /// Returns the position of an available byte in the text.
  public func position(of offset: Int, in bytes: Span<UInt8>) -> DataErrorPlace.Position {
    origin.position(of: offset, in: bytes)
  }

  /// Skips the rest of the container that the last event began.
  ///
  /// Its content is validated, except for duplicate keys. Its keys are not added to ``keys``.
  ///
  /// - Returns: The container's byte range, including brackets, or `nil` if the available bytes end within it. In that
  ///   case, call again with more bytes, without dropping the container's.
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

/// Reads a text in JSON (RFC 8259) event by event, without copies, from bytes that its caller holds.
///
/// Every call is handed the same bytes, all of the text. Texts without escapes and numbers beyond 64 bits are
/// ranges of them.
///
/// ```swift
/// var reader = JSONEventReader()
/// while true {
///   switch try reader.next(in: bytes) {
///   case .beginObject, .endObject, .beginArray, .endArray: break
///   case .string: try reader.withText(in: bytes) { bind(key: reader.key, text: $0) }
///   case .integer: bind(key: reader.key, integer: reader.integer)
///   case .end: return
///   default: break
///   }
/// }
/// ```
///
/// - A value comes together with its ``key`` if it is in an object: there is no event for keys.
/// - A number without a fraction and an exponent is an integer if 64 bits hold it. Any other one, and `-0`, is a
///   `Double` if the shortest text of that `Double` says the same number. Otherwise it is kept as it is
///   written, since it would be rounded. An integer beyond 64 bits is never a `Double`.
/// - A byte order mark is passed over. UTF-16 is refused, by that name.
/// - No escape may stand for half of a pair of surrogates.
///
/// A text can also come in parts. Set ``isComplete`` to `false`; at ``JSONEvent/incomplete``,
/// ``forget(_:in:)`` as many bytes as ``position`` tells, and call again with the bytes behind them and
/// at least as many more. Nothing is remembered of what was read in vain, so parts should double until
/// one event fits.
@_spi(Formats) public struct JSONEventReader: Sendable {
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
  /// How many of the bytes at hand are read.
  public internal(set) var position = 0
  /// The number of the key that the event's value has in ``keys``; -1 where it is in an array or at the root, and for
  /// the end of a container.
  public internal(set) var key = -1
  /// Whether the object had this key before, where that is reported.
  public internal(set) var isDuplicateKey = false
  /// The value of an integer.
  public internal(set) var integer: Int64 = 0
  /// The value of another number.
  public internal(set) var double = 0.0
  /// The value of a Boolean.
  public internal(set) var bool = false
  /// Whether a text has escapes: then it is in ``decoded``.
  public internal(set) var hasEscapes = false
  /// The text that the last event with escapes stands for.
  public internal(set) var decoded: [UInt8] = []
  /// The keys so far.
  public internal(set) var keys = JSONKeyTable()

  var place = Place.start
  /// Where the reader is behind a value of the innermost container.
  var placeAfterValue: Place
  var frames: [Frame] = []
  var start = 0
  var end = 0
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
  var origin = SourceOrigin(carriageReturnsBreak: false)
  var isAtBeginning = true
  /// Whether a value was begun at the root.
  var hasRoot = false

  public init(_ options: JSONReadingOptions = JSONReadingOptions()) {
    self.options = options
    placeAfterValue = options.mode == .single ? .end : .start
  }

  /// How many containers are open.
  public var depth: Int { frames.count }

  /// Where the event's value is: of a text what is between the quotes, of a container its bracket.
  public var range: Range<Int> { start..<end }

  /// The text of an event, for as long as `body` runs.
  @inline(__always)
  public func withText<Result, Failure: Error>(
    in bytes: Span<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try hasEscapes ? body(decoded.span) : body(bytes.extracting(start..<end))
  }

  /// The text of an event, or the digits of a number, as a copy.
  public func text(in bytes: Span<UInt8>) -> String {
    hasEscapes
      ? String(decoding: decoded, as: UTF8.self)
      : String(decoding: bytes.array(start..<end), as: UTF8.self)
  }

  /// The next event.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/malformed``, ``ProviderError/Code/truncated`` where the text
  ///   ends too early, ``ProviderError/Code/invalidEncoding`` or ``ProviderError/Code/limitExceeded``, and the place.
  ///   Numbers that no type holds are not an error.
  public mutating func next(in bytes: Span<UInt8>) throws(ProviderError) -> JSONEvent {
    do throws(ProviderError) {
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

  /// Counts bytes from `count` further, since those before are given up.
  public mutating func forget(_ count: Int, in bytes: Span<UInt8>) {
    precondition(count <= (skipped?.start ?? position), "bytes that are yet to be read are kept")
    origin.advance(count, in: bytes)
    position -= count
    if let skipped { self.skipped = (skipped.depth, skipped.start - count) }
  }

  /// Where a byte of those at hand is in the text.
  public func sourcePosition(of offset: Int, in bytes: Span<UInt8>) -> SourcePosition {
    origin.position(of: offset, in: bytes)
  }

  /// Passes over the rest of the container that the last event began.
  ///
  /// It is checked as strictly as all else, but for duplicate keys. Its keys are not added to ``keys``.
  ///
  /// - Returns: Where it is, brackets included, so that it can be kept as it is written; `nil` where the bytes at hand
  ///   end within it: then call this again with more. Its bytes must be kept until then.
  public mutating func skipContainer(
    in bytes: Span<UInt8>
  ) throws(ProviderError) -> Range<Int>? {
    precondition(
      skipped != nil || place == .objectStart || place == .arrayStart,
      "only a container that has just begun is passed over")
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

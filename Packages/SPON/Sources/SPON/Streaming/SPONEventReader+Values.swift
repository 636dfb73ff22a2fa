extension SPONEventReader {
  /// The type of an event: the type of a scalar, or the beginning or end of a container.
  public enum EventType: Hashable, Sendable {
    case beginObject, beginArray, endObject, endArray
    case null, bool, integer, unsigned, float, double, decimal, string, opaque, bytes, instant
  }

  /// The type of the last event.
  var eventType: EventType {
    switch token.kind {
    case .null: .null
    case .bool: .bool
    case .integer: .integer
    case .unsigned: .unsigned
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .opaque: .opaque
    case .data: .bytes
    case .instant: .instant
    case .object: .beginObject
    case .array: .beginArray
    // The stream does not return the other kinds.
    case .end, .endOfDocument, .incomplete: tokens.closed?.isObject == true ? .endObject : .endArray
    }
  }

  // MARK: The last event

  /// The last event, with its value and its key. There must have been one.
  public var event: Event {
    let key = key
    switch eventType {
    case .beginObject:
      let name = token.typeName(in: tokens.buffer, level: tokens.level)
      return Event(.beginObject(typeName: name), key: key, depth: depth)
    case .beginArray: return Event(.beginArray, key: key, depth: depth)
    case .endObject: return Event(.endObject, key: key, depth: depth)
    case .endArray: return Event(.endArray, key: key, depth: depth)
    default: return Event(.scalar(value), key: key, depth: depth)
    }
  }

  private var key: SPONPath.Key? {
    switch token.kind {
    case .object, .array: tokens.open.last?.key
    case .end: tokens.closed?.key
    default: tokens.key(of: token)
    }
  }

  /// The depth of the last event, as in ``Event/depth``.
  public var depth: Int {
    let isContainer = token.kind == .object || token.kind == .array
    return tokens.open.count - (isContainer ? 1 : 0)
  }

  /// The value of the last event, if it is an integer.
  public var integer: Int64 { Int64(bitPattern: token.bits) }

  /// The value of the last event, if it is a `Double`.
  public var double: Double { Double(bitPattern: token.bits) }

  /// The value of the last event, if it is a `Float`.
  public var float: Float { Float(bitPattern: UInt32(truncatingIfNeeded: token.bits)) }

  /// The value of the last event, if it is a Boolean.
  public var bool: Bool { token.bits != 0 }

  /// The value of the last event, if it is a scalar; null for any other event.
  public var value: SPONValue { token.value(in: tokens.buffer, level: tokens.level) }

  /// Calls `body` with the text of the last event, if it is a string or opaque.
  public func withText(_ body: (Span<UInt8>) throws -> Void) rethrows {
    try withText(token.content, mayHaveEscapes: token.mayHaveEscapes, body)
  }

  /// Calls `body` with the key of the last event, if it is a pair's value or the beginning of one;
  /// with no bytes for any other event.
  public func withKey(_ body: (Span<UInt8>) throws -> Void) rethrows {
    let key = token.keyStart < 0 ? 0..<0 : token.key
    try withText(key, mayHaveEscapes: token.keyMayHaveEscapes, body)
  }

  /// Calls `body` with the name of the last event's type, if it is the beginning of an object. The
  /// name is empty if the object has none.
  public func withTypeName(_ body: (Span<UInt8>) throws -> Void) rethrows {
    let name = token.kind == .object ? Token.typeName(in: token.content) : 0..<0
    try withText(name, mayHaveEscapes: tokens.level == 2, body)
  }

  private func withText(
    _ range: Range<Int>, mayHaveEscapes: Bool, _ body: (Span<UInt8>) throws -> Void
  ) rethrows {
    if mayHaveEscapes {
      let text = Escapes.unescaped(tokens.buffer.elementSpan, range, level: tokens.level)
      try body(text.elementSpan)
    } else {
      try body(tokens.buffer.elementSpan.extracting(range))
    }
  }
}

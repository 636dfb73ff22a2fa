// Containers, members and elements.
extension JSONEventReader {
  @inline(__always)
  mutating func step(_ bytes: Span<UInt8>) throws(JSONFailure) -> JSONEvent {
    key = -1
    pendingKey = nil
    var at = position
    if isAtBeginning { at = try skipByteOrderMark(bytes) }
    if at >= bytes.count || bytes[at] <= 0x20 { at = try afterWhiteSpace(bytes, at) }
    guard at < bytes.count else { return try endOfBytes(bytes) }
    let byte = bytes[at]
    switch place {
    case .afterMember:
      if byte == 0x2C {
        return try member(bytes, try afterWhiteSpace(bytes, at &+ 1))
      }
      guard byte == 0x7D else { throw unexpected(#"expected "," or "}""#, at, bytes) }
      return close(.endObject, at)
    case .objectStart:
      if byte == 0x7D { return close(.endObject, at) }
      return try member(bytes, at)
    case .afterElement:
      if byte == 0x2C { return try value(bytes, try afterWhiteSpace(bytes, at &+ 1)) }
      guard byte == 0x5D else { throw unexpected(#"expected "," or "]""#, at, bytes) }
      return close(.endArray, at)
    case .arrayStart:
      if byte == 0x5D { return close(.endArray, at) }
      return try value(bytes, at)
    case .start:
      try checkLine(bytes, at)
      let event = try value(bytes, at)
      hasRoot = true
      return event
    case .end:
      throw failure(.malformed, "expected the end of the text after the value", at, bytes)
    }
  }

  // Declared as mutating only for performance: a nonmutating method is called with a copy of the
  // whole reader.
  @inline(__always)
  mutating func afterWhiteSpace(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFailure) -> Int {
    if start < bytes.count, bytes[start] > 0x20 { return start }
    if start &+ 1 < bytes.count, bytes[start] == 0x20, bytes[start &+ 1] > 0x20 {
      return start &+ 1
    }
    return try afterMoreWhiteSpace(bytes, start)
  }

  @inline(never)
  private mutating func afterMoreWhiteSpace(
    _ bytes: Span<UInt8>, _ start: Int
  ) throws(JSONFailure) -> Int {
    var at = start
    let isLine = options.mode == .lines && place != .start
    while at < bytes.count {
      switch bytes[at] {
      case 0x0A where isLine:
        throw failure(.malformed, "the line ends within its value", at, bytes)
      case 0x20, 0x09, 0x0A, 0x0D: at &+= 1
      default: return at
      }
    }
    return at
  }

  /// Throws an error if a line has several values.
  private func checkLine(_ bytes: Span<UInt8>, _ at: Int) throws(JSONFailure) {
    guard options.mode == .lines, hasRoot else { return }
    var index = position
    while index < at {
      if bytes[index] == 0x0A { return }
      index &+= 1
    }
    throw failure(.malformed, "expected the end of the line after its value", at, bytes)
  }

  private mutating func skipByteOrderMark(_ bytes: Span<UInt8>) throws(JSONFailure) -> Int {
    let first = bytes.count > 0 ? bytes[0] : 0x20
    let second = bytes.count > 1 ? bytes[1] : 0x20
    if first == 0xFE && second == 0xFF || first == 0xFF && second == 0xFE || first == 0
      || second == 0
    {
      throw failure(
        .invalidEncoding, "the text is UTF-16 or UTF-32, but JSON must be UTF-8", 0, bytes)
    }
    if first == 0xEF {
      guard bytes.count >= 3 else { throw truncated("a byte order mark", bytes) }
      guard second == 0xBB, bytes[2] == 0xBF else {
        throw failure(.malformed, "expected a value", 0, bytes)
      }
      position = 3
    }
    guard isComplete || bytes.count > 1 else { throw truncated("a value", bytes) }
    isAtBeginning = false
    return position
  }

  private mutating func endOfBytes(_ bytes: Span<UInt8>) throws(JSONFailure) -> JSONEvent {
    switch place {
    case .end: break
    case .start where options.mode != .single: break
    case .start: throw truncated("a value", bytes)
    case .objectStart, .afterMember: throw truncated(#"the "}" of an object"#, bytes)
    case .arrayStart, .afterElement: throw truncated(#"the "]" of an array"#, bytes)
    }
    if isComplete { position = bytes.count }
    return .end
  }

  // MARK: Containers

  @inline(__always)
  private mutating func close(_ event: JSONEvent, _ at: Int) -> JSONEvent {
    let frame = frames.removeLast()
    if frame.isObject {
      if openObjects > 1 {
        while formerObjects.count > frame.formerCount {
          guard let former = formerObjects.popLast() else { break }
          _ = keys.recordKey(former.key, in: former.object)
        }
      }
      object = frame.outerObject
      openObjects &-= 1
    }
    if let outer = frames.last {
      placeAfterValue = outer.isObject ? .afterMember : .afterElement
    } else {
      placeAfterValue = options.mode == .single ? .end : .start
    }
    return finish(event, at, at &+ 1, next: at &+ 1)
  }

  @inline(__always)
  mutating func open(
    isObject: Bool, _ bytes: Span<UInt8>, _ at: Int
  ) throws(JSONFailure) -> JSONEvent {
    guard frames.count < options.depth else {
      throw failure(
        .tooDeep, "containers are nested more than \(options.depth) deep", at, bytes)
    }
    frames.append(
      Frame(isObject: isObject, outerObject: object, formerCount: formerObjects.count))
    if isObject {
      objectCount &+= 1
      object = objectCount
      openObjects &+= 1
    }
    placeAfterValue = isObject ? .afterMember : .afterElement
    place = isObject ? .objectStart : .arrayStart
    start = at
    end = at &+ 1
    position = end
    hasEscapes = false
    return isObject ? .beginObject : .beginArray
  }

  /// Completes an event.
  @inline(__always)
  mutating func finish(
    _ event: JSONEvent, _ start: Int, _ end: Int, next: Int, hasEscapes: Bool = false
  ) -> JSONEvent {
    self.start = start
    self.end = end
    self.hasEscapes = hasEscapes
    position = next
    place = placeAfterValue
    return event
  }

  // MARK: Members

  @inline(__always)
  private mutating func member(
    _ bytes: Span<UInt8>, _ at: Int
  ) throws(JSONFailure) -> JSONEvent {
    guard at < bytes.count else { throw truncated("a key", bytes) }
    guard bytes[at] == 0x22 else { throw unexpected("expected a key in quotes", at, bytes) }
    var next: Int
    var id: Int
    if skipped == nil {
      let (found, length) = keys.predicted(after: lastKey, in: bytes, at: at &+ 1)
      if found >= 0 {
        (id, next) = (found, at &+ length &+ 2)
      } else {
        (id, next) = try unpredictedKey(bytes, at &+ 1)
      }
    } else {
      id = -1
      next = try scanText(bytes, at &+ 1, isKey: true).end &+ 1
    }
    if next >= bytes.count || bytes[next] != 0x3A {
      next = try afterWhiteSpace(bytes, next)
      guard next < bytes.count else { throw truncated(#"":" after a key"#, bytes) }
      guard bytes[next] == 0x3A else { throw unexpected(#"expected ":""#, next, bytes) }
    }
    next = try afterWhiteSpace(bytes, next &+ 1)
    if id >= 0 { try recordKey(id, bytes, at) }
    return try value(bytes, next)
  }

  @inline(never)
  private mutating func unpredictedKey(
    _ bytes: Span<UInt8>, _ start: Int
  ) throws(JSONFailure) -> (id: Int, next: Int) {
    let (end, hasEscapes) = try scanText(bytes, start, isKey: true)
    guard hasEscapes else { return (keys.id(of: bytes, start..<end, after: lastKey), end &+ 1) }
    let decoded = scratch
    return (keys.id(of: decoded.elementSpan, 0..<decoded.count, after: lastKey), end &+ 1)
  }

  /// Records that the innermost object has a key.
  @inline(__always)
  private mutating func recordKey(
    _ id: Int, _ bytes: Span<UInt8>, _ at: Int
  ) throws(JSONFailure) {
    key = id
    keyOffset = at
    lastKey = id
    isDuplicateKey = false
    let former = keys.recordKey(id, in: object)
    if former == object {
      guard options.duplicateKeys == .reported else {
        throw failure(.malformed, "the object already has this key", at, bytes)
      }
      isDuplicateKey = true
      return
    }
    pendingKey = (id, former, formerObjects.count)
    if openObjects > 1 { formerObjects.append((id, former)) }
  }

  // MARK: Failures

  @inline(never)
  func failure(
    _ code: JSONFailure.Code, _ message: String, _ at: Int, _ bytes: Span<UInt8>
  ) -> JSONFailure {
    JSONFailure(
      code: code, message: message, position: origin.position(of: at, in: bytes))
  }

  @inline(never)
  func truncated(_ missing: StaticString, _ bytes: Span<UInt8>) -> JSONFailure {
    guard isComplete else { return Self.incomplete }
    return failure(.truncated, "the text ends before \(missing)", bytes.count, bytes)
  }

  @inline(never)
  func unexpected(_ message: String, _ at: Int, _ bytes: Span<UInt8>) -> JSONFailure {
    guard isComplete || at < bytes.count else { return Self.incomplete }
    return failure(at < bytes.count ? .malformed : .truncated, message, at, bytes)
  }

  /// Never thrown to the caller: more bytes will follow, so the position is not computed.
  private static let incomplete = JSONFailure(
    code: .truncated, message: "more bytes are needed", position: .init())
}

/// A text in JSON (RFC 8259) to a tree of values, without recursion.
struct JSONReader {
  /// A container that is open.
  struct Frame {
    let isObject: Bool
    /// Where it begins.
    let start: Int
    /// Whether nothing in it was read yet.
    var isFirst = true
    var elements: [SPONValue] = []
    var object = SPONObject()
    /// The key whose value comes next, in an object.
    var key: String?
    /// What the value of a special key is.
    var special = Special.none
    /// Whether a type name was read.
    var isNamed = false
  }

  /// What the member of an object is, in the typed style.
  enum Special: Equatable {
    case none
    case typeName
    case wrapper(JSONWrapper)
    /// What a wrapper stands for was read: nothing may follow.
    case wrapped(SPONValue)
  }

  let bytes: [UInt8]
  let isTyped: Bool
  let limits: SPONLimits
  var at = 0
  private(set) var frames: [Frame] = []
  private var count = 0
  private var result = SPONValue.null

  static func value(
    of bytes: [UInt8], style: SPONJSONStyle, limits: SPONLimits
  ) throws(SPONError) -> SPONValue {
    var reader = JSONReader(bytes: bytes, isTyped: style == .typed, limits: limits)
    do {
      try reader.run()
    } catch {
      throw SPONError(
        error.code, error.message, at: SPONPosition(of: error.offset, in: bytes.span),
        codingPath: reader.path)
    }
    return reader.result
  }

  private init(bytes: [UInt8], isTyped: Bool, limits: SPONLimits) {
    self.bytes = bytes
    self.isTyped = isTyped
    self.limits = limits
  }

  private mutating func run() throws(ScanFailure) {
    guard bytes.count <= limits.bytes else {
      throw ScanFailure(.tooLong, "the document is longer than \(limits.bytes) bytes", at: 0)
    }
    skipWhiteSpace()
    try value()
    while let top = frames.indices.last {
      skipWhiteSpace()
      let isObject = frames[top].isObject
      if next == (isObject ? Self.closeBrace : Byte.closeBracket) {
        at += 1
        try close()
        continue
      }
      if !frames[top].isFirst {
        guard next == Byte.comma else {
          throw unexpected(#"expected "," or "\#(isObject ? "}" : "]")" after the value"#)
        }
        at += 1
        skipWhiteSpace()
      }
      frames[top].isFirst = false
      if isObject { try key(top) }
      try value()
    }
    skipWhiteSpace()
    guard at == bytes.count else { throw invalid("expected nothing after the value", at: at) }
  }

  // MARK: Values

  private mutating func value() throws(ScanFailure) {
    let start = at
    guard count < limits.count else {
      throw ScanFailure(.tooMany, "the document has more than \(limits.count) values", at: start)
    }
    count += 1
    switch next {
    case Self.openBrace: try open(isObject: true)
    case Byte.openBracket: try open(isObject: false)
    case 0x22: try deliver(.string(try string()), start)
    case 0x74: try deliver(.bool(true), word("true", start))
    case 0x66: try deliver(.bool(false), word("false", start))
    case 0x6E: try deliver(.null, word("null", start))
    case Byte.hyphen, .some(0x30...0x39): try deliver(try number(as: special), start)
    default: throw unexpected("expected a value")
    }
  }

  private mutating func open(isObject: Bool) throws(ScanFailure) {
    // One more is room for what wraps a value that is within the limit.
    guard frames.count < limits.depth || isObject && isTyped && frames.count == limits.depth else {
      throw tooDeep(at)
    }
    if special != .none { throw invalid("expected a text or a number", at: at) }
    frames.append(Frame(isObject: isObject, start: at))
    at += 1
  }

  private mutating func close() throws(ScanFailure) {
    guard let frame = frames.last else { return }
    if case .wrapped(let value) = frame.special {
      frames.removeLast()
      return try deliver(value, frame.start)
    }
    guard frames.count <= limits.depth else { throw tooDeep(frame.start) }
    frames.removeLast()
    try deliver(frame.isObject ? .object(frame.object) : .array(frame.elements), frame.start)
  }

  /// Puts a value, which begins at `start`, where it belongs.
  private mutating func deliver(_ value: SPONValue, _ start: Int) throws(ScanFailure) {
    guard let top = frames.indices.last else {
      result = value
      return
    }
    guard frames[top].isObject else {
      frames[top].elements.append(value)
      return
    }
    switch frames[top].special {
    case .none:
      if let key = frames[top].key { frames[top].object[key] = value }
    case .typeName:
      guard case .string(let name) = value else {
        throw invalid("expected a type name as text", at: start)
      }
      frames[top].object.typeName = name
      frames[top].special = .none
    case .wrapper(let wrapper):
      frames[top].special = .wrapped(try unwrapped(value, wrapper, start))
    case .wrapped: break
    }
    frames[top].key = nil
  }

  // MARK: Keys

  private mutating func key(_ top: Int) throws(ScanFailure) {
    let start = at
    guard next == 0x22 else { throw unexpected("expected a name in quotes") }
    if case .wrapped = frames[top].special {
      throw invalid("expected \"}\", since nothing stands beside a wrapped value", at: start)
    }
    let key = try string()
    skipWhiteSpace()
    guard next == Byte.colon else { throw unexpected(#"expected ":" after the name"#) }
    at += 1
    skipWhiteSpace()
    if isTyped, key.utf8.first == Byte.at {
      try special(key, top, start)
    } else {
      frames[top].key = key
    }
    if frames.count > limits.depth, !frames[top].special.isWrapper {
      throw tooDeep(frames[top].start)
    }
  }

  /// A key that begins with `@`.
  private mutating func special(
    _ key: String, _ top: Int, _ start: Int
  ) throws(ScanFailure) {
    if key.utf8.dropFirst().first == Byte.at {
      frames[top].key = String(key.unicodeScalars.dropFirst())
    } else if key == JSONWrapper.typeName {
      frames[top].special = .typeName
      frames[top].isNamed = true
    } else if let wrapper = JSONWrapper(rawValue: key) {
      guard frames[top].object.isEmpty, !frames[top].isNamed else {
        throw invalid("\"\(key)\" stands alone in its object", at: start)
      }
      frames[top].special = .wrapper(wrapper)
    } else {
      throw invalid(
        "\"\(key)\" has no meaning in the typed style: a name that begins with \"@\" has another "
          + "\"@\" before it", at: start)
    }
  }

  /// What the value that comes next is.
  private var special: Special { frames.last?.special ?? .none }

  // MARK: Failures

  static let openBrace: UInt8 = 0x7B
  static let closeBrace: UInt8 = 0x7D

  var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func skipWhiteSpace() {
    while at < bytes.count, bytes[at].isWhiteSpace { at += 1 }
  }

  func invalid(_ message: String, at offset: Int) -> ScanFailure {
    ScanFailure(.invalidJSON, message, at: offset)
  }

  func unexpected(_ message: String) -> ScanFailure {
    at < bytes.count
      ? invalid(message, at: at) : invalid("\(message), and the text ends", at: bytes.count)
  }

  private func tooDeep(_ offset: Int) -> ScanFailure {
    ScanFailure(.tooDeep, "containers are nested more than \(limits.depth) deep", at: offset)
  }

  /// The keys and indexes that lead to where the text can't be read.
  private var path: [SPONKey] {
    frames.compactMap { frame in
      frame.isObject ? frame.key.map { .key($0) } : .index(frame.elements.count)
    }
  }
}

extension JSONReader.Special {
  fileprivate var isWrapper: Bool {
    if case .wrapper = self { true } else { false }
  }
}

internal import Primitives

/// Builds a tree of values from the events of a JSON text, without recursion.
struct JSONReader {
  /// An open container.
  struct Frame {
    let isObject: Bool
    /// The container's offset.
    let start: Int
    var elements: [SPONValue] = []
    var object = SPONObject()
    /// The key of the next value in an object.
    var key: String?
    /// The meaning of the next value, if its key is special.
    var special = Special.none
    /// Indicates whether the type name was read.
    var isNamed = false
  }

  /// The meaning of an object's member in the typed style.
  enum Special: Equatable {
    case none
    case typeName
    case wrapper(JSONWrapper)
    /// The wrapped value was read, so no other member may follow.
    case wrapped(SPONValue)
  }

  let bytes: [UInt8]
  let isTyped: Bool
  let limits: SPONValue.Limits
  private(set) var events: JSONEventReader
  private(set) var frames: [Frame] = []
  /// The keys read so far, by number.
  private var keys: [String] = []
  private var count = 0
  private var result = SPONValue.null

  static func value(
    of bytes: [UInt8], style: SPONValue.JSONStyle, limits: SPONValue.Limits
  ) throws(SPONError) -> SPONValue {
    var reader = JSONReader(bytes: bytes, isTyped: style == .typed, limits: limits)
    do {
      try reader.run()
    } catch {
      throw SPONError(
        error.code, error.message, at: SPONError.Position(of: error.offset, in: bytes.elementSpan),
        codingPath: reader.path)
    }
    return reader.result
  }

  private init(bytes: [UInt8], isTyped: Bool, limits: SPONValue.Limits) {
    self.bytes = bytes
    self.isTyped = isTyped
    self.limits = limits
    // One more level is allowed for the wrapper of a value that is within the limit.
    let depth = isTyped && limits.depth < .max ? limits.depth + 1 : limits.depth
    events = JSONEventReader(
      JSONReadingOptions(duplicateKeys: .reported, depth: depth, length: limits.length))
  }

  private mutating func run() throws(ScanFailure) {
    guard bytes.count <= limits.bytes else {
      throw ScanFailure(.tooLong, "the document is longer than \(limits.bytes) bytes", at: 0)
    }
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
      throw invalid("unexpected byte order mark before the value", at: 0)
    }
    let bytes = bytes
    while true {
      let event = try next(in: bytes.elementSpan)
      switch event {
      case .end, .incomplete: return
      case .endObject, .endArray: try close()
      default:
        if events.key >= 0 { try key() }
        try value(event)
      }
    }
  }

  private mutating func next(in bytes: Span<UInt8>) throws(ScanFailure) -> JSONEvent {
    do throws(JSONFailure) {
      return try events.next(in: bytes)
    } catch {
      // The path includes the key that was read.
      if events.key >= 0, let top = frames.indices.last {
        frames[top].key = events.keys[events.key]
      }
      let offset = error.position.byteOffset ?? 0
      switch error.code {
      case .tooDeep: throw tooDeep(offset)
      case .tooLong: throw tooLong(offset)
      case .malformed, .truncated, .invalidEncoding: throw invalid(error.message, at: offset)
      }
    }
  }

  // MARK: Values

  private mutating func value(_ event: JSONEvent) throws(ScanFailure) {
    let start = event == .string ? events.range.lowerBound - 1 : events.range.lowerBound
    guard count < limits.count else {
      throw ScanFailure(.tooMany, "the document has more than \(limits.count) values", at: start)
    }
    count += 1
    switch event {
    case .beginObject: try open(isObject: true, start)
    case .beginArray: try open(isObject: false, start)
    case .string: try deliver(.string(text), start)
    case .bool: try deliver(.bool(events.bool), start)
    case .null: try deliver(.null, start)
    case .integer, .double, .number: try deliver(try number(event), start)
    case .endObject, .endArray, .end, .incomplete: break
    }
  }

  private var text: String {
    events.hasEscapes
      ? String(decoding: events.decoded, as: UTF8.self)
      : String(decoding: bytes[events.range], as: UTF8.self)
  }

  private mutating func open(isObject: Bool, _ start: Int) throws(ScanFailure) {
    guard frames.count < limits.depth || isObject && isTyped && frames.count == limits.depth else {
      throw tooDeep(start)
    }
    if special != .none { throw invalid("expected a string or a number", at: start) }
    frames.append(Frame(isObject: isObject, start: start))
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

  /// Adds a value, which begins at `start`, to the innermost container.
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
        throw invalid("expected a type name as a string", at: start)
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

  /// Processes the key of the event's value.
  private mutating func key() throws(ScanFailure) {
    guard let top = frames.indices.last else { return }
    let start = events.keyOffset
    if case .wrapped = frames[top].special {
      throw invalid("expected \"}\" after a wrapped value", at: start)
    }
    while keys.count <= events.key { keys.append(events.keys[keys.count]) }
    let key = keys[events.key]
    if isTyped, key.utf8.first == Byte.at {
      try special(key, top, start)
    } else {
      frames[top].key = key
    }
    if frames.count > limits.depth, !frames[top].special.isWrapper {
      throw tooDeep(frames[top].start)
    }
  }

  /// Processes a key that begins with `@`.
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
        throw invalid("\"\(key)\" must be the only member of its object", at: start)
      }
      frames[top].special = .wrapper(wrapper)
    } else {
      throw invalid(
        "unknown member \"\(key)\" in the typed style: a name that begins with \"@\" must have a "
          + "second \"@\"", at: start)
    }
  }

  /// The meaning of the next value.
  var special: Special { frames.last?.special ?? .none }

  // MARK: Failures

  func invalid(_ message: String, at offset: Int) -> ScanFailure {
    ScanFailure(.invalidJSON, message, at: offset)
  }

  private func tooDeep(_ offset: Int) -> ScanFailure {
    ScanFailure(.tooDeep, "containers are nested more than \(limits.depth) deep", at: offset)
  }

  /// The path to the position of the failure.
  private var path: [SPONPath.Key] {
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

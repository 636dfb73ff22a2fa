import Fuzzing
import SPON

/// Parses a text as a whole, as events and as one element, in chunks whose lengths follow from the
/// first two bytes. All must produce the same value, or the same error at the same position. With
/// low limits, the error may differ: white space after a bare element is discarded in chunks.
func fuzzChunks(_ bytes: [UInt8]) {
  guard bytes.count >= 2 else { return }
  var lengths = Lengths(state: UInt32(bytes[0]) << 8 | UInt32(bytes[1]), longest: Int(bytes[1]) + 1)
  let rules = [SPONValue.Rules.standard, .strict, .lenient, .standard][Int(bytes[0] & 3)]
  let text = Array(bytes.dropFirst(2))
  // Either low limits that inputs exceed, or limits that no input exceeds.
  let limits =
    bytes[0] & 4 == 0 ? SPONValue.Limits() : SPONValue.Limits(depth: 12, length: 64, count: 100_000)
  let whole = outcome { () throws(SPONError) in
    try SPONValue(parsing: text, rules: rules, limits: limits)
  }
  let events = outcome { () throws(SPONError) in
    var reader = SPONEventReader(rules: rules, limits: limits)
    var tree = EventTree()
    for chunk in text.chunks(&lengths) {
      reader.append(chunk)
      while let event = try reader.next() { tree.take(event) }
    }
    reader.finish()
    while let event = try reader.next() { tree.take(event) }
    return tree.root
  }
  let isExact = bytes[0] & 4 == 0
  expectSame(whole, events, "events", isExact)
  let element = outcome { () throws(SPONError) in
    var reader = SPONElementReader(at: [], rules: rules, limits: limits)
    var value: SPONValue?
    for chunk in text.chunks(&lengths) {
      reader.append(chunk)
      while let element = try reader.next() { value = try element.value() }
    }
    reader.finish()
    while let element = try reader.next() { value = try element.value() }
    return value
  }
  expectSame(whole, element, "an element", isExact)
}

private typealias Outcome = Result<SPONValue?, SPONError>

private func outcome(_ body: () throws(SPONError) -> SPONValue?) -> Outcome {
  do throws(SPONError) { return .success(try body()) } catch { return .failure(error) }
}

private func expectSame(_ whole: Outcome, _ parts: Outcome, _ what: String, _ isExact: Bool) {
  switch (whole, parts) {
  case (.success(let whole), .success(let parts)):
    expect(whole == parts, "\(what): different value, \(String(describing: parts))")
  case (.failure, .failure) where !isExact: break
  case (.failure(let whole), .failure(let parts)):
    expect(
      whole.code == parts.code && whole.position == parts.position
        && (whole.codingPath == parts.codingPath || whole.code == .tooLong),
      "\(what): different error, \(whole) as a whole, \(parts) in chunks")
  default: fail("\(what): \(whole) as a whole, \(parts) in chunks")
  }
}

/// A sequence of chunk lengths.
private struct Lengths {
  var state: UInt32
  let longest: Int

  mutating func next() -> Int {
    state = state &* 1_664_525 &+ 1_013_904_223
    return 1 + Int(state >> 8) % longest
  }
}

extension [UInt8] {
  fileprivate func chunks(_ lengths: inout Lengths) -> [ArraySlice<UInt8>] {
    var chunks: [ArraySlice<UInt8>] = []
    var at = 0
    while at < count {
      let end = Swift.min(count, at + lengths.next())
      chunks.append(self[at..<end])
      at = end
    }
    return chunks
  }
}

/// Builds a tree of values from events.
private struct EventTree {
  private(set) var root: SPONValue?
  private var open: [Container] = []

  private enum Container {
    case object(SPONObject, SPONPath.Key?)
    case array([SPONValue], SPONPath.Key?)
  }

  mutating func take(_ event: SPONEventReader.Event) {
    switch event.kind {
    case .beginObject(let name): open.append(.object(SPONObject(typeName: name), event.key))
    case .beginArray: open.append(.array([], event.key))
    case .scalar(let value): put(value, event.key)
    case .endObject, .endArray:
      switch open.popLast() {
      case .object(let object, let key): put(.object(object), key)
      case .array(let elements, let key): put(.array(elements), key)
      case nil: fail("an end event without a begin event")
      }
    }
  }

  private mutating func put(_ value: SPONValue, _ key: SPONPath.Key?) {
    switch (open.popLast(), key) {
    case (nil, nil): root = value
    case (.object(var object, let outer), .key(let key)):
      object[key] = value
      open.append(.object(object, outer))
    case (.array(var elements, let outer), .index(let index)) where index == elements.count:
      elements.append(value)
      open.append(.array(elements, outer))
    default: fail("the key \(String(describing: key)) does not fit its container")
    }
  }
}

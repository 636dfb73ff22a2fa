internal import Primitives

/// What a text says about its layout before it is read.
struct JSONPrologue {
  var kind: JSONLayout.Kind
  /// The keys at the root that are seen, where there is one object.
  private(set) var keys: [String] = []
  /// Whether the text has no value at all.
  private(set) var isEmpty = false

  /// How much is looked at, at least.
  private static let length = 1 << 16

  /// - Parameter window: Is at the beginning, and stays there.
  /// - Throws: ``ProviderError`` where nothing is there, or what is there is not JSON.
  init(_ window: inout ByteWindow, _ options: JSONReadingOptions) throws {
    kind = .single
    while window.bytes.count < Self.length, !window.isAtEnd { try window.refill(dropping: 0) }
    var options = options
    options.mode = .concatenated
    options.duplicateKeys = .reported
    var reader = JSONEventReader(options)
    let first = try Self.next(&reader, &window)
    switch first {
    case .end: isEmpty = true
    case .beginObject:
      guard try readMembers(&reader, window.bytes.elementSpan) else { return }
    case .beginArray:
      kind = .array
      guard try reader.skippedContainer(in: window.bytes.elementSpan) != nil else { return }
    default: break
    }
    if first != .end, try Self.next(&reader, &window) != .end { kind = .sequence }
  }

  private static func next(
    _ reader: inout JSONEventReader, _ window: inout ByteWindow
  ) throws -> JSONEvent {
    while true {
      reader.isComplete = window.isAtEnd
      let event = try reader.event(in: window.bytes.elementSpan)
      guard event == .incomplete else { return event }
      try window.refill(dropping: 0)
    }
  }

  /// - Returns: Whether it is read to its end.
  private mutating func readMembers(
    _ reader: inout JSONEventReader, _ bytes: Span<UInt8>
  ) throws -> Bool {
    while true {
      let event = try reader.event(in: bytes)
      if event == .incomplete { return false }
      if event == .endObject { return true }
      let key = reader.keys[reader.key]
      keys.append(key)
      if key == "holt", event == .beginObject {
        let member = try reader.event(in: bytes)
        if member == .incomplete { return false }
        if member != .endObject, reader.keys[reader.key] == "version" {
          kind = .database
          return false
        }
        guard try rest(&reader, bytes, from: member) else { return false }
      } else if event == .beginObject || event == .beginArray {
        guard try reader.skippedContainer(in: bytes) != nil else { return false }
      }
    }
  }

  /// Passes over the rest of the object whose first member has begun.
  private func rest(
    _ reader: inout JSONEventReader, _ bytes: Span<UInt8>, from first: JSONEvent
  ) throws -> Bool {
    var event = first
    while reader.depth > 1 {
      if event == .incomplete { return false }
      if event == .beginObject || event == .beginArray {
        guard try reader.skippedContainer(in: bytes) != nil else { return false }
      }
      event = try reader.event(in: bytes)
    }
    return true
  }
}

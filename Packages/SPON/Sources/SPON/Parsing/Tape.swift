internal import Primitives

/// A whole text, scanned: its values in their order, each container before what it holds.
///
/// It is made in one pass, whatever is wrong is found then, and it can be read at any place: by who
/// decodes types, and by who makes a tree of values.
final class Tape: Sendable {
  /// One value.
  struct Entry {
    var kind: Token.Kind
    var mayHaveEscapes: Bool
    /// Whether a later pair of the same object has the same key, and holds instead.
    var isSuperseded = false
    /// The number of the key; -1 in an array, and for the root.
    var key: Int32
    /// Where the content begins; a container at its `@`.
    var start: UInt32
    /// The bytes of the content; those of a container's head.
    var length: UInt32
    /// The entry of the container; -1 for the root.
    var parent: Int32
    /// The value of a number or a boolean; of a container how many values it holds, and behind which
    /// entry the last of what it holds stands.
    var bits: UInt64

    var content: Range<Int> { Int(start)..<Int(start) + Int(length) }
    var isContainer: Bool { kind == .object || kind == .array }
    /// How many values a container holds, superseded ones counted.
    var count: Int { Int(bits >> 32) }
    /// The entry behind the last one that a container holds.
    var end: Int { Int(bits & 0xFFFF_FFFF) }
  }

  let bytes: [UInt8]
  let entries: [Entry]
  /// The different keys, by number.
  let keys: [String]
  /// Whether the keys have no scalars but those of ASCII.
  let keysAreASCII: Bool
  /// The version of the text.
  let level: UInt8

  init(bytes: [UInt8], entries: [Entry], keys: KeyTable, level: UInt8) {
    self.bytes = bytes
    self.entries = entries
    self.keys = keys.texts
    keysAreASCII = keys.areASCII
    self.level = level
  }

  /// The entry behind a value and all that it holds.
  @inline(__always)
  func end(of index: Int) -> Int {
    entries[index].isContainer ? entries[index].end : index + 1
  }
}

extension Tape {
  /// The text of a content without its escapes.
  func text(_ entry: Entry) -> String {
    Escapes.text(entry.content, in: bytes, mayHaveEscapes: entry.mayHaveEscapes, level: level)
  }

  /// The type name of an object; empty where it has none.
  func typeName(_ entry: Entry) -> String {
    let bytes = bytes
    return Self.typeName(bytes.elementSpan, entry.content, level: level)
  }

  /// The type name in an object's head.
  static func typeName(_ bytes: Span<UInt8>, _ head: Range<Int>, level: UInt8) -> String {
    guard head.count > 6 else { return "" }
    let name = head.lowerBound + 5..<head.upperBound - 1
    let text = Escapes.unescaped(bytes, name, level: level == 2 ? 2 : 0)
    return String(decoding: text, as: UTF8.self)
  }

  /// Where an entry stands in the text.
  func position(of index: Int) -> SPONError.Position {
    let bytes = bytes
    return SPONError.Position(of: Int(entries[index].start), in: bytes.elementSpan)
  }

  /// The entry that keys and indexes lead to, or the last one on the way that is there.
  func entry(at path: [any CodingKey]) -> Int {
    var index = 0
    for step in path {
      guard let child = child(of: index, step) else { return index }
      index = child
    }
    return index
  }

  private func child(of index: Int, _ step: any CodingKey) -> Int? {
    guard entries[index].isContainer else { return nil }
    var at = index + 1
    var place = 0
    while at < entries[index].end {
      let entry = entries[at]
      if entry.key >= 0
        ? !entry.isSuperseded && keys[Int(entry.key)].isSameUTF8(as: step.stringValue)
        : place == step.intValue
      {
        return at
      }
      at = end(of: at)
      place += 1
    }
    return nil
  }
}

internal import Primitives

/// A scanned text: its values in order, with each container before its contents.
///
/// A tape is created in one pass, which finds all errors. It allows random access, both for
/// decoding types and for building a tree of values.
final class Tape: Sendable {
  /// One value.
  struct Entry {
    var kind: Token.Kind
    var mayHaveEscapes: Bool
    /// Indicates whether a later pair in the same object has the same key and replaces this one.
    var isSuperseded = false
    /// The number of the key; -1 in an array, and for the root.
    var key: Int32
    /// The offset of the content; for a container, the offset of its `@`.
    var start: UInt32
    /// The length of the content in bytes; for a container, the length of its head.
    var length: UInt32
    /// The entry of the enclosing container; -1 for the root.
    var parent: Int32
    /// The value of a number or a boolean. For a container, the number of its values and the index
    /// of the entry after its last one.
    var bits: UInt64

    var content: Range<Int> { Int(start)..<Int(start) + Int(length) }
    var isContainer: Bool { kind == .object || kind == .array }
    /// The number of values in a container, including superseded ones.
    var count: Int { Int(bits >> 32) }
    /// The entry after the last one in a container.
    var end: Int { Int(bits & 0xFFFF_FFFF) }
  }

  let bytes: [UInt8]
  let entries: [Entry]
  /// The distinct keys, by number.
  let keys: [String]
  /// Indicates whether all scalars of the keys are ASCII.
  let keysAreASCII: Bool
  /// The version of SPON.
  let level: UInt8

  init(bytes: [UInt8], entries: [Entry], keys: KeyTable, level: UInt8) {
    self.bytes = bytes
    self.entries = entries
    self.keys = keys.texts
    keysAreASCII = keys.areASCII
    self.level = level
  }

  /// Returns the entry after a value and its contents.
  @inline(__always)
  func end(of index: Int) -> Int {
    entries[index].isContainer ? entries[index].end : index + 1
  }
}

extension Tape {
  /// Returns the text of an entry, with its escapes resolved.
  func text(_ entry: Entry) -> String {
    Escapes.text(entry.content, in: bytes, mayHaveEscapes: entry.mayHaveEscapes, level: level)
  }

  /// Returns the type name of an object; empty if it has none.
  func typeName(_ entry: Entry) -> String {
    let bytes = bytes
    return Self.typeName(bytes.elementSpan, entry.content, level: level)
  }

  /// Returns the type name in an object's head.
  static func typeName(_ bytes: Span<UInt8>, _ head: Range<Int>, level: UInt8) -> String {
    let name = Token.typeName(in: head)
    let text = Escapes.unescaped(bytes, name, level: level == 2 ? 2 : 0)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the position of an entry in the text.
  func position(of index: Int) -> SPONError.Position {
    let bytes = bytes
    return SPONError.Position(of: Int(entries[index].start), in: bytes.elementSpan)
  }

  /// Returns the entry at a path, or the last existing one on the way to it.
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
    var position = 0
    while at < entries[index].end {
      let entry = entries[at]
      if entry.key >= 0
        ? !entry.isSuperseded && keys[Int(entry.key)].isSameUTF8(as: step.stringValue)
        : position == step.intValue
      {
        return at
      }
      at = end(of: at)
      position += 1
    }
    return nil
  }
}

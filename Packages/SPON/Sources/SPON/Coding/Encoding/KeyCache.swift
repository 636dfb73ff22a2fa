/// A cache of types' keys in their written form, and of their order.
///
/// Objects of one type have the same keys in the same order, or a subset of them. Each key
/// therefore stores the key that followed it last, so that the next key is found without a search.
struct KeyCache {
  /// A key of one type.
  struct Entry {
    let name: String
    /// The name's length in UTF-8, and whether all its scalars are ASCII.
    let length: Int
    let isASCII: Bool
    /// The key as written, followed by the designator of the first value that it had, and by
    /// `` =` ``.
    let head: ByteBuffer.Piece
    /// The designator of the first value.
    let mark: TypeDesignator
    /// The key's bit in the set of an object's keys.
    let bit: UInt64
    /// The key's index in its shape.
    let index: Int
    /// The entry of the key that followed last; -1 if there is none.
    var next = -1

    /// Returns whether the entry belongs to a key.
    func isOf(_ name: String) -> Bool {
      // Equal strings may consist of different scalars.
      self.name == name && length == name.utf8.count
        && (isASCII || self.name.utf8.elementsEqual(name.utf8))
    }
  }

  /// The entries of each shape. A shape is a key type.
  private var shapes: [[Int]] = []
  private var entries: ContiguousArray<Entry> = []
  /// The written bytes of all keys.
  private(set) var bytes: [UInt8] = []

  /// Adds a shape, and returns its number.
  mutating func addShape() -> Int {
    shapes.append([])
    return shapes.count - 1
  }

  /// Returns the first entry of a shape; -1 if it has none.
  func first(of shape: Int) -> Int { shapes[shape].first ?? -1 }

  /// Returns whether an entry belongs to a key whose length in UTF-8 is `length`. Returns `false`
  /// for keys that are not ASCII.
  @inline(__always)
  func isEntry(_ entry: Int, of name: String, _ length: Int) -> Bool {
    let entries = entries.span
    return entry >= 0 && entries[entry].length == length && entries[entry].isASCII
      && entries[entry].name == name
  }

  /// Returns an entry's bit, and the entry that followed it last.
  @inline(__always)
  func bitAndNext(_ entry: Int) -> (bit: UInt64, next: Int) {
    let entries = entries.span
    return (entries[entry].bit, entries[entry].next)
  }

  /// Returns the written key of an entry, if the value has the same designator as the key's first
  /// one.
  @inline(__always)
  func head(_ entry: Int, for mark: TypeDesignator) -> ByteBuffer.Piece? {
    let entries = entries.span
    return entries[entry].mark == mark ? entries[entry].head : nil
  }

  /// Returns the written key of an entry, including the designator of its first value.
  func head(_ entry: Int) -> ByteBuffer.Piece { entries[entry].head }

  /// Searches for a key that is not the expected one, first after the previous entry, and then from
  /// the first one.
  func search(_ name: String, in shape: Int, after before: Int) -> Int? {
    let numbers = shapes[shape]
    let first = before < 0 ? 0 : entries[before].index + 1
    let ahead = numbers.dropFirst(first).first { entries[$0].isOf(name) }
    return ahead ?? numbers.prefix(first).first { entries[$0].isOf(name) }
  }

  /// Returns whether another key can be added. The limit is the number of bits of a set.
  func hasRoom(in shape: Int) -> Bool { shapes[shape].count < UInt64.bitWidth }

  /// Adds a key. There must be room for it.
  ///
  /// - Parameters:
  ///   - text: The key as written.
  ///   - length: The key's length in UTF-8.
  ///   - isASCII: Whether all scalars of the key are ASCII.
  mutating func add(
    _ name: String, _ text: [UInt8], length: Int, isASCII: Bool, _ mark: TypeDesignator,
    to shape: Int
  ) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: text)
    bytes.append(mark.rawValue)
    bytes.append(Byte.equals)
    bytes.append(Byte.backtick)
    let index = shapes[shape].count
    entries.append(
      Entry(
        name: name, length: length, isASCII: isASCII,
        head: ByteBuffer.Piece(bytes, start..<bytes.count), mark: mark, bit: 1 << UInt64(index),
        index: index))
    shapes[shape].append(entries.count - 1)
    return entries.count - 1
  }

  /// Records which key followed another one.
  mutating func follow(_ entry: Int, by next: Int) { entries[entry].next = next }
}

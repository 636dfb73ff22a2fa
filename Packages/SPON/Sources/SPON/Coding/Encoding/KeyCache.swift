/// The keys of types, as they are written, and in which order they came.
///
/// Objects of one type have the same keys in the same order, or some of them: so each key knows which one
/// followed it last, and is found there without a search.
struct KeyCache {
  /// A key of one type.
  struct Entry {
    let name: String
    /// How long the name is in UTF-8, and whether it has more scalars than those of ASCII.
    let length: Int
    let isASCII: Bool
    /// The key as it is written, and `` !=` `` with the designator of the value that it had first.
    let head: ByteBuffer.Piece
    /// That designator.
    let mark: Mark
    /// The key's bit in the set of those that an object has.
    let bit: UInt64
    /// The key's place in its shape.
    let place: Int
    /// The entry that came next; -1 where none did.
    var next = -1

    /// Whether it is that of a key.
    func isOf(_ name: String) -> Bool {
      // Names that are equal may still have other scalars.
      self.name == name && length == name.utf8.count
        && (isASCII || self.name.utf8.elementsEqual(name.utf8))
    }
  }

  /// The keys of each shape, which is a type of keys.
  private var shapes: [[Int]] = []
  private var entries: ContiguousArray<Entry> = []
  /// The bytes of all keys.
  private(set) var bytes: [UInt8] = []

  /// Adds a shape, and gives its number.
  mutating func addShape() -> Int {
    shapes.append([])
    return shapes.count - 1
  }

  /// The first key of the objects of a shape; -1 where none is known.
  func first(of shape: Int) -> Int { shapes[shape].first ?? -1 }

  /// Whether an entry is that of a key, whose length in UTF-8 is given. One that is not of ASCII alone is not
  /// told here.
  @inline(__always)
  func isEntry(_ entry: Int, of name: String, _ length: Int) -> Bool {
    let entries = entries.span
    return entry >= 0 && entries[entry].length == length && entries[entry].isASCII
      && entries[entry].name == name
  }

  /// An entry's bit, and the entry that came next.
  @inline(__always)
  func bitAndNext(_ entry: Int) -> (bit: UInt64, next: Int) {
    let entries = entries.span
    return (entries[entry].bit, entries[entry].next)
  }

  /// How an entry's key is written before a value, where it is one of the kind that the key had first.
  @inline(__always)
  func head(_ entry: Int, for mark: Mark) -> ByteBuffer.Piece? {
    let entries = entries.span
    return entries[entry].mark == mark ? entries[entry].head : nil
  }

  /// How an entry's key is written, with what stands before a value of the kind that it had first.
  func head(_ entry: Int) -> ByteBuffer.Piece { entries[entry].head }

  /// Finds a key that is not where it was expected: behind the one before, or from the beginning.
  func search(_ name: String, in shape: Int, after before: Int) -> Int? {
    let numbers = shapes[shape]
    let first = before < 0 ? 0 : entries[before].place + 1
    let ahead = numbers.dropFirst(first).first { entries[$0].isOf(name) }
    return ahead ?? numbers.prefix(first).first { entries[$0].isOf(name) }
  }

  /// Whether there is room for one more key: there are as many as a set has bits.
  func hasRoom(in shape: Int) -> Bool { shapes[shape].count < UInt64.bitWidth }

  /// Adds a key, for which there is room.
  ///
  /// - Parameters:
  ///   - text: How it is written.
  ///   - length: How long it is in UTF-8.
  ///   - isASCII: Whether it has only scalars of ASCII.
  mutating func add(
    _ name: String, _ text: [UInt8], length: Int, isASCII: Bool, _ mark: Mark, to shape: Int
  ) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: text)
    bytes.append(mark.rawValue)
    bytes.append(Byte.equals)
    bytes.append(Byte.backtick)
    let place = shapes[shape].count
    entries.append(
      Entry(
        name: name, length: length, isASCII: isASCII,
        head: ByteBuffer.Piece(bytes, start..<bytes.count), mark: mark, bit: 1 << UInt64(place),
        place: place))
    shapes[shape].append(entries.count - 1)
    return entries.count - 1
  }

  /// Notes which key came after another one.
  mutating func follow(_ entry: Int, by next: Int) { entries[entry].next = next }
}

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
    /// Where its bytes are: a space, the key as it is written, and `` !=` `` with the designator of the
    /// value that it had first.
    let bytes: Range<Int>
    /// That designator.
    let mark: UInt8
    /// The key's bit in the set of those that an object has.
    let bit: UInt64
    /// The key's place in its shape.
    let place: Int
    /// The entry that came next; -1 where none did.
    var next = -1
  }

  /// The keys of one type of keys.
  struct Shape {
    let type: ObjectIdentifier
    var entries: [Int] = []
  }

  private(set) var entries: [Entry] = []
  /// The bytes of all keys.
  private(set) var bytes: [UInt8] = []
  private var shapes: [Shape] = []
  private var numbers: [ObjectIdentifier: Int] = [:]

  /// The number of a type's shape.
  mutating func shape(of type: ObjectIdentifier) -> Int {
    if let last = shapes.last, last.type == type { return shapes.count - 1 }
    if let number = numbers[type] { return number }
    shapes.append(Shape(type: type))
    numbers[type] = shapes.count - 1
    return shapes.count - 1
  }

  /// The first key of the objects of a shape; -1 where none is known.
  func first(of shape: Int) -> Int { shapes[shape].entries.first ?? -1 }

  /// Whether an entry is that of a key.
  @inline(__always)
  func isEntry(_ entry: Int, of name: String) -> Bool {
    let entries = entries.span
    guard entry >= 0, entries[entry].name == name else { return false }
    // Names that are equal may still have other scalars.
    return entries[entry].length == name.utf8.count
      && (entries[entry].isASCII || entries[entry].name.utf8.elementsEqual(name.utf8))
  }

  /// An entry's bit, and the entry that came next.
  @inline(__always)
  func bitAndNext(_ entry: Int) -> (bit: UInt64, next: Int) {
    let entries = entries.span
    return (entries[entry].bit, entries[entry].next)
  }

  /// Appends a key as it is written.
  func append(_ entry: Int, isFirst: Bool, to output: inout Output) {
    let range = entries[entry].bytes
    output.append(
      bytes.span.extracting(range.lowerBound + (isFirst ? 1 : 0)..<range.upperBound - 3))
  }

  /// Appends a key and what stands before a value with its designator, where it is the one that the key
  /// had first.
  @inline(__always)
  func append(_ entry: Int, _ mark: Mark, isFirst: Bool, to output: inout Output) -> Bool {
    let entries = entries.span
    guard entries[entry].mark == mark.rawValue else { return false }
    let range = entries[entry].bytes
    output.append(bytes.span.extracting(range.lowerBound + (isFirst ? 1 : 0)..<range.upperBound))
    return true
  }

  /// Finds a key that is not where it was expected: behind the one before, or from the beginning.
  func search(_ name: String, in shape: Int, after before: Int) -> Int? {
    let numbers = shapes[shape].entries
    let first = before < 0 ? 0 : entries[before].place + 1
    for place in first..<Swift.max(numbers.count, first) where isEntry(numbers[place], of: name) {
      return numbers[place]
    }
    for place in 0..<Swift.min(numbers.count, first) where isEntry(numbers[place], of: name) {
      return numbers[place]
    }
    return nil
  }

  /// Adds a key, where there is room: there are as many as a set has bits.
  mutating func add(_ name: String, _ text: [UInt8], _ mark: Mark, to shape: Int) -> Int? {
    let count = shapes[shape].entries.count
    guard count < UInt64.bitWidth else { return nil }
    let start = bytes.count
    bytes.append(Byte.space)
    bytes.append(contentsOf: text)
    bytes.append(contentsOf: [mark.rawValue, Byte.equals, Byte.backtick])
    entries.append(
      Entry(
        name: name, length: name.utf8.count, isASCII: name.utf8.allSatisfy { $0 < 0x80 },
        bytes: start..<bytes.count, mark: mark.rawValue, bit: 1 << UInt64(count),
        place: count))
    shapes[shape].entries.append(entries.count - 1)
    return entries.count - 1
  }

  /// Notes which key came after another one.
  mutating func follow(_ entry: Int, by next: Int) { entries[entry].next = next }
}

/// The keys of types, as they are written, and in which order they came.
///
/// Objects of one type have the same keys in the same order, or some of them: so each key knows which one
/// followed it last, and is found there without a search.
struct KeyCache {
  /// A key of one type.
  struct Entry {
    let name: String
    /// As it is written.
    let text: [UInt8]
    /// The key's bit in the set of those that an object has.
    let bit: UInt64
    /// The entry that came next; -1 where none did.
    var next = -1
  }

  /// The keys of one type of keys.
  struct Shape {
    let type: ObjectIdentifier
    var entries: [Int] = []
  }

  private(set) var entries: [Entry] = []
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

  /// Finds a key that is not where it was expected.
  func search(_ name: String, in shape: Int) -> Int? {
    shapes[shape].entries.first { entries[$0].name == name }
  }

  /// Adds a key, where there is room: there are as many as a set has bits.
  mutating func add(_ name: String, _ text: [UInt8], to shape: Int) -> Int? {
    let count = shapes[shape].entries.count
    guard count < UInt64.bitWidth else { return nil }
    entries.append(Entry(name: name, text: text, bit: 1 << UInt64(count)))
    shapes[shape].entries.append(entries.count - 1)
    return entries.count - 1
  }

  /// Notes which key came after another one.
  mutating func follow(_ entry: Int, by next: Int) { entries[entry].next = next }
}

/// The keys of a text, indexed from 0 in the order of their first occurrence.
public struct JSONKeyTable: Sendable {
  private struct Entry {
    /// The offset of the key's bytes in `text`.
    let start: Int
    let length: Int
    /// The key's first eight bytes, followed by the closing quote if it is shorter, and the mask of these bytes.
    let word: UInt64
    let mask: UInt64
    let hash: Int
    /// Indicates whether the key is written without escapes.
    let isPlain: Bool
    /// The key that followed this key the last time.
    var successor = -1
    /// The innermost open object that has the key.
    var object = 0
  }

  /// The bytes of all keys.
  private var text: [UInt8] = []
  private var entries: [Entry] = []
  /// The hash table of key indexes. Its size is a power of two.
  private var slots: [Int32] = []

  public init() {}

  /// The number of keys.
  public var count: Int { entries.count }

  /// The key at an index.
  public subscript(id: Int) -> String {
    let entry = entries[id]
    return String(decoding: text[entry.start..<entry.start + entry.length], as: UTF8.self)
  }

  /// Returns the index of a key, or `nil` if the table does not contain it.
  public func id(of key: String) -> Int? {
    guard !entries.isEmpty else { return nil }
    let bytes = [UInt8](key.utf8)
    let place = place(
      of: bytes.elementSpan, 0..<bytes.count, hash: Self.hash(bytes.elementSpan, 0..<bytes.count))
    return slots[place] < 0 ? nil : Int(slots[place])
  }

  /// Returns the index of a key, which is added if it is missing.
  public mutating func add(_ key: String) -> Int {
    let bytes = Array(key.utf8)
    return id(of: bytes.elementSpan, 0..<bytes.count, after: -1)
  }

  // MARK: Reading

  /// Finds the key at `at`, after its opening quote, if it is the key that followed `last` before.
  ///
  /// - Returns: The key's index and length. The index is negative for any other key.
  @inline(__always)
  func predicted(after last: Int, in bytes: Span<UInt8>, at: Int) -> (id: Int, length: Int) {
    guard last >= 0 else { return (-1, 0) }
    let id = entries[last].successor
    guard id >= 0, at &+ 8 <= bytes.count else { return (-1, 0) }
    let word = bytes.word(at: at)
    if entries[id].word == word & entries[id].mask, isAt(id, bytes, at) {
      return (id, entries[id].length)
    }
    // The expected key may be missing in this object.
    let next = entries[id].successor
    if next >= 0, entries[next].word == word & entries[next].mask, isAt(next, bytes, at) {
      return (next, entries[next].length)
    }
    return (-1, 0)
  }

  /// Returns whether a key whose first word matches is at `at`, followed by a quote.
  @inline(__always)
  private func isAt(_ id: Int, _ bytes: Span<UInt8>, _ at: Int) -> Bool {
    let entry = entries[id]
    guard entry.isPlain else { return false }
    if entry.length < 8 { return true }
    guard at &+ entry.length < bytes.count, bytes[at &+ entry.length] == 0x22 else { return false }
    var index = 8
    while index < entry.length {
      guard text[entry.start &+ index] == bytes[at &+ index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Returns the index of a key, which is added if it is missing.
  mutating func id(of bytes: Span<UInt8>, _ range: Range<Int>, after last: Int) -> Int {
    if slots.isEmpty { slots = Array(repeating: -1, count: 64) }
    let hash = Self.hash(bytes, range)
    let place = place(of: bytes, range, hash: hash)
    var id = Int(slots[place])
    if id < 0 {
      id = entries.count
      slots[place] = Int32(truncatingIfNeeded: id)
      add(bytes, range, hash)
    }
    if last >= 0 { entries[last].successor = id }
    return id
  }

  private mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>, _ hash: Int) {
    let start = text.count
    var word: UInt64 = 0
    var isPlain = true
    for (index, at) in range.enumerated() {
      let byte = bytes[at]
      text.append(byte)
      if index < 8 { word |= UInt64(byte) &<< UInt64(8 &* index) }
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { isPlain = false }
    }
    var mask = UInt64.max
    if range.count < 8 {
      word |= 0x22 &<< UInt64(8 &* range.count)
      mask = UInt64.max &>> UInt64(8 &* (7 &- range.count))
    }
    entries.append(
      Entry(
        start: start, length: range.count, word: word, mask: mask, hash: hash, isPlain: isPlain))
    if entries.count &* 2 > slots.count { grow() }
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 4)
    for (id, entry) in entries.enumerated() {
      var place = entry.hash & (slots.count - 1)
      while slots[place] >= 0 {
        StepCounter.step()
        place = (place + 1) & (slots.count - 1)
      }
      slots[place] = Int32(truncatingIfNeeded: id)
    }
  }

  /// Returns the slot of a key, or the slot for inserting it.
  private func place(of bytes: Span<UInt8>, _ range: Range<Int>, hash: Int) -> Int {
    var place = hash & (slots.count - 1)
    while slots[place] >= 0 {
      StepCounter.step()
      let entry = entries[Int(slots[place])]
      if entry.hash == hash, equals(entry, bytes, range) { return place }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private func equals(_ entry: Entry, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard entry.length == range.count else { return false }
    for index in 0..<range.count
    where text[entry.start &+ index] != bytes[range.lowerBound &+ index] {
      return false
    }
    return true
  }

  /// Returns a hash with a per-process seed, so that no file can provoke collisions.
  private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    var hasher = Hasher()
    var word: UInt64 = 0
    for (index, at) in range.enumerated() {
      word = word &<< 8 | UInt64(bytes[at])
      if index & 7 == 7 { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(range.count)
    return hasher.finalize()
  }

  // MARK: Objects

  /// Records that an object has a key.
  ///
  /// - Returns: The object that was recorded before.
  @inline(__always)
  mutating func recordKey(_ id: Int, in object: Int) -> Int {
    StepCounter.step()
    let former = entries[id].object
    entries[id].object = object
    return former
  }
}

internal import Primitives

/// The different keys of a text, each with a number, and where each was seen last.
struct KeyTable {
  /// The keys, by number.
  private(set) var texts: [String] = []
  /// Whether they have no scalars but those of ASCII.
  private(set) var areASCII = true
  /// What nested objects have taken the places of: given back when they end.
  private(set) var aside: [(key: Int32, seen: Seen)] = []
  /// Where each key is written first, by number; empty where it has escapes.
  private var written: [Range<Int>] = []
  /// By number, the last pair with the key, and its object.
  private var seen: [Seen] = []
  /// Numbers of keys, by hash; -1 where there is none. Its length is a power of two.
  private var slots = [Int32](repeating: -1, count: 64)
  private var hashes: [UInt64] = []
  /// By number, the key that was written behind this one last; -1 where none was.
  private var next: [Int32] = []
  /// The key that was written last.
  private var last = -1

  struct Seen {
    var entry: Int32 = -1
    var object: Int32 = -1
  }

  /// The number of a key.
  mutating func number(
    of range: Range<Int>, in bytes: Span<UInt8>, mayHaveEscapes: Bool, level: UInt8
  ) -> Int32 {
    guard !mayHaveEscapes else {
      return number(of: Escapes.unescaped(bytes, range, level: level))
    }
    // Objects often have the same keys in the same order.
    let before = last
    let expected = before >= 0 ? next[before] : -1
    if expected >= 0, isSame(Int(expected), bytes, range) {
      last = Int(expected)
      return expected
    }
    let number = search(range, in: bytes)
    if before >= 0 { next[before] = number }
    last = Int(number)
    return number
  }

  private mutating func search(_ range: Range<Int>, in bytes: Span<UInt8>) -> Int32 {
    let hash = Self.hash(bytes, range)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if hashes[number] == hash, isSame(number, bytes, range) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    var key: [UInt8] = []
    key.reserveCapacity(range.count)
    for at in range { key.append(bytes[at]) }
    return add(String(decoding: key, as: UTF8.self), range, hash, slot)
  }

  /// The number of a key that was escaped.
  private mutating func number(of key: [UInt8]) -> Int32 {
    let hash = Self.hash(key.elementSpan, 0..<key.count)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if hashes[number] == hash, texts[number].utf8.elementsEqual(key) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return add(String(decoding: key, as: UTF8.self), 0..<0, hash, slot)
  }

  private mutating func add(
    _ text: String, _ range: Range<Int>, _ hash: UInt64, _ slot: Int
  ) -> Int32 {
    let number = Int32(truncatingIfNeeded: texts.count)
    if areASCII { areASCII = text.utf8.allSatisfy { $0 < 0x80 } }
    texts.append(text)
    written.append(range)
    hashes.append(hash)
    seen.append(Seen())
    next.append(-1)
    slots[slot] = number
    if texts.count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 4)
    for number in hashes.indices {
      var slot = Int(truncatingIfNeeded: hashes[number]) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: number)
    }
  }

  private func isSame(_ number: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let first = written[number]
    guard first.count == range.count, !first.isEmpty else {
      var at = range.lowerBound
      for byte in texts[number].utf8 {
        guard at < range.upperBound, bytes[at] == byte else { return false }
        at += 1
      }
      return at == range.upperBound
    }
    for offset in 0..<range.count
    where bytes[first.lowerBound + offset] != bytes[range.lowerBound + offset] {
      return false
    }
    return true
  }

  /// Differs from process to process, so that nobody can choose keys that collide.
  private static let seed = UInt64.random(in: .min ... .max)
  private static let factor = UInt64.random(in: .min ... .max) | 1

  /// A key's hash.
  static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    let factor = factor
    var hash = seed &+ UInt64(truncatingIfNeeded: range.count) &* factor
    var at = range.lowerBound
    while at < range.upperBound {
      var word: UInt64 = 0
      let end = Swift.min(at &+ 8, range.upperBound)
      while at < end {
        word = word &<< 8 | UInt64(bytes[at])
        at &+= 1
      }
      // The upper half comes down to the lower one: else the lower bits would depend on nothing but the
      // lower bits, and the differences of two keys not on the seed.
      let product = (hash ^ word).multipliedFullWidth(by: factor)
      hash = product.high ^ product.low
    }
    return hash
  }
}

extension KeyTable {
  /// Notes that a pair has a key, and gives the earlier pair of the same object that has it.
  ///
  /// - Parameter isOpen: Whether an object is still open. What such a one has noted is put aside until
  ///   the one that is noted now ends.
  mutating func note(
    _ key: Int32, at entry: Int32, in object: Int32, isOpen: (Int32) -> Bool
  ) -> Int32? {
    let number = Int(key)
    let before = seen[number]
    seen[number] = Seen(entry: entry, object: object)
    if before.object == object { return before.entry }
    if before.object >= 0, isOpen(before.object) { aside.append((key, before)) }
    return nil
  }

  /// Gives back what was put aside since.
  mutating func restore(to count: Int) {
    while aside.count > count, let (key, before) = aside.popLast() { seen[Int(key)] = before }
  }
}

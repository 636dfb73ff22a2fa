internal import Primitives

/// The distinct keys of a text, each with a number, and their last occurrences.
struct KeyTable {
  /// The keys, by number.
  private(set) var texts: [String] = []
  /// Indicates whether all scalars of the keys are ASCII.
  private(set) var areASCII = true
  /// The occurrences in enclosing objects that nested objects have replaced. They are restored when
  /// a nested object ends.
  private(set) var shadowed: [(key: Int32, seen: Seen)] = []
  /// The range of each key's first occurrence, by number; empty if it has escapes.
  private var written: [Range<Int>] = []
  /// The last pair with each key, and its object, by number.
  private var seen: [Seen] = []
  /// A hash table of key numbers; -1 marks an empty slot. Its size is a power of two.
  private var slots = [Int32](repeating: -1, count: 64)
  private var hashes: [UInt64] = []
  /// The key that followed each key last, by number; -1 if there is none.
  private var next: [Int32] = []
  /// The previous key.
  private var last = -1

  struct Seen {
    var entry: Int32 = -1
    var object: Int32 = -1
  }

  /// Returns the number of a key.
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
      StepCounter.step()
      let number = Int(slots[slot])
      if hashes[number] == hash, isSame(number, bytes, range) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    var key: [UInt8] = []
    key.reserveCapacity(range.count)
    for at in range { key.append(bytes[at]) }
    return add(String(decoding: key, as: UTF8.self), range, hash, slot)
  }

  /// Returns the number of a key that had escapes.
  private mutating func number(of key: [UInt8]) -> Int32 {
    let hash = Self.hash(key.elementSpan, 0..<key.count)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      StepCounter.step()
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
      while slots[slot] >= 0 {
        StepCounter.step()
        slot = (slot + 1) & (slots.count - 1)
      }
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

  /// Random for each process, so that an attacker can't choose colliding keys.
  private static let seed = UInt64.random(in: .min ... .max)
  private static let factor = UInt64.random(in: .min ... .max) | 1

  /// Returns a key's hash.
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
      // The upper half is folded into the lower one. Otherwise the lower bits would depend only on
      // the lower bits of the key, and differences between keys would not depend on the seed.
      let product = (hash ^ word).multipliedFullWidth(by: factor)
      hash = product.high ^ product.low
    }
    return hash
  }
}

extension KeyTable {
  /// Records a pair's key, and returns the earlier pair in the same object with that key.
  ///
  /// - Parameter isOpen: Returns whether an object is still open. The occurrence in an open object
  ///   is saved until the current object ends.
  mutating func record(
    _ key: Int32, at entry: Int32, in object: Int32, isOpen: (Int32) -> Bool
  ) -> Int32? {
    StepCounter.step()
    let number = Int(key)
    let before = seen[number]
    seen[number] = Seen(entry: entry, object: object)
    if before.object == object { return before.entry }
    if before.object >= 0, isOpen(before.object) { shadowed.append((key, before)) }
    return nil
  }

  /// Restores the occurrences that were saved since `count`.
  mutating func restore(to count: Int) {
    while shadowed.count > count, let (key, before) = shadowed.popLast() { seen[Int(key)] = before }
  }
}

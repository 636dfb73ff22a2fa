/// A small struct, as programs typically exchange as text.
struct Record: Codable, Equatable, Sendable {
  var id: Int
  var a: Int
  var b: Int
  var x: Double
  var y: Double?
  var name: String
  var title: String
  var note: String?
  var flag: Bool

  /// Adds every property to an order-dependent checksum.
  func add(to sum: inout UInt64) {
    sum.mix(UInt64(bitPattern: Int64(id)))
    sum.mix(UInt64(bitPattern: Int64(a)))
    sum.mix(UInt64(bitPattern: Int64(b)))
    sum.mix(x.bitPattern)
    sum.mix(y?.bitPattern ?? 1)
    for text in [name, title, note ?? "–"] {
      for byte in text.utf8 { sum.mix(UInt64(byte)) }
      sum.mix(UInt64(text.utf8.count))
    }
    sum.mix(flag ? 1 : 0)
  }
}

extension [Record] {
  /// A checksum of the records and their order.
  var checksum: UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for record in self { record.add(to: &sum) }
    return sum
  }
}

extension UInt64 {
  fileprivate mutating func mix(_ value: UInt64) { self = (self ^ value) &* 0x100_0000_01b3 }
}

extension Record {
  /// Generates records from a fixed seed. The strings of one in a hundred contain non-ASCII
  /// characters and characters that SPON or JSON escapes.
  static func all(count: Int) -> [Record] {
    var random = RandomBits()
    return (0..<count).map { index in
      let isPlain = index % 100 != 37
      return Record(
        id: index, a: random.number(below: 1_000), b: random.number(below: 1 << 48),
        x: Double(random.number(below: 1_000_000)) / 1_000,
        y: random.number(below: 4) == 0 ? nil : Double(random.number(below: 100_000)) / 7,
        name: (isPlain ? "" : "Zoë ") + random.word(5 + random.number(below: 8)),
        title: isPlain ? random.word(40) : "“Ünï” \"\(random.word(8))\" `漢字` C:\\tmp/🚀\n\t",
        note: random.number(below: 2) == 0 ? nil : random.word(20),
        flag: random.number(below: 2) == 0)
    }
  }
}

/// Marsaglia's xorshift generator with a fixed seed.
private struct RandomBits {
  private var state: UInt64 = 42

  mutating func number(below limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(limit))
  }

  /// Returns a word of lowercase letters.
  mutating func word(_ count: Int) -> String {
    String(decoding: (0..<count).map { _ in 97 + UInt8(number(below: 26)) }, as: UTF8.self)
  }
}

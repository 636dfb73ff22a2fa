import SPON
import Testing

/// Random values in a round trip.
@Suite struct `Random values` {
  /// The seeds, one for each test case.
  static let seeds: [UInt64] = Effort.isFull ? Array(1...40) : [1, 2]
  static let count = Effort.count(400, all: 2_500)

  @Test(arguments: seeds)
  func `are read unchanged, and have one canonical form`(_ seed: UInt64) throws {
    var values = RandomValues(seed: seed)
    for index in 0..<Self.count {
      let value = values.value()
      let place: Comment = "value \(index) of seed \(seed): \(value)"
      let text = try value.bytes()
      let back = try SPONValue(parsing: text, rules: .strict)
      #expect(back == value, place)
      #expect(back.hashValue == value.hashValue, place)
      #expect(try back.bytes() == text, place)

      let canonical = try value.bytes(.canonical)
      let shuffled = values.shuffled(value)
      #expect(shuffled == value, place)
      #expect(shuffled.hashValue == value.hashValue, place)
      #expect(try shuffled.bytes(.canonical) == canonical, place)
      #expect(try SPONValue(parsing: canonical).bytes(.canonical) == canonical, place)

      #expect(try SPONValue(parsing: value.bytes(version: .two)) == value, place)
      #expect(try SPONValue(parsing: value.bytes(.prettyPrinted)) == value, place)
      #expect(
        try SPONValue(parsing: value.bytes(.prettyPrinted, version: .two), rules: .lenient)
          == value,
        place)
    }
  }

  @Test(arguments: seeds)
  func `are written in version 1 if it supports them, and rejected otherwise`(
    _ seed: UInt64
  ) throws {
    var values = RandomValues(seed: seed &+ 1_000)
    var written = 0
    for index in 0..<Self.count {
      let value = values.value()
      do {
        let text = try value.bytes(version: .one)
        let back = try? SPONValue(parsing: text)
        #expect(back == value.inVersion1, "value \(index) of seed \(seed): \(value)")
        written += 1
      } catch {
        #expect(error.code == .notRepresentable)
      }
      // A value of version 1 is written identically.
      let text = try value.bytes()
      if !String(decoding: text, as: UTF8.self).isVersion2 {
        #expect(try value.bytes(version: .one) == text, "value \(index) of seed \(seed): \(value)")
      }
    }
    #expect(written > Self.count / 10)
  }

  @Test func `that differ have different canonical forms`() throws {
    var values = RandomValues(seed: 99)
    var seen: [[UInt8]: SPONValue] = [:]
    for _ in 0..<Effort.count(500, all: 50_000) {
      let value = values.scalar()
      let form = try value.bytes(.canonical)
      #expect(seen[form, default: value] == value)
      seen[form] = value
    }
    #expect(Set(seen.values).count == seen.count)
  }
}

extension SPONValue {
  /// Returns the value without the types that version 1 does not support.
  fileprivate var inVersion1: SPONValue {
    switch self {
    case .decimal(let value): .opaque(value.description)
    case .instant(let value):
      .opaque(value.description.replacing("T", with: " ").replacing("Z", with: " +0000"))
    case .array(let elements): .array(elements.map(\.inVersion1))
    case .object(let object): .object(object.inVersion1)
    default: self
    }
  }
}

extension SPONObject {
  fileprivate var inVersion1: SPONObject {
    var other = SPONObject(typeName: typeName)
    for (key, value) in self { other[key] = value.inVersion1 }
    return other
  }
}

extension String {
  /// Indicates whether a document specifies version 2, or has version 2 because it is a single
  /// value.
  fileprivate var isVersion2: Bool {
    let text = unicodeScalars
    guard text.starts(with: "@obj".unicodeScalars) || text.starts(with: "@array".unicodeScalars)
    else {
      return true
    }
    let head = text.prefix { $0 != "<" && $0 != "[" }
    return text.starts(with: "@array:2[".unicodeScalars)
      || text.dropFirst(head.count + 1).starts(with: "@spon!=`2`".unicodeScalars)
  }
}

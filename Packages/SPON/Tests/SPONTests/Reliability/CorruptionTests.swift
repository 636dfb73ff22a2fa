import SPON
import Testing

/// Documents that are truncated, modified and nested: they must be read or rejected.
@Suite struct `Corrupt texts` {
  @Test func `The samples survive a round trip`() throws {
    for (name, text) in SampleDocuments.all {
      let value = try SPONValue(parsing: text)
      #expect(try SPONValue(parsing: value.text(.prettyPrinted)) == value, "\(name)")
      #expect(roundTrips(Array(text.utf8)), "\(name)")
    }
  }

  @Test func `Every prefix of a text is read or rejected`() {
    for (name, text) in SampleDocuments.all {
      let bytes = Array(text.utf8)
      for count in 0...bytes.count {
        let start = Array(bytes[..<count])
        if Effort.isFull || count % 29 == 0 {
          #expect(roundTrips(start), "\(name), the first \(count) bytes")
        }
        guard bytes[0] == UInt8(ascii: "@"), count < bytes.count else { continue }
        #expect(throws: SPONError.self, "\(name), \(count)") { try SPONValue(parsing: start) }
      }
    }
  }

  @Test func `A text with one modified byte is read or rejected`() {
    let seed: UInt64 = 20_261_121
    var random = SeededGenerator(seed: seed)
    for (name, text) in SampleDocuments.all {
      let bytes = Array(text.utf8)
      let places = Effort.isFull ? bytes.count * 255 : 30
      for index in 0..<places {
        let place = Effort.isFull ? index / 255 : random.below(bytes.count)
        let change = Effort.isFull ? index % 255 + 1 : 1 + random.below(255)
        var changed = bytes
        changed[place] ^= UInt8(truncatingIfNeeded: change)
        #expect(roundTrips(changed), "\(name), byte \(place) with \(change), seed \(seed)")
      }
    }
  }

  @Test func `A text with one byte removed or repeated is read or rejected`() {
    for (name, text) in SampleDocuments.all {
      let bytes = Array(text.utf8)
      for place in stride(from: 0, to: bytes.count, by: Effort.isFull ? 1 : 29) {
        var less = bytes
        less.remove(at: place)
        #expect(roundTrips(less), "\(name) without byte \(place)")
        var more = bytes
        more.insert(bytes[place], at: place)
        #expect(roundTrips(more), "\(name) with byte \(place) twice")
      }
    }
  }

  @Test func `Tokens in any order are read or rejected`() {
    let tokens = [
      "@obj", "@obj<", "@obj:T<", "@array[", "@array:2[", ">", "]", "`", "`x`", " ", "\n", ", ",
      "=",
      "a", "!", "!=`", "$=`", "%", "true%", "1!", "~", "#", "+", "?", "<null>?", "&01;", "&u41;",
      "&ud800;", "@spon!=`2` ", "a=", "b!=`2` ", "c$=`x` ", "1e9", "é", "-", "nan^",
      "1970-01-01T00:00:00Z",
    ]
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    for index in 0..<Effort.count(500, all: 200_000) {
      let count = 1 + random.below(12)
      let start = random.one(of: ["@obj<", "@array[", "@obj:T<@spon!=`2` ", "@array:2[", ""])
      let text = start + (0..<count).map { _ in random.one(of: tokens) }.joined()
      #expect(roundTrips(Array(text.utf8)), "\(text), number \(index) of seed \(seed)")
    }
  }

  @Test func `Random bytes are rejected`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<Effort.count(200, all: 50_000) {
      #expect(roundTrips(random.bytes(1 + random.below(64))))
    }
  }

  /// Returns whether bytes are rejected with a position, or read with any rules as a value that
  /// survives a round trip.
  private func roundTrips(_ bytes: [UInt8]) -> Bool {
    for rules in [SPONValue.Rules.standard, .strict, .lenient] {
      let value: SPONValue
      do {
        value = try SPONValue(parsing: bytes, rules: rules)
      } catch {
        guard let position = error.position, position.byteOffset <= bytes.count else {
          return false
        }
        continue
      }
      do {
        let canonical = try value.bytes(.canonical)
        let back = try SPONValue(parsing: canonical, rules: .strict)
        guard back == value, try back.bytes(.canonical) == canonical else { return false }
        let pretty = try value.bytes(.prettyPrinted, version: .two)
        guard try SPONValue(parsing: pretty) == value else { return false }
      } catch {
        return false
      }
    }
    return true
  }
}

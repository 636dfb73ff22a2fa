import Primitives
import SPON
import Testing

@Suite struct `Keys of a decoder` {
  struct Three: Codable, Equatable {
    var a = 1, b = "2", c: [Int]? = [3]
  }

  @Test(arguments: [
    "@obj:Three<a!=`1` b$=`2` c=@array[3!]>", "@obj:Three<c=@array[3!] b$=`2` a!=`1`>",
    "@obj<b$=`2` c=@array[3!] a!=`1`>",
    "@obj:Other<x!=`9` c=@array[3!] y=@obj<a!=`7`> b$=`2` a!=`1`>",
    "@obj<a!=`5` b$=`2` a!=`1` c=@array[3!]>",
    "@obj<c=@array[] a$=`x` b!=`7` c=@array[3!] b$=`2` a!=`1`>",
    "@obj<@spon!=`2` a!=`1` c=@array[3!] b$=`2`>",
    "@obj<\n  b$ = `2`\n  a! = `1`\n  c = @array[ 3! ]\n>",
  ])
  func `may be in any order, together with others, and duplicate`(_ text: String) {
    expectRead(text, Three())
  }

  @Test func `if they are duplicate, the last one counts for any request`() throws {
    struct Reversed: Decodable, Equatable {
      var values: [Int]
      var all: [String]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SPONPath.Key.self)
        all = container.allKeys.map(\.stringValue)
        values = try ["c", "b", "a", "a", "c"].map {
          try container.decode(Int.self, forKey: .key($0))
        }
      }
    }
    let value = try SPONDecoder().decode(
      Reversed.self, from: "@obj<a!=`1` b!=`1` a!=`2` c!=`1` b!=`2` c!=`2` a!=`3`>")
    #expect(value.values == [2, 2, 3, 3, 2])
    #expect(value.all == ["b", "c", "a"])
    var decoder = SPONDecoder()
    decoder.rules = .strict
    expectMismatch("@obj<a!=`1` ①a!=`2`>", as: [String: Int].self, .duplicateKey, decoder: decoder)
  }

  @Test func `that are missing or null are nil for optional types`() {
    expectRead("@obj<a!=`1` b$=`2`>", Three(c: nil))
    expectRead("@obj<@spon!=`2` b$=`2` c~=`` a!=`1`>", Three(c: nil))
    expectMismatch(
      "①@obj<a!=`1`>", as: Three.self, .keyNotFound, [], says: "\"b\"")
    expectMismatch("@array:2[~, ①@obj<>]", as: [Three?].self, .keyNotFound, [.index(1)])
    expectMismatch("@obj<@spon!=`2` a!=`1` b~=`①`>", as: Three.self, .valueNotFound, [.key("b")])
  }

  @Test func `are reported by contains`() throws {
    struct Asking: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SPONPath.Key.self)
        #expect(container.contains(.key("a")) && container.contains(.key("n")))
        #expect(!container.contains(.key("x")))
        #expect(try container.decodeNil(forKey: .key("n")))
        #expect(try !container.decodeNil(forKey: .key("a")))
        #expect(throws: DecodingError.self) { try container.decodeNil(forKey: .key("x")) }
        #expect(try container.decodeIfPresent(Int.self, forKey: .key("x")) == nil)
        #expect(try container.decodeIfPresent(Int.self, forKey: .key("n")) == nil)
        #expect(try container.decodeIfPresent(Int.self, forKey: .key("a")) == 1)
        #expect(throws: DecodingError.self) { try container.superDecoder() }
      }
    }
    _ = try SPONDecoder().decode(Asking.self, from: "@obj<@spon!=`2` a!=`1` n~=``>")
  }

  /// Reads the keys of an object as the given type.
  struct Keys: Decodable, Equatable {
    static let asked = CodingUserInfoKey(rawValue: "asked")
    var sum = 0
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: SPONPath.Key.self)
      let asked = Self.asked.flatMap { decoder.userInfo[$0] as? [String] } ?? []
      for key in asked { sum += try container.decode(Int.self, forKey: .key(key)) }
    }
  }

  /// Returns the number of steps to read `count` keys in an order.
  private func steps(count: Int, _ order: ([String]) -> [String]) throws -> Int {
    let keys = (0..<count).map { "key\($0)" }
    let text = "@obj<\(keys.map { "\($0)!=`1`" }.joined(separator: " "))>"
    var decoder = SPONDecoder()
    decoder.userInfo = [try #require(Keys.asked): order(keys)]
    let counter = StepCounter()
    #expect(try counter.run { try decoder.decode(Keys.self, from: text).sum } == count)
    return counter.count
  }

  @Test(.enabled(if: StepCounter.isEnabled))
  func `in the opposite order don't need many more steps in large objects`() throws {
    // If each key required a search, the ratio would be two thousand.
    let forward = try steps(count: 4_000) { $0 }
    let backward = try steps(count: 4_000) { $0.reversed() }
    #expect((4_000..<40_000).contains(forward))
    #expect(backward < forward * 10)
  }

  @Test func `and indexes of an element's path are correct in any order of requests`()
    throws
  {
    struct Asking: Decodable {
      init(from decoder: any Decoder) throws {
        var outer = try decoder.unkeyedContainer()
        var decoders: [any Decoder] = []
        while !outer.isAtEnd { decoders.append(try outer.superDecoder()) }
        for place in [0, 3, 1, 2, 2, 0, 3] {
          #expect(decoders[place].codingPath.map(\.intValue) == [place])
          let inner = try decoders[place].unkeyedContainer()
          #expect(inner.codingPath.map(\.stringValue) == ["Index \(place)"])
        }
      }
    }
    _ = try SPONDecoder().decode(
      Asking.self,
      from: "@array[@array[1!, @array[2!]], @array[], @array[@obj<a!=`1`>], @array[3!]]")
  }

  @Test func `of large objects are found`() throws {
    let map = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("key \($0)", $0) })
    let text = try SPONEncoder().encode(map)
    #expect(try SPONDecoder().decode([String: Int].self, from: text) == map)
    let numbers = Dictionary(uniqueKeysWithValues: (-500..<500).map { ($0, "\($0)") })
    let back = try SPONDecoder().decode([Int: String].self, from: SPONEncoder().encode(numbers))
    #expect(back == numbers)
  }

  struct Wide: Codable, Equatable {
    var a00 = 0, a01 = 1, a02 = 2, a03 = 3, a04 = 4, a05 = 5, a06 = 6, a07 = 7, a08 = 8, a09 = 9
    var b00 = 0, b01 = 1, b02 = 2, b03 = 3, b04 = 4, b05 = 5, b06 = 6, b07 = 7, b08 = 8, b09 = 9
    var c00 = 0, c01 = 1, c02 = 2, c03 = 3, c04 = 4, c05 = 5, c06 = 6, c07 = 7, c08 = 8, c09 = 9
  }

  @Test func `of types with many keys may be in any order`() throws {
    let value = try SPONEncoder().value(of: Wide())
    var random = RandomValues(seed: 1_125)
    for _ in 0..<20 {
      let text = try random.shuffled(value).text()
      expectRead(text, Wide())
      expectRead("@array[\(text), \(text)]", [Wide(), Wide()])
    }
  }

  @Test func `are matched again if a value is read as another type`() throws {
    struct Either: Decodable {
      init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        let map = try single.decode([String: Int].self)
        #expect(map["some_key"] == 5 && map.count == 31)
        #expect(try single.decode(Named.self).someKey == 5)
        #expect(try single.decode([String: Int].self)["some_key"] == 5)
      }
      struct Named: Decodable { var k7, k3, someKey: Int }
    }
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let pairs = (0..<30).map { "k\($0)!=`\($0)`" } + ["some_key!=`5`"]
    _ = try decoder.decode(Either.self, from: "@obj<\(pairs.joined(separator: " "))>")
  }
}

@Suite struct `An encoder that sorts keys` {
  private enum Size: String, Codable { case small, medium, large }

  private struct Parts: Codable, Equatable {
    var words: Set<String> = []
    var sets: Set<Set<Int>> = []
    var sizes: [Size: [String: Int]] = [:]
    var numbers: [Int: Set<Double>] = [:]
    var none: Set<String>?
  }

  @Test func `writes equal values identically, even if their elements are unordered`() throws {
    func parts(_ words: some Sequence<String>) -> Parts {
      var set = Set<String>(minimumCapacity: Int.random(in: 0..<200))
      for word in words { set.insert(word) }
      return Parts(
        words: set, sets: [[1, 2, 3], [], [3, 4, 5, 6]],
        sizes: [.large: ["b": 2, "a": 1], .small: [:], .medium: ["c": 3]],
        numbers: [10: [1, .infinity, 0.5], 9: []], none: [])
    }
    let words = (0..<20).map { "word\($0)" }
    var encoder = SPONEncoder()
    encoder.outputFormatting = .canonical
    let text = try encoder.encode(parts(words))
    for _ in 0..<20 { #expect(try encoder.encode(parts(words.shuffled())) == text) }
    #expect(try SPONDecoder().decode(Parts.self, from: text) == parts(words))
    encoder.outputFormatting = .prettyPrinted
    #expect(
      try SPONDecoder().decode(Parts.self, from: encoder.encode(parts(words))) == parts(words))
  }
}

import Foundation
import SPON
import Testing

@Suite struct `Strategies for keys` {
  /// Returns the key that a strategy of Foundation's coder writes.
  private func inJSON(_ name: String, _ strategy: JSONEncoder.KeyEncodingStrategy) throws -> String?
  {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = strategy
    let data = try encoder.encode(OneKey(name: name))
    return try JSONDecoder().decode([String: Int].self, from: data).keys.first
  }

  private func inSPON(_ name: String, _ strategy: SPONEncoder.KeyEncodingStrategy) throws -> String?
  {
    var encoder = SPONEncoder()
    encoder.keyEncodingStrategy = strategy
    return try encoder.value(of: OneKey(name: name)).object?.keys.first
  }

  struct OneKey: Encodable {
    let name: String
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: SPONPath.Key.self)
      try container.encode(1, forKey: .key(name))
    }
  }

  /// Returns the first key of an object after decoding.
  struct Seen: Decodable {
    let key: String?
    init(from decoder: any Decoder) throws {
      key = try decoder.container(keyedBy: SPONPath.Key.self).allKeys.first?.stringValue
    }
  }

  private func readInJSON(_ name: String) throws -> String? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Seen.self, from: JSONEncoder().encode([name: 1])).key
  }

  private func readInSPON(_ name: String) throws -> String? {
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Seen.self, from: SPONEncoder().encode([name: 1])).key
  }

  private static let names = [
    "name", "userName", "URLProperty", "myURLProperty", "_leading", "__two", "trailing_", "_both_",
    "ABC", "aB", "aBC", "aBCd", "with_underscore", "with_Capital", "address1Line", "x1Y2", "aB1c",
    "user_name", "user__name", "my_url_property", "_user_name_", "A", "a", "_", "__", "a_", "_a",
    "user_NAME", "1a_2b", "éÉa", "isÜber", "a1b_c2d",
  ]

  @Test(arguments: names) func `convert keys like Foundation's coders`(_ name: String) throws {
    #expect(try inSPON(name, .convertToSnakeCase) == inJSON(name, .convertToSnakeCase))
    #expect(try readInSPON(name) == readInJSON(name))
    #expect(try inSPON(name, .useDefaultKeys) == name)
  }

  @Test func `convert any word like Foundation's coders`() throws {
    let seed: UInt64 = 1_126
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcABCDz_1")
    for _ in 0..<Effort.count(300, all: 20_000) {
      let name = String((0..<1 + random.below(9)).map { _ in random.one(of: letters) })
      let (ours, theirs) = try (
        inSPON(name, .convertToSnakeCase), inJSON(name, .convertToSnakeCase)
      )
      if ours != theirs { Issue.record("\(name) is \(ours ?? ""), not \(theirs ?? "")") }
      let (read, readThere) = try (readInSPON(name), readInJSON(name))
      if read != readThere {
        Issue.record("\(name) is read as \(read ?? ""), not \(readThere ?? "")")
      }
    }
  }

  struct Inner: Codable, Equatable { var someValue = 1 }
  struct Outer: Codable, Equatable {
    var firstInner = Inner(), allInner = [Inner()], byKey = ["someKey": Inner()]
    var maybe: [[String: Int]?] = [["anotherKey": 2]], byNumber = [7: Inner()]
  }

  @Test func `do not convert the keys of dictionaries`() {
    var encoder = SPONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    expectCoding(
      Outer(),
      "@obj:Outer<first_inner=@obj:Inner<some_value!=`1`> all_inner=@array[@obj:Inner<some_value!=`1`>] by_key=@obj:Dictionary<someKey=@obj:Inner<some_value!=`1`>> maybe=@array[@obj:Dictionary<anotherKey!=`2`>] by_number=@obj:Dictionary<7=@obj:Inner<some_value!=`1`>>>",
      encoder: encoder, decoder: decoder)
    expectRead(
      "@obj<some_key!=`1` someKey!=`2`>", ["some_key": 1, "someKey": 2], decoder: decoder)
  }

  /// Records the paths that a closure receives.
  final class Paths: @unchecked Sendable {  // used by one thread
    var all: [String] = []
    func note(_ path: [any CodingKey]) -> any CodingKey {
      all.append(path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "."))
      return SPONPath.Key.key((path.last?.stringValue ?? "") + "\(path.count)")
    }
  }

  struct Nest: Codable, Equatable {
    var a = Inner(), list = [Inner()], shape = Shape.circle(radius: 1), map = ["k": Inner()]
    enum Shape: Codable, Equatable { case circle(radius: Int) }
  }

  @Test func `pass the whole path to closures`() throws {
    let written = Paths(), read = Paths()
    var encoder = SPONEncoder()
    encoder.keyEncodingStrategy = .custom { written.note($0) }
    encoder.writesTypeNames = false
    let text = try encoder.encode([Nest()])
    #expect(
      text
        == "@array[@obj<a2=@obj<someValue3!=`1`> list2=@array[@obj<someValue4!=`1`>] shape2=@obj<circle3=@obj<radius4!=`1`>> map2=@obj<k=@obj<someValue4!=`1`>>>]"
    )
    #expect(
      written.all == [
        "0.a", "0.a.someValue", "0.list", "0.list.0.someValue", "0.shape", "0.shape.circle",
        "0.shape.circle.radius", "0.map", "0.map.k.someValue",
      ])
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = .custom { path in
      _ = read.note(path)
      return SPONPath.Key.key(String((path.last?.stringValue ?? "").dropLast()))
    }
    #expect(try decoder.decode([Nest].self, from: text) == [Nest()])
    #expect(read.all.contains("0.shape2.circle3.radius4"))
    #expect(read.all.contains("0.list2.0.someValue4"))
  }

  @Test func `apply to keys of superclasses and nested containers too`() throws {
    var encoder = SPONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = try encoder.encode(
      Encoding {
        var whole = $0.container(keyedBy: SPONPath.Key.self)
        var inner = whole.nestedContainer(keyedBy: SPONPath.Key.self, forKey: .key("nestedOne"))
        try inner.encode(1, forKey: .key("innerKey"))
        try inner.encode(2, forKey: .key("innerKey"))
        try Inner().encode(to: whole.superEncoder())
        _ = whole.superEncoder(forKey: .key("baseClass"))
      })
    #expect(
      text
        == "@obj:Encoding<nested_one=@obj<inner_key!=`2`> super=@obj<some_value!=`1`> base_class=@obj<>>"
    )
  }
}

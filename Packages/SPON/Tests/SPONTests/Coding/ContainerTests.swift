import SPON
import Testing

/// A type whose encoding is a closure.
struct Encoding: Encodable {
  let body: (any Encoder) throws -> Void
  init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// Expects the encoding of a closure to be a text.
func expectEncoding(
  _ expected: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping (any Encoder) throws -> Void
) {
  do {
    let text = try SPONEncoder().encode(Encoding(body))
    #expect(text == expected, sourceLocation: sourceLocation)
    _ = try SPONValue(parsing: text)
  } catch {
    Issue.record("\(expected): \(error)", sourceLocation: sourceLocation)
  }
}

@Suite struct `Containers of an encoder` {
  typealias Keys = SPONPath.Key

  @Test func `may be opened first and filled later, in any order`() {
    expectEncoding(
      "@obj:Encoding<a=@obj<x!=`1` y!=`4`> b=@array[2!, `5`] super!=`6` c!=`3` d=@obj<>>"
    ) { encoder in
      var whole = encoder.container(keyedBy: Keys.self)
      var first = whole.nestedContainer(keyedBy: Keys.self, forKey: .key("a"))
      var second = whole.nestedUnkeyedContainer(forKey: .key("b"))
      let base = whole.superEncoder()
      try first.encode(1, forKey: .key("x"))
      try second.encode(2)
      try whole.encode(3, forKey: .key("c"))
      _ = whole.nestedContainer(keyedBy: Keys.self, forKey: .key("d"))
      try first.encode(4, forKey: .key("y"))
      try second.encode("5")
      try 6.encode(to: base)
    }
  }

  @Test func `may be nested in arrays, and filled from the last to the first`() {
    expectEncoding(
      "@array[@obj<x!=`3`>, 9!, @array[`2`, @array[@obj<>]], 1!, @obj<>]"
    ) { encoder in
      var whole = encoder.unkeyedContainer()
      var first = whole.nestedContainer(keyedBy: Keys.self)
      try whole.encode(9)
      var second = whole.nestedUnkeyedContainer()
      let third = whole.superEncoder()
      _ = whole.superEncoder()
      #expect(whole.count == 5)
      try 1.encode(to: third)
      try second.encode("2")
      var deep = second.nestedUnkeyedContainer()
      _ = deep.nestedContainer(keyedBy: Keys.self)
      try first.encode(3, forKey: .key("x"))
      #expect(second.count == 2 && deep.count == 1)
    }
  }

  @Test func `are the same if a value requests them twice`() {
    expectEncoding("@obj:Encoding<a!=`1` b!=`2` c!=`3`>") { encoder in
      var first = encoder.container(keyedBy: Keys.self)
      try first.encode(1, forKey: .key("a"))
      var second = encoder.container(keyedBy: Keys.self)
      try second.encode(2, forKey: .key("b"))
      try first.encode(3, forKey: .key("c"))
    }
    expectEncoding("@array[1!, 2!, 3!]") { encoder in
      var first = encoder.unkeyedContainer()
      try first.encode(1)
      var second = encoder.unkeyedContainer()
      try second.encode(2)
      try first.encode(3)
      #expect(second.count == 3)
    }
  }

  @Test func `are the same if a nested one is requested twice`() {
    expectEncoding("@obj:Encoding<a=@obj<x!=`1` y!=`2`> b=@array[3!, 4!] c!=`5`>") { encoder in
      var whole = encoder.container(keyedBy: Keys.self)
      var first = whole.nestedContainer(keyedBy: Keys.self, forKey: .key("a"))
      try first.encode(1, forKey: .key("x"))
      var list = whole.nestedUnkeyedContainer(forKey: .key("b"))
      try list.encode(3)
      var again = whole.nestedContainer(keyedBy: Keys.self, forKey: .key("a"))
      try again.encode(2, forKey: .key("y"))
      var listAgain = whole.nestedUnkeyedContainer(forKey: .key("b"))
      try listAgain.encode(4)
      try whole.encode(5, forKey: .key("c"))
    }
  }

  @Test func `keep the last of two values for the same key`() {
    expectEncoding("@obj:Encoding<b!=`2` a!=`3`>") { encoder in
      var whole = encoder.container(keyedBy: Keys.self)
      try whole.encode(1, forKey: .key("a"))
      try whole.encode(2, forKey: .key("b"))
      try whole.encode(3, forKey: .key("a"))
    }
    expectEncoding("@obj:Encoding<a=@array[1!]>") { encoder in
      var whole = encoder.container(keyedBy: Keys.self)
      _ = whole.nestedContainer(keyedBy: Keys.self, forKey: .key("a"))
      var list = whole.nestedUnkeyedContainer(forKey: .key("a"))
      try list.encode(1)
    }
  }

  @Test func `keep the last of two values in objects with many keys too`() throws {
    let text = try SPONEncoder().encode(
      Encoding { encoder in
        var whole = encoder.container(keyedBy: Keys.self)
        for pass in 0..<2 {
          for index in 0..<100 { try whole.encode(pass, forKey: .key("k\(index)")) }
        }
      })
    expectRead(text, Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", 1) }))
    #expect(try SPONValue(parsing: text).object?.count == 100)
  }

  class Base: Codable {
    var a = 1
    init() {}
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(a, forKey: .a)
    }
    required init(from decoder: any Decoder) throws {
      a = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .a)
    }
    enum CodingKeys: CodingKey { case a }
  }

  final class Same: Base {
    var b = [2]
    override init() { super.init() }
    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(b, forKey: .b)
    }
    required init(from decoder: any Decoder) throws {
      b = try decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .b)
      try super.init(from: decoder)
    }
    enum CodingKeys: CodingKey { case b }
  }

  final class Apart: Base {
    var b = 2, base = 3
    override init() { super.init() }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      try super.encode(to: container.superEncoder(forKey: .base))
      try container.encode(b, forKey: .b)
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      b = try container.decode(Int.self, forKey: .b)
      base = try Base(from: container.superDecoder(forKey: .base)).a
      try super.init(from: container.superDecoder())
    }
    enum CodingKeys: CodingKey { case b, base }
  }

  @Test func `are shared by a class and its superclass`() throws {
    let text = try SPONEncoder().encode([Same(), Same()])
    #expect(text == "@array[@obj:Same<a!=`1` b=@array[2!]>, @obj:Same<a!=`1` b=@array[2!]>]")
    let back = try SPONDecoder().decode(
      Same.self, from: "@obj<b=@array[5!] a!=`4`>")
    #expect(back.a == 4 && back.b == [5])
  }

  @Test func `encode a superclass separately with its own encoder`() throws {
    let text = try SPONEncoder().encode(Apart())
    #expect(text == "@obj:Apart<super=@obj<a!=`1`> base=@obj<a!=`1`> b!=`2`>")
    let back = try SPONDecoder().decode(
      Apart.self, from: "@obj<b!=`7` base=@obj<a!=`8`> super=@obj<a!=`9`>>")
    #expect(back.a == 9 && back.b == 7 && back.base == 8)
  }

  @Test func `have the coding path that leads to them`() {
    expectEncoding("@obj:Encoding<x!=`0` a=@array[1!, @obj<b!=`2` c=@obj:Encoding<d!=`3`>>]>") {
      encoder in
      #expect(encoder.codingPath.isEmpty)
      var whole = encoder.container(keyedBy: Keys.self)
      try whole.encode(0, forKey: .key("x"))
      #expect(whole.codingPath.isEmpty && encoder.codingPath.isEmpty)
      var list = whole.nestedUnkeyedContainer(forKey: .key("a"))
      try list.encode(1)
      #expect(list.codingPath.map(\.stringValue) == ["a"])
      var object = list.nestedContainer(keyedBy: Keys.self)
      try object.encode(2, forKey: .key("b"))
      #expect(object.codingPath.map(\.stringValue) == ["a", "Index 1"])
      #expect(object.codingPath.last?.intValue == 1)
      try object.encode(
        Encoding { inner in
          #expect(inner.codingPath.map(\.stringValue) == ["a", "Index 1", "c"])
          var container = inner.container(keyedBy: Keys.self)
          try container.encode(3, forKey: .key("d"))
          #expect(container.codingPath.map(\.stringValue) == ["a", "Index 1", "c"])
        }, forKey: .key("c"))
      #expect(whole.codingPath.isEmpty)
    }
  }

  @Test func `encode nil in every way`() {
    expectEncoding("@obj:Encoding<@spon!=`2` a~=`` c=@array[~, ~]>") { encoder in
      var whole = encoder.container(keyedBy: Keys.self)
      try whole.encodeNil(forKey: .key("a"))
      try whole.encodeIfPresent(Int?.none, forKey: .key("b"))
      var list = whole.nestedUnkeyedContainer(forKey: .key("c"))
      try list.encodeNil()
      try list.encode(Int??.some(.none))
    }
  }
}

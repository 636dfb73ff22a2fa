import Foundation
import SPON
import Testing

private struct Refused: Error {}

/// Writes a pair and then throws.
private struct Refusing: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SPONPath.Key.self)
    try container.encode([1, 2], forKey: .key("begun"))
    var nested = container.nestedContainer(keyedBy: SPONPath.Key.self, forKey: .key("nested"))
    try nested.encode(1, forKey: .key("a"))
    throw Refused()
  }
}

/// Throws immediately.
private struct Refusal: Encodable {
  func encode(to encoder: any Encoder) throws { throw Refused() }
}

/// Encodes itself by a closure.
private struct Written: Encodable {
  let write: (any Encoder) throws -> Void
  init(_ write: @escaping (any Encoder) throws -> Void) { self.write = write }
  func encode(to encoder: any Encoder) throws { try write(encoder) }
}

@Suite struct `Encoding containers` {
  private func text(_ write: @escaping (any Encoder) throws -> Void) throws -> String {
    var encoder = SPONEncoder()
    encoder.writesTypeNames = false
    return try encoder.encode(Written(write))
  }

  @Test func `a pair whose value throws is not written`() throws {
    let written = try text { encoder in
      var container = encoder.container(keyedBy: SPONPath.Key.self)
      try? container.encode(Refusal(), forKey: .key("a"))
      try container.encode(1, forKey: .key("b"))
      try? container.encode(Refusing(), forKey: .key("c"))
      try container.encode(2, forKey: .key("d"))
      try container.encode(3, forKey: .key("a"))
      try? container.encode([Refusing()], forKey: .key("e"))
    }
    #expect(written == "@obj<b!=`1` d!=`2` a!=`3`>")
    let nothing = try text { encoder in
      var container = encoder.container(keyedBy: SPONPath.Key.self)
      try? container.encode(Refusal(), forKey: .key("a"))
    }
    #expect(nothing == "@obj<>")
  }

  @Test func `an element that throws is not written, and not counted`() throws {
    let written = try text { encoder in
      var container = encoder.unkeyedContainer()
      try? container.encode(Refusing())
      #expect(container.count == 0)
      try container.encode(1)
      try? container.encode(Refusal())
      #expect(container.count == 1)
      try container.encode([2])
      try? container.encode(["a": Refusing()])
    }
    #expect(written == "@array[1!, @array[2!]]")
  }

  @Test func `another value may replace one that throws`() throws {
    let long = String(repeating: "x", count: 300_000)
    let written = try text { encoder in
      var container = encoder.singleValueContainer()
      do {
        try container.encode(
          Written { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<3 { try container.encode(long) }
            throw Refused()
          })
      } catch {
        try container.encode("instead")
      }
    }
    #expect(written == "`instead`")
  }

  @Test func `a nested container is the same if it is requested for a key again`() throws {
    let written = try text { encoder in
      var container = encoder.container(keyedBy: SPONPath.Key.self)
      var first = container.nestedContainer(keyedBy: SPONPath.Key.self, forKey: .key("n"))
      try first.encode(1, forKey: .key("a"))
      try container.encode(5, forKey: .key("between"))
      var again = container.nestedContainer(keyedBy: SPONPath.Key.self, forKey: .key("n"))
      try again.encode(2, forKey: .key("b"))
      var list = container.nestedUnkeyedContainer(forKey: .key("u"))
      try list.encode(1)
      var more = container.nestedUnkeyedContainer(forKey: .key("u"))
      try more.encode(2)
      #expect(more.count == 2)
    }
    #expect(written == "@obj<n=@obj<a!=`1` b!=`2`> between!=`5` u=@array[1!, 2!]>")
  }

  @Test func `a coding path is that of the container, regardless of its contents`() throws {
    func path(_ path: [any CodingKey]) -> [SPONPath.Key] {
      path.map { $0.intValue.map { .index($0) } ?? .key($0.stringValue) }
    }
    let value = Written { encoder in
      #expect(path(encoder.codingPath) == [.key("list"), .index(1)])
      var container = encoder.container(keyedBy: SPONPath.Key.self)
      try container.encode([1], forKey: .key("a"))
      #expect(path(encoder.codingPath) == [.key("list"), .index(1)])
      #expect(path(container.codingPath) == [.key("list"), .index(1)])
      var nested = container.nestedUnkeyedContainer(forKey: .key("u"))
      try nested.encode(1)
      #expect(path(nested.codingPath) == [.key("list"), .index(1), .key("u")])
      #expect(path(container.codingPath) == [.key("list"), .index(1)])
      let superEncoder = nested.superEncoder()
      #expect(path(superEncoder.codingPath) == [.key("list"), .index(1), .key("u"), .index(1)])
    }
    _ = try SPONEncoder().encode(["list": [Written { try 1.encode(to: $0) }, value]])
  }

  private final class Knot: Encodable {
    var next: Knot?
  }

  @Test func `a value that contains itself is nested too deeply`() throws {
    let knot = Knot()
    knot.next = knot
    let error = #expect(throws: SPONError.self) { try SPONEncoder().encode(knot) }
    #expect(error?.code == .tooDeep)
    knot.next = nil
  }

  @Test func `keys keep their scalars, even if they are equal strings`() throws {
    let value = [["e\u{301}": 1], ["\u{E9}": 2]]
    let keys = try SPONEncoder().value(of: value).array?.compactMap { $0.object?.keys.first }
    #expect(keys?.map { Array($0.unicodeScalars) } == [["e", "\u{301}"], ["\u{E9}"]])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [5, -7, Int128(Int64.min), Int128(UInt64.max), .max, .min])
  func `integers of 128 bits are preserved`(_ value: Int128) throws {
    let decoder = SPONDecoder()
    let text = try SPONEncoder().encode(["a": value])
    #expect(try decoder.decode([String: Int128].self, from: text) == ["a": value])
    #expect(try decoder.decode([Int128].self, from: SPONEncoder().encode([value])) == [value])
    #expect(try decoder.decode(Int128.self, from: SPONEncoder().encode(value)) == value)
    let magnitude = value.magnitude
    let texts = (
      try SPONEncoder().encode(["a": magnitude]), try SPONEncoder().encode([magnitude]),
      try SPONEncoder().encode(magnitude)
    )
    #expect(try decoder.decode([String: UInt128].self, from: texts.0) == ["a": magnitude])
    #expect(try decoder.decode([UInt128].self, from: texts.1) == [magnitude])
    #expect(try decoder.decode(UInt128.self, from: texts.2) == magnitude)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `integers of 128 bits are written like others if they fit in 64 bits`() throws {
    #expect(try SPONEncoder().encode([Int128(5)]) == "@array[5!]")
    #expect(try SPONEncoder().encode(["a": UInt128(5)]) == "@obj:Dictionary<a!=`5`>")
    #expect(
      try SPONEncoder().encode([UInt128.max])
        == "@array:2[340282366920938463463374607431768211455#]")
  }
}

import Foundation
import SPON
import Testing

@Suite struct `An error of a decoder` {
  struct Line: Codable, Equatable { var n = 0, name: String? }
  struct Order: Codable, Equatable { var lines: [Line], by: [String: Line]? }

  @Test func `has the position of a value of another type`() {
    expectMismatch(
      "@obj<\n  lines=@array[\n    @obj<n!=`1`>,\n    @obj<name$=`ž` n$=`①x`>]>", as: Order.self,
      .typeMismatch, [.key("lines"), .index(1), .key("n")], says: "expected Int, found a string")
    expectMismatch(
      "@obj<lines=@array[] by=@obj<a=@obj<n!=`1`> b=①@array[]>>", as: Order.self,
      .typeMismatch, [.key("by"), .key("b")], says: "found an array")
    expectMismatch("@obj<lines=①@obj<>>", as: Order.self, .typeMismatch, [.key("lines")])
    expectMismatch("@array[1!, 2!, `①3`]", as: [Int].self, .typeMismatch, [.index(2)])
    expectMismatch("①7!", as: Order.self, .typeMismatch, [])
  }

  @Test func `has the position of a value that its type can't represent`() {
    expectMismatch(
      "@array[1!, ①300!]", as: [UInt8].self, .typeMismatch, [.index(1)],
      says: "UInt8, which cannot hold 300 exactly")
    expectMismatch("@array[①0.123456789&]", as: [Float].self, .typeMismatch, [.index(0)])
  }

  @Test func `has the path of a missing key or element`() {
    expectMismatch(
      "@obj<lines=@array[@obj<n!=`1`>,\n①@obj<name$=`x`>]>", as: Order.self, .keyNotFound,
      [.key("lines"), .index(1)], says: "the object has no key \"n\"")
    struct Two: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        _ = try container.decode(Int.self)
      }
    }
    expectMismatch(
      "@obj<a=①@array[1!]>", as: [String: Two].self, .valueNotFound, [.key("a"), .index(1)],
      says: "the end of the array")
    struct NoNull: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decodeNil()
      }
    }
    expectMismatch("①@array[]", as: NoNull.self, .valueNotFound, [.index(0)])
  }

  @Test func `has the position of invalid text, before anything is decoded`() {
    expectMismatch(
      "@obj<lines=@array[@obj<n!=`①x`>]>", as: Order.self, .invalidNumber,
      [.key("lines"), .index(0), .key("n")])
    expectMismatch("@obj<lines=@array[]①", as: Order.self, .unexpectedEnd)
    expectMismatch("①", as: Order.self, .emptyDocument)
    expectMismatch("@obj<lines=@array[]>①x", as: Order.self, .trailingText)
  }

  enum Color: String, Codable { case red }
  struct Even: Codable, Equatable {
    var value: Int
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      value = try container.decode(Int.self, forKey: .value)
      guard value % 2 == 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: .value, in: container, debugDescription: "\(value) is odd")
      }
    }
  }

  @Test func `has the position of a value that its type rejects`() {
    expectMismatch(
      "@array[`red`, `①blue`]", as: [Color].self, .dataCorrupted, [.index(1)],
      says: "blue")
    expectMismatch(
      "@obj<a=@obj<value!=`①3`>>", as: [String: Even].self, .dataCorrupted,
      [.key("a"), .key("value")], says: "3 is odd")
    expectMismatch("@obj<id$=`①x`>", as: [String: UUID].self, .dataCorrupted, [.key("id")])
    expectMismatch("@obj<u$=`①`>", as: [String: URL].self, .dataCorrupted, [.key("u")])
    expectMismatch("@obj<x$=`1`>", as: [Int: String].self, .typeMismatch)
    expectMismatch("①@obj<up=@obj<>>", as: Direction.self, .typeMismatch, [])
    expectMismatch("①@obj<left=@obj<> right=@obj<>>", as: Direction.self, .typeMismatch, [])
    expectMismatch(
      "@obj<left=①@obj<>>", as: Direction.self, .keyNotFound, [.key("left")], says: "_0")
  }
  enum Direction: Codable { case left(Int), right(Int) }

  @Test func `has the position with a key strategy too`() {
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Outer: Decodable { var firstEven: Even }
    expectMismatch(
      "@obj<first_even=@obj<value!=`①3`>>", as: Outer.self, .dataCorrupted,
      [.key("first_even"), .key("value")], decoder: decoder)
    expectMismatch(
      "@obj<first_even=①@obj<>>", as: Outer.self, .keyNotFound, [.key("first_even")],
      decoder: decoder)
  }

  struct Refused: Error, Equatable {}
  struct Refusing: Decodable {
    init(from decoder: any Decoder) throws { throw Refused() }
  }

  @Test func `that a type throws is rethrown unchanged`() {
    #expect(throws: Refused()) { try SPONDecoder().decode([Refusing].self, from: "@array[1!]") }
    #expect(throws: Refused()) {
      try SPONDecoder().decode([String: [Refusing]].self, from: "@obj<a=@array[<null>?]>")
    }
  }

  /// A number, a text, or a list of these.
  enum Either: Decodable, Equatable {
    case number(Int), text(String), list([Either]), line(Line)
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Int.self) {
        self = .number(value)
      } else if let value = try? container.decode([Either].self) {
        self = .list(value)
      } else if let value = try? container.decode(Line.self) {
        self = .line(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  @Test func `may be caught by a type that then decodes another form`() {
    expectRead(
      "@array[1!, `a`, @array[`b`, 2!], @obj<n!=`3`>, 4.0&]",
      [
        Either.number(1), .text("a"), .list([.text("b"), .number(2)]), .line(Line(n: 3)),
        .number(4),
      ])
    expectMismatch(
      "@array[1!, @obj<a=①@obj<>>]", as: Pick.self, .typeMismatch, [.index(1), .key("a")])
    expectRead(
      "@obj<x$=`1` y=@obj<n!=`2`> z$=`3`>",
      ["x": .text("1"), "y": .line(Line(n: 2)), "z": Either.text("3")])
  }

  struct Pick: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      #expect(throws: DecodingError.self) { try container.decode(String.self) }
      #expect(throws: DecodingError.self) { try container.decode(Line.self) }
      #expect(throws: DecodingError.self) { try container.nestedUnkeyedContainer() }
      #expect(container.currentIndex == 0 && container.count == 2)
      #expect(try container.decode(Int.self) == 1)
      #expect(try !container.decodeNil())
      #expect(throws: DecodingError.self) { try container.decode([String: Int].self) }
      let object = try container.nestedContainer(keyedBy: SPONPath.Key.self)
      #expect(object.codingPath.map(\.stringValue) == ["Index 1"] && container.isAtEnd)
      #expect(throws: DecodingError.self) { try container.superDecoder() }
      _ = try object.decode(Int.self, forKey: .key("a"))
    }
  }

  @Test func `has the code for depth if the depth is exceeded`() throws {
    var decoder = SPONDecoder()
    decoder.limits.depth = 3
    expectRead("@array[@array[@array[1!]]]", [[[1]]], decoder: decoder)
    expectMismatch(
      "@array[@array[@array[①@array[]]]]", as: [[[[Int]]]].self, .tooDeep, decoder: decoder)
  }
}

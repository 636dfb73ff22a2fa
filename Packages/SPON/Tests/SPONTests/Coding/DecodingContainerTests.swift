import Foundation
import SPON
import Testing

/// Decodes itself by a closure in its decoder's `userInfo`.
private struct Read: Decodable {
  static let key = CodingUserInfoKey(rawValue: "read")
  init(from decoder: any Decoder) throws {
    let read = Self.key.flatMap { decoder.userInfo[$0] } as? @Sendable (any Decoder) throws -> Void
    try read?(decoder)
  }
}

/// A number if it can be decoded as one, otherwise a text.
private enum Loose: Decodable, Equatable {
  case number(Int)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }
}

@Suite struct `Decoding containers` {
  private func read(
    _ text: String, _ strategy: SPONDecoder.KeyDecodingStrategy = .useDefaultKeys,
    _ read: @escaping @Sendable (any Decoder) throws -> Void
  ) throws {
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = strategy
    if let key = Read.key { decoder.userInfo[key] = read }
    _ = try decoder.decode(Read.self, from: text)
  }

  @Test func `a type may catch failures as those of the standard library`() throws {
    try read("@obj<a!=`1` b?=`<null>` list=@array[1!, `x`]>") { decoder in
      let container = try decoder.container(keyedBy: SPONPath.Key.self)
      do {
        _ = try container.decode(Int.self, forKey: .key("c"))
        Issue.record("c is there")
      } catch DecodingError.keyNotFound(let key, let context) {
        #expect(key.stringValue == "c")
        #expect(context.codingPath.isEmpty)
      }
      do {
        _ = try container.decode(Int.self, forKey: .key("b"))
        Issue.record("b is a number")
      } catch DecodingError.valueNotFound(let type, let context) {
        #expect(ObjectIdentifier(type) == ObjectIdentifier(Int.self))
        #expect(context.codingPath.map(\.stringValue) == ["b"])
      }
      do {
        _ = try container.decode(String.self, forKey: .key("a"))
        Issue.record("a is a text")
      } catch DecodingError.typeMismatch(let type, _) {
        #expect(ObjectIdentifier(type) == ObjectIdentifier(String.self))
      }
      do {
        _ = try container.decode(UUID.self, forKey: .key("a"))
        Issue.record("a is a UUID")
      } catch is DecodingError {}
      var list = try container.nestedUnkeyedContainer(forKey: .key("list"))
      _ = try list.decode(Int.self)
      do {
        _ = try list.decode(Int.self)
        Issue.record("the text is a number")
      } catch DecodingError.typeMismatch(_, let context) {
        #expect(context.codingPath.map(\.intValue) == [nil, 1])
      }
      #expect(try list.decode(String.self) == "x")
      do {
        _ = try list.decode(Int.self)
        Issue.record("there is a third element")
      } catch DecodingError.valueNotFound(_, let context) {
        #expect(context.codingPath.map(\.intValue) == [nil, 2])
      }
    }
  }

  @Test func `a failure that a type rethrows has its position`() throws {
    let text = "@obj<a!=`1`\n list=@array[1!, `x`]>"
    let error = #expect(throws: SPONError.self) {
      try read(text) { decoder in
        let container = try decoder.container(keyedBy: SPONPath.Key.self)
        do {
          _ = try container.decode([Int].self, forKey: .key("list"))
        } catch let error as DecodingError {
          throw error
        }
      }
    }
    #expect(error?.code == .typeMismatch)
    #expect(error?.position?.line == 2)
    #expect(error?.codingPath == [.key("list"), .index(1)])
  }

  @Test func `a caught failure takes the same time at any index of a long array`() throws {
    // If each failure searched for its index from the beginning, this would take minutes.
    let count = 50_000
    let text = "@array[" + repeatElement("`text`", count: count).joined(separator: ", ") + "]"
    let values = try SPONDecoder().decode([Loose].self, from: text)
    #expect(values == Array(repeating: .text("text"), count: count))
  }

  @Test func `a large object is read by a type and as a dictionary`() throws {
    // The duplicate key is looked up differently than other keys.
    let pairs = (0..<40).map { "the_key\($0)!=`\($0)`" } + ["the_key7!=`70`"]
    let text = "@obj<" + pairs.joined(separator: " ") + ">"
    try read(text, .convertFromSnakeCase) { decoder in
      let keyed = try decoder.container(keyedBy: SPONPath.Key.self)
      #expect(try keyed.decode(Int.self, forKey: .key("theKey9")) == 9)
      let map = try decoder.singleValueContainer().decode([String: Int].self)
      #expect(map.count == 40)
      #expect(map["the_key8"] == 8)
      #expect(map["the_key7"] == 70)
      #expect(try keyed.decode(Int.self, forKey: .key("theKey7")) == 70)
    }
  }
}

import Foundation
import Primitives
import Testing

@testable import SPON

/// Documents that could be slow to read, or be read as a different value.
@Suite struct `Hostile texts` {
  /// The keys of an object.
  enum Keys: CaseIterable {
    case different
    /// One key, repeated.
    case same
    /// Keys that `String` considers equal, but that have different scalars: each letter in one of
    /// two forms.
    case equivalent

    func key(_ number: Int) -> String {
      switch self {
      case .different: "key\(number)"
      case .same: "key"
      case .equivalent:
        (0..<18).map { number >> $0 & 1 == 0 ? "é" : "e\u{301}" }.joined()
      }
    }

    func object(_ count: Int) -> String {
      "@obj<" + (0..<count).map { "\(key($0))!=`1`" }.joined(separator: " ") + ">"
    }

    func json(_ count: Int) -> String {
      "{" + (0..<count).map { #""\#(key($0))":1"# }.joined(separator: ",") + "}"
    }
  }

  /// A type that requests a missing key.
  private struct Missing: Decodable {
    var missing: Int?
  }

  /// Expects that the number of steps grows in proportion to the count: by 16 for 16 times the count, rather than by
  /// 256.
  private func expectLinear(
    _ what: Comment, _ body: (_ count: Int) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) rethrows {
    let count = Effort.count(2_400, all: 200_000)
    let (few, many) = (StepCounter(), StepCounter())
    try few.run { try body(count / 16) }
    try many.run { try body(count) }
    guard StepCounter.isEnabled else { return }
    #expect(many.count > 0, what, sourceLocation: sourceLocation)
    #expect(many.count <= 40 * few.count + 100, what, sourceLocation: sourceLocation)
  }

  @Test(arguments: Keys.allCases)
  func `are read in linear time`(_ keys: Keys) throws {
    let count = Effort.count(2_400, all: 200_000)
    let texts = [count / 16, count].map { Array(keys.object($0).utf8) }
    func text(_ number: Int) -> [UInt8] { texts[number == count ? 1 : 0] }

    try expectLinear("as a tree") { _ = try SPONValue(parsing: text($0)) }
    expectLinear("strictly") { _ = try? SPONValue(parsing: text($0), rules: .strict) }
    var reader = SPONEventReader(rules: .strict)
    reader.append(text(count))
    var eventCount = 0
    while (try? reader.next()) != nil { eventCount += 1 }
    #expect(eventCount >= (keys == .same ? 1 : count))
    try expectLinear("as an element") {
      var reader = SPONElementReader(at: [])
      reader.append(text($0))
      reader.finish()
      _ = try reader.next()?.value()
    }
    try expectLinear("as a dictionary") {
      _ = try SPONDecoder().decode([String: Int].self, from: text($0))
    }
    try expectLinear("as a type with other keys") {
      _ = try SPONDecoder().decode(Missing.self, from: text($0))
    }
    let json = [count / 16, count].map { Array(keys.json($0).utf8) }
    try expectLinear("as JSON") { _ = try SPONValue(json: json[$0 == count ? 1 : 0]) }
  }

  /// A text, or a value that is an error.
  private struct Either: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let path = decoder.codingPath.count
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        text = "\(number)"
      } else {
        text = try container.decode(String.self) + "\(path)"
      }
    }
  }

  @Test func `are decoded in linear time, even if a type catches errors`() throws {
    try expectLinear("elements") { count in
      let text = Array(("@array[" + "`text`, ".repeated(count) + "`text`]").utf8)
      let found = try SPONDecoder().decode([Either].self, from: text)
      #expect(found.last?.text == "text1")
    }
    try expectLinear("elements, by keys that depend on the path") { count in
      let text = Array(("@array[" + "@obj<a$=`b`>, ".repeated(count) + "@obj<a$=`c`>]").utf8)
      var decoder = SPONDecoder()
      decoder.keyDecodingStrategy = .custom { $0.last ?? SPONPath.Key.key("") }
      struct Letter: Decodable { var a: String }
      let found = try decoder.decode([Letter].self, from: text)
      #expect(found.last?.a == "c")
    }
  }

  @Test func `have errors with positions, in any order of requests`() throws {
    struct Tries: Decodable {
      init(from decoder: any Decoder) throws {
        var found: [String] = []
        var last = try decoder.unkeyedContainer()
        while !last.isAtEnd {
          let element = try last.superDecoder()
          do { _ = try Int(from: element) } catch DecodingError.typeMismatch(_, let context) {
            found.append(context.codingPath.map(\.stringValue).joined(separator: "."))
          }
          do {
            _ = try decoder.singleValueContainer().decode(Int.self)
          } catch DecodingError.typeMismatch(_, let context) {
            found.append(context.codingPath.map(\.stringValue).joined(separator: "."))
          }
        }
        for number in 0..<found.count / 2 {
          #expect(found[2 * number] == "Index \(number)" && found[2 * number + 1].isEmpty)
        }
        #expect(found.count == 6_000)
      }
    }
    let text = "\n@array[\n" + "`e`,\n".repeated(2_999) + "`e`]"
    _ = try SPONDecoder().decode(Tries.self, from: text)
  }

  @Test(arguments: Keys.allCases)
  func `are compared, hashed and written in linear time`(_ keys: Keys) throws {
    let count = Effort.count(2_400, all: 200_000)
    let values = try [count / 16, count].map { try SPONValue(parsing: keys.object($0)) }
    func value(_ number: Int) -> SPONValue { values[number == count ? 1 : 0] }

    expectLinear("compared") { #expect(value($0) == value($0)) }
    expectLinear("their difference") { #expect(value($0).difference(to: [:]).count >= 1) }
    // One key is in order.
    if keys != .same {
      try expectLinear("in canonical form") { _ = try value($0).bytes(.canonical) }
    }
    expectLinear("texts in a set") {
      let texts = Set((0..<$0).map { SPONValue.string(keys.key($0)) })
      #expect(texts.count == (keys == .same ? 1 : $0))
    }
    expectLinear("arrays of them") {
      let elements = (0..<$0).map { SPONValue.string(keys.key($0)) }
      #expect(!SPONValue.array(elements + ["x"]).difference(to: .array(["y"] + elements)).isEmpty)
    }
  }

  @Test func `have keys with different hashes, even if they are equal strings`() {
    let keys = (0..<512).map { Keys.equivalent.key($0) }
    #expect(Set(keys).count == 1)
    #expect(Set(keys.map(ExactText.init)).count == keys.count)
    #expect(Set(keys.map { ExactText($0).hashValue }).count == keys.count)
    #expect(Set(keys.map { SPONValue.string($0).hashValue }).count == keys.count)
    #expect(Set(keys.map { SPONPath.Key.key($0).hashValue }).count == keys.count)
    #expect(Set(keys.map { SPONValue.object([$0: 1]).hashValue }).count == keys.count)
    #expect(Set(keys.map { SPONValue.object(SPONObject(typeName: $0)).hashValue }).count == 512)
  }

  @Test func `have keys whose hashes are not polynomials of their bytes`() {
    // Two strings for which every polynomial with powers of two has the same value.
    for (zero, one): (UInt8, UInt8) in [(0x41, 0x42), (0x20, 0xA0), (0x00, 0x80)] {
      let first = (0..<2_048).map { $0.nonzeroBitCount % 2 == 0 ? zero : one }
      let second = (0..<2_048).map { $0.nonzeroBitCount % 2 == 0 ? one : zero }
      let hashes = [first, second].map { KeyTable.hash($0.elementSpan, 0..<$0.count) }
      #expect(hashes[0] != hashes[1])
      #expect(hashes[0] & 0xFFFF_FFFF != hashes[1] & 0xFFFF_FFFF)
    }
    var seen: Set<UInt64> = []
    for count in 0..<40 {
      let zeros = [UInt8](repeating: 0, count: count)
      #expect(seen.insert(KeyTable.hash(zeros.elementSpan, 0..<count)).inserted, "\(count) zeros")
    }
  }

  @Test func `with keys that are equal strings are decoded by their scalars`() throws {
    struct Letters: Decodable, Equatable {
      var composed: Int?, decomposed: Int?
      enum CodingKeys: String, CodingKey {
        case composed = "é"
        case decomposed = "e\u{301}"
      }
    }
    func decode(_ text: String) throws -> Letters {
      try SPONDecoder().decode(Letters.self, from: text)
    }
    let many = (0..<40).map { " k\($0)!=`0`" }.joined()
    for rest in ["", many] {
      #expect(
        try decode("@obj<é!=`1` e\u{301}!=`2`\(rest)>") == Letters(composed: 1, decomposed: 2))
      #expect(
        try decode("@obj<e\u{301}!=`2` é!=`1`\(rest)>") == Letters(composed: 1, decomposed: 2))
      #expect(try decode("@obj<e\u{301}!=`2`\(rest)>") == Letters(composed: nil, decomposed: 2))
      #expect(try decode("@obj<é!=`1`\(rest)>") == Letters(composed: 1, decomposed: nil))
    }
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Letters.self, from: "@obj<e\u{301}!=`2`>").composed == nil)
  }

  @Test func `with keys that are equal strings are written with all of them`() throws {
    struct Pairs: Encodable {
      let keys: [String]

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SPONPath.Key.self)
        for (number, key) in keys.enumerated() {
          try container.encode(number, forKey: .key(key))
        }
      }
    }
    // The number of keys that an encoder caches for a type, and one more.
    for count in [2, 60, 300] {
      let keys = (0..<count).map { Keys.equivalent.key($0) }
      let value = try SPONEncoder().value(of: [Pairs(keys: keys), Pairs(keys: keys.reversed())])
      #expect(value.array?.first?.object?.count == count)
      for (number, key) in keys.enumerated() {
        #expect(value[0]?[key] == .integer(Int64(number)))
        #expect(value[1]?[key] == .integer(Int64(count - 1 - number)))
      }
    }
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}

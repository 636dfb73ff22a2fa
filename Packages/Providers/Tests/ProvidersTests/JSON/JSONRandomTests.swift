import Foundation
import Primitives
import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Random JSON` {
  @Test func `is written and read back unchanged`() throws {
    var random = SeededRandom(seed: 7_001)
    for _ in 0..<FormatEffort.count(400) {
      let tree = random.tree()
      for style in [JSONProvider.Formatting.compact, .pretty, .lines] {
        let bytes = try tree.bytes(style, pieceSize: 1 + random.below(100))
        let options = JSONReadingOptions(mode: style == .lines ? .lines : .single)
        #expect(try JSONTree.all(bytes, options) == [tree])
        #expect(try JSONTree.all(bytes, options, chunk: 1 + random.below(50)) == [tree])
      }
    }
  }

  @Test func `with any byte changed is read or refused with a position`() throws {
    var random = SeededRandom(seed: 7_002)
    for _ in 0..<FormatEffort.count(1_500) {
      let bytes = Self.mutated(&random)
      for mode in [JSONReadingOptions.Mode.single, .lines, .concatenated] {
        let whole = Self.outcome(bytes, .init(mode: mode))
        let parts = Self.outcome(bytes, .init(mode: mode), chunk: 1 + random.below(30))
        #expect(whole == parts)
        if case .failure(let error) = whole {
          #expect(0...bytes.count ~= error.position?.byteOffset ?? -1)
        }
      }
    }
  }

  @Test func `matches SQLite, except for checks that SQLite omits`() throws {
    var random = SeededRandom(seed: 7_003)
    let db = try Connection(path: ":memory:")
    for _ in 0..<FormatEffort.count(1_500) {
      let bytes = Self.mutated(&random)
      // SQLite ends a text at a zero byte, does not skip a byte order mark, and does not check the
      // encoding.
      if bytes.contains(0) || bytes.first == 0xEF { continue }
      let theirs = try db.value(Bool.self, "SELECT json_valid(CAST(?1 AS TEXT))", bytes) == true
      switch Self.outcome(bytes, .init(duplicateKeys: .reported)) {
      case .success: #expect(theirs, "\(String(decoding: bytes, as: UTF8.self))")
      case .failure(let error):
        #expect(
          !theirs || error.code == .invalidEncoding,
          "\(error) \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test func `has the same values as in SQLite`() throws {
    var random = SeededRandom(seed: 7_004)
    let db = try Connection(path: ":memory:")
    for _ in 0..<FormatEffort.count(100) {
      let tree = random.tree()
      let text = String(decoding: try tree.bytes(), as: UTF8.self)
      let theirs = try db.values(
        String.self,
        "SELECT CASE type WHEN 'real' THEN 'real' ELSE type || ':' || ifnull(atom, '') END FROM json_tree(?1)",
        text)
      #expect(theirs == Self.leaves(tree))
    }
  }

  @Test func `matches Foundation, except where Foundation is lenient`() throws {
    var random = SeededRandom(seed: 7_005)
    for _ in 0..<FormatEffort.count(400) {
      let bytes = Self.mutated(&random)
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      guard case .success = Self.outcome(bytes, .init(duplicateKeys: .reported)), theirs == nil
      else {
        continue
      }
      // SQLite refuses numbers outside the range of doubles, and ignores content beyond its own
      // depth limit.
      #expect(bytes.contains(0x65) || bytes.contains(0x45) || bytes.count > 300)
    }
  }

  /// Types and values in the order of `json_tree`.
  private static func leaves(_ tree: JSONTree) -> [String] {
    switch tree {
    case .null: ["null:"]
    case .bool(let value): [value ? "true:1" : "false:0"]
    case .integer(let value): ["integer:\(value)"]
    case .double: ["real"]
    case .number(let digits): ["integer:\(digits)"]
    case .string(let text): ["text:\(text)"]
    case .array(let elements): ["array:"] + elements.flatMap(leaves)
    case .object(let members): ["object:"] + members.map(\.value).flatMap(leaves)
    }
  }

  /// Returns a text with a few bytes changed, dropped or doubled.
  private static func mutated(_ random: inout SeededRandom) -> [UInt8] {
    var bytes = (try? random.tree().bytes(random.oneIn(2) ? .compact : .pretty)) ?? []
    let special = Array("\"\\{}[],:0123456789.eE+-truefalsn \n\t\u{1}é".utf8) + [0xFF, 0x80, 0xC3]
    for _ in 0..<random.below(4) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(5) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(special[random.below(special.count)], at: place)
      case 2: bytes[place] = UInt8(random.below(256))
      case 3: bytes.removeLast(bytes.count - place)
      default: bytes[place] = special[random.below(special.count)]
      }
    }
    return bytes
  }

  private static func outcome(
    _ bytes: [UInt8], _ options: JSONReadingOptions, chunk: Int? = nil
  ) -> Result<[JSONTree], ProviderError> {
    do {
      return .success(try JSONTree.all(bytes, options, chunk: chunk))
    } catch let error as ProviderError {
      return .failure(error)
    } catch {
      Issue.record("another error: \(error)")
      return .success([])
    }
  }
}

@Suite struct `Writing JSON` {
  @Test func `keeps order and escapes special characters`() throws {
    let tree = JSONTree.object([
      JSONMember("z", .array([.integer(.min), .double(0.1), .bool(true), .null])),
      JSONMember("a\"\\\n\u{1}é", .string("/\u{8}\u{C}\r\t\u{1F}\u{7F}🎻")),
      JSONMember("e", .object([])),
      JSONMember("f", .array([])),
    ])
    #expect(
      String(decoding: try tree.bytes(), as: UTF8.self)
        == #"{"z":[-9223372036854775808,0.1,true,null],"a\"\\\n\u0001é":"/\b\f\r\t\u001f\#u{7F}🎻","e":{},"f":[]}"#
    )
    #expect(
      String(
        decoding: try JSONTree.array([.integer(1), .object([JSONMember("a", .null)])]).bytes(
          .pretty), as: UTF8.self)
        == "[\n  1,\n  {\n    \"a\": null\n  }\n]\n")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `refuses numbers that JSON lacks`(_ value: Double) throws {
    let error = #expect(throws: ProviderError.self) { try JSONTree.double(value).bytes() }
    #expect(error?.code == .unrepresentable)
  }

  @Test func `rethrows the errors of its closure`() throws {
    struct Full: Error {}
    var writer = JSONProvider.EventWriter(pieceSize: 4) { _ in throw Full() }
    try writer.beginArray()
    #expect(throws: Full.self) { try writer.string("long enough") }
  }
}

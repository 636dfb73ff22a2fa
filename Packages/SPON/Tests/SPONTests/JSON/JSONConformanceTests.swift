import SPON
import Testing

/// JSON documents that RFC 8259 accepts, and others that it rejects.
@Suite struct `JSON according to RFC 8259` {
  struct Accepted: CustomTestStringConvertible, Sendable {
    let text: String, value: SPONValue
    var testDescription: String { text }

    init(_ text: String, _ value: SPONValue) {
      self.text = text
      self.value = value
    }
  }

  static let accepted: [Accepted] = [
    Accepted("null", .null), Accepted("true", true), Accepted("false", false),
    Accepted(" \t\r\n1 \t\r\n", 1), Accepted("[]", []), Accepted("{}", [:]),
    Accepted("[ ]", []), Accepted("{ }", [:]), Accepted("[1,2]", [1, 2]),
    Accepted("[ 1 , 2 ]", [1, 2]), Accepted("[[],[[]]]", [[], [[]]]),
    Accepted(#"{"a":1}"#, ["a": 1]), Accepted(#" { "a" : 1 , "b" : [ ] } "#, ["a": 1, "b": []]),
    Accepted(#"{"":0}"#, ["": 0]), Accepted(#"{"a":1,"a":2}"#, ["a": 2]),
    Accepted(#"{"a":{"b":{}},"c":{}}"#, ["a": ["b": [:]], "c": [:]]),
    Accepted(#""""#, ""), Accepted(#""a""#, "a"), Accepted(#"" ' / ""#, " ' / "),
    Accepted(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    Accepted(#""\u0000\u0041\u00e9\u00E9""#, "\u{0}Aéé"), Accepted(#""\ud83d\udc0E""#, "🐎"),
    Accepted(#""\uDBFF\uDFFF\uE000\uD7FF""#, "\u{10FFFF}\u{E000}\u{D7FF}"),
    Accepted("\"é🐎\u{7F}\u{2028}\u{FEFF}\"", "é🐎\u{7F}\u{2028}\u{FEFF}"),
    Accepted(#""e\u0301""#, "e\u{301}"), Accepted(#""\\u0041""#, #"\u0041"#),
    Accepted("0", 0), Accepted("-1", -1), Accepted("10", 10), Accepted("1.0", .double(1)),
    Accepted("-0", .double(-0.0)), Accepted("-0.0", .double(-0.0)), Accepted("0.0", .double(0)),
    Accepted("0e5", .double(0)), Accepted("-0E-9", .double(-0.0)), Accepted("0e999999", .double(0)),
    Accepted("1e2", .double(100)), Accepted("1E+2", .double(100)), Accepted("1e-2", .double(0.01)),
    Accepted("1.50", .double(1.5)), Accepted("1e00", .double(1)),
  ]

  @Test(arguments: accepted)
  func `is read`(_ expected: Accepted) throws {
    #expect(try SPONValue(json: expected.text) == expected.value)
    #expect(try SPONValue(json: expected.text, style: .plain) == expected.value)
    #expect(try SPONValue(json: Array(expected.text.utf8)) == expected.value)
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    let text: String, offset: Int
    var testDescription: String { text }

    init(_ text: String, at offset: Int) {
      self.text = text
      self.offset = offset
    }
  }

  static let refused: [Refused] = [
    Refused("", at: 0), Refused("  ", at: 2), Refused("\u{FEFF}1", at: 0), Refused("nul", at: 3),
    Refused("nulL", at: 0), Refused("True", at: 0), Refused("nullx", at: 4), Refused("1 2", at: 2),
    Refused("'a'", at: 0), Refused("NaN", at: 0), Refused("Infinity", at: 0),
    Refused("-Infinity", at: 1), Refused("+1", at: 0), Refused("01", at: 0), Refused("-01", at: 0),
    Refused("00", at: 0), Refused("-", at: 1), Refused("1.", at: 2), Refused(".5", at: 0),
    Refused("1.e5", at: 2), Refused("1e", at: 2), Refused("1e+", at: 3), Refused("1e5.5", at: 3),
    Refused("0x10", at: 1), Refused("1_000", at: 1), Refused("--1", at: 1), Refused("1a", at: 1),
    Refused("[", at: 1), Refused("]", at: 0), Refused("[1", at: 2), Refused("[1,", at: 3),
    Refused("[1,]", at: 3), Refused("[,1]", at: 1), Refused("[1 2]", at: 3),
    Refused("[1,,2]", at: 3),
    Refused("[1}", at: 2), Refused("[]]", at: 2), Refused("{", at: 1), Refused("}", at: 0),
    Refused(#"{"a"}"#, at: 4), Refused(#"{"a":}"#, at: 5), Refused(#"{"a":1,}"#, at: 7),
    Refused(#"{"a" 1}"#, at: 5), Refused(#"{a:1}"#, at: 1), Refused(#"{1:1}"#, at: 1),
    Refused(#"{"a":1 "b":2}"#, at: 7), Refused(#"{"a":1]"#, at: 6), Refused(#"{,}"#, at: 1),
    Refused(#"{"a":1"#, at: 6), Refused(#"{"a":"#, at: 5), Refused(#"{"a"#, at: 3),
    Refused(#"{"a""#, at: 4), Refused(#"{"a":1,"#, at: 7), Refused(#"{'a':1}"#, at: 1),
    Refused(#"{null:1}"#, at: 1), Refused(#"{"a"::1}"#, at: 5),
    Refused(#"""#, at: 1), Refused(#""a"#, at: 2), Refused(#""\"#, at: 2), Refused(#""\""#, at: 3),
    Refused(#""\a""#, at: 1), Refused(#""\'""#, at: 1), Refused(#""\x41""#, at: 1),
    Refused(#""\U0041""#, at: 1), Refused("\"\\\n\"", at: 1), Refused("\"\\é\"", at: 1),
    Refused(#""\u""#, at: 1), Refused(#""\u004""#, at: 1), Refused(#""\u004g""#, at: 1),
    Refused(#""\u 041""#, at: 1), Refused(#""\ud800""#, at: 1), Refused(#""a\udc00""#, at: 2),
    Refused(#""\ud800\ud800""#, at: 1), Refused(#""\ud800\u0041""#, at: 1),
    Refused(#""\ud800x""#, at: 1), Refused(#""\ud800\n""#, at: 1),
    Refused(#""\udc00\ud800""#, at: 1),
    Refused(#""\ud800\""#, at: 1), Refused("\"\n\"", at: 1), Refused("\"a\tb\"", at: 2),
    Refused("\"\u{0}\"", at: 0), Refused("\"\u{1F}\"", at: 1), Refused("\u{A0}1", at: 0),
    Refused("1\u{C}", at: 1), Refused("1\u{2028}", at: 1), Refused("1\u{0}", at: 0),
    Refused("// a\n1", at: 0), Refused("/* a */ 1", at: 0), Refused("[1] // a", at: 4),
    Refused("undefined", at: 0), Refused("[1,2", at: 4), Refused("é", at: 0),
  ]

  @Test(arguments: refused)
  func `is rejected if it is invalid`(_ expected: Refused) {
    for style in [SPONValue.JSONStyle.typed, .plain] {
      let error = #expect(throws: SPONError.self) {
        try SPONValue(json: expected.text, style: style)
      }
      #expect(error?.code == .invalidJSON)
      #expect(error?.position?.byteOffset == expected.offset)
    }
  }

  @Test(
    arguments: [
      [0x22, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xFF, 0x22], [0x22, 0xE2, 0x82, 0x22],
    ] as [[UInt8]])
  func `is in UTF-8`(_ bytes: [UInt8]) {
    let error = #expect(throws: SPONError.self) { try SPONValue(json: bytes) }
    #expect(error?.code == .invalidJSON)
    #expect(error?.position?.byteOffset == 1)
  }

  @Test func `every prefix of a text is rejected or is a whole number`() {
    let text = Array(#" {"a":[1.5e3,{"b":"\ud83d\udc0e é"},true,null,false,-0.25],"c":{}} "#.utf8)
    for count in 0..<text.count - 1 {
      let error = #expect(throws: SPONError.self) { try SPONValue(json: Array(text[..<count])) }
      #expect(error?.code == .invalidJSON)
    }
  }

  @Test func `any modified byte is rejected or read`() {
    var random = SeededGenerator(seed: 0xF1)
    let text = Array(
      #"{"@type":"T","a":[1.5e3,{"@float":"nan"},{"b":"\ud83d\udc0e é"},true],"@@c":{"@data":"3q0="}}"#
        .utf8)
    for _ in 0..<2_000 {
      var changed = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<changed.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
        case 1: changed.remove(at: place)
        default: changed.insert(text.randomElement(using: &random) ?? 0, at: place)
        }
      }
      for style in [SPONValue.JSONStyle.typed, .plain] {
        do throws(SPONError) {
          let value = try SPONValue(json: changed, style: style)
          #expect((try? SPONValue(json: value.json())) == value)
        } catch {
          #expect(error.position.map { (0...changed.count).contains($0.byteOffset) } == true)
        }
      }
    }
  }

  @Test func `reports the line, the column and the path of a failure`() {
    let error = #expect(throws: SPONError.self) {
      try SPONValue(json: "{\n  \"é\": [1,\n    {\"b\": tru}]\n}")
    }
    #expect(error?.position == SPONError.Position(byteOffset: 24, line: 3, column: 11))
    #expect(error?.codingPath == [.key("é"), .index(1), .key("b")])
    #expect(error?.message == "expected \"true\"")
  }
}

@Suite struct `Numbers in JSON` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, value: SPONValue
    var testDescription: String { text }

    init(_ text: String, _ value: SPONValue) {
      self.text = text
      self.value = value
    }

    init(decimal text: String) {
      self.init(text, SPONDecimal(text).map { .decimal($0) } ?? .null)
    }
  }

  static let cases: [Case] = [
    Case("9223372036854775807", .integer(.max)), Case("-9223372036854775808", .integer(.min)),
    Case("9223372036854775808", .unsigned(1 << 63)), Case("18446744073709551615", .unsigned(.max)),
    Case(decimal: "18446744073709551616"), Case(decimal: "-9223372036854775809"),
    Case("100000000000000000000", .double(1e20)), Case(decimal: "100000000000000000001"),
    Case("0.1", .double(0.1)), Case("0.10", .double(0.1)), Case("1e300", .double(1e300)),
    Case("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    Case("5e-324", .double(.leastNonzeroMagnitude)),
    Case("2.2250738585072014e-308", .double(.leastNormalMagnitude)),
    Case("9007199254740993.0", .decimal(SPONDecimal("9007199254740993") ?? .notANumber)),
    Case(decimal: "4.9e-324"), Case(decimal: "1e309"), Case(decimal: "-1e-400"),
    Case(decimal: "0.1000000000000000055511151231257827"), Case(decimal: "1.00000000000000000001"),
    Case("0.30000000000000004", .double(0.1 + 0.2)), Case("1.000000000000000000000", .double(1)),
    Case(decimal: "123456789012345678901234567890.5"), Case(decimal: "1e999999000"),
    Case("123456789012345.6", .double(123456789012345.6)), Case(decimal: "9007199254740992.5"),
  ]

  @Test(arguments: cases)
  func `are represented exactly`(_ expected: Case) throws {
    let value = try SPONValue(json: expected.text)
    #expect(value == expected.value)
    #expect(value.double?.sign == expected.value.double?.sign)
    #expect(try SPONValue(json: value.json()) == value)
  }

  @Test func `are never rounded, not even random ones`() throws {
    var random = SeededGenerator(seed: 0x0B)
    for _ in 0..<2_000 {
      let digits = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
      let exponent = Int.random(in: -330...310, using: &random)
      let text = "1\(digits.prefix(3)).\(digits)e\(exponent)"
      let value = try SPONValue(json: text)
      #expect(value.decimal == SPONDecimal(text), "seed 0x0B, \(text)")
      if case .double(let double) = value { #expect(Double(text) == double) }
    }
  }

  @Test func `beyond all limits are rejected`() {
    for text in ["1e1000000001", "1e-99999999999999999999", "[1.5E+999999999999]"] {
      let error = #expect(throws: SPONError.self) { try SPONValue(json: text) }
      #expect(error?.code == .numberOutOfRange)
    }
  }
}

@Suite struct `Limits of JSON` {
  func code(_ text: String, _ limits: SPONValue.Limits) -> SPONError.Code? {
    do throws(SPONError) {
      _ = try SPONValue(json: text, limits: limits)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `limit the depth`() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let text = { (count: Int) in
        String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
      }
      #expect(code(text(3), SPONValue.Limits(depth: 3)) == nil)
      #expect(code(text(4), SPONValue.Limits(depth: 3)) == .tooDeep)
      #expect(code(text(512), SPONValue.Limits()) == nil)
      #expect(code(text(513), SPONValue.Limits()) == .tooDeep)
      #expect(code(String(repeating: open, count: 1_000_000), SPONValue.Limits()) == .tooDeep)
    }
    #expect(code("[{}]", SPONValue.Limits(depth: 1)) == .tooDeep)
    #expect(code("[[]]", SPONValue.Limits(depth: 1)) == .tooDeep)
    #expect(code(#"[{"a":1}]"#, SPONValue.Limits(depth: 1)) == .tooDeep)
    #expect(code(#"[{"@type":"a"}]"#, SPONValue.Limits(depth: 1)) == .tooDeep)
    #expect(code(#"[{"@float":1}]"#, SPONValue.Limits(depth: 1)) == nil)
  }

  @Test func `limit the length and the count`() {
    #expect(code("12345", SPONValue.Limits(bytes: 5)) == nil)
    #expect(code("123456", SPONValue.Limits(bytes: 5)) == .tooLong)
    #expect(code(#""12345""#, SPONValue.Limits(length: 5)) == nil)
    #expect(code(#""123456""#, SPONValue.Limits(length: 5)) == .tooLong)
    #expect(code("123456", SPONValue.Limits(length: 5)) == .tooLong)
    #expect(code(#"{"123456":1}"#, SPONValue.Limits(length: 5)) == .tooLong)
    #expect(code("[1,2]", SPONValue.Limits(count: 3)) == nil)
    #expect(code("[1,2,3]", SPONValue.Limits(count: 3)) == .tooMany)
  }
}

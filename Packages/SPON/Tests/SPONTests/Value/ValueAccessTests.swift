import SPON
import Testing

@Suite struct `The contents of a value` {
  @Test func `a scalar is returned as its own type`() {
    #expect(SPONValue.string("a").string == "a")
    #expect(SPONValue.bool(true).bool == true)
    #expect(SPONValue.integer(-5).int == -5)
    #expect(SPONValue.unsigned(.max).integer(as: UInt64.self) == .max)
    #expect(SPONValue.double(1.5).double == 1.5)
    #expect(SPONValue.float(1.5).float == 1.5)
    #expect(SPONValue.decimal(SPONDecimal(5)).decimal == SPONDecimal("5"))
    #expect(SPONValue.bytes([1]).bytes == [1])
    #expect(SPONValue.null.isNull)
    #expect(SPONValue.array([1]).array == [1])
    let instant = SPONInstant(secondsSince1970: 5)
    #expect(instant.map { SPONValue.instant($0).instant } == instant)
    #expect(SPONValue.object(SPONObject(typeName: "T")).object == SPONObject(typeName: "T"))
    #expect(SPONValue.object(SPONObject(typeName: "T")).typeName == "T")
  }

  @Test(arguments: [
    SPONValue.null, .bool(true), .integer(1), .unsigned(1), .float(1.5), .double(1.5),
    .decimal(SPONDecimal(1)), .string("1"), .bytes([1]), .opaque("x y"), .array([]),
    .object(SPONObject()),
  ])
  func `a value is not returned as an incompatible type`(_ value: SPONValue) {
    let isNumber = value.decimal != nil
    #expect((value.string != nil) == [.string("1"), .opaque("x y")].contains(value))
    #expect((value.bool != nil) == (value == .bool(true)))
    #expect((value.array != nil) == (value == .array([])))
    #expect((value.object != nil) == (value == .object(SPONObject())))
    #expect(value.isNull == (value == .null))
    #expect((value.bytes != nil) == (value == .bytes([1])))
    #expect(value.instant == nil)
    #expect((value.double != nil) == isNumber)
    #expect((value.float != nil) == isNumber)
    #expect(value.int == nil || isNumber)
    #expect(value.typeName == nil)
  }

  @Test func `an integer is returned in any width that can represent it`() {
    #expect(SPONValue.integer(127).integer(as: Int8.self) == 127)
    #expect(SPONValue.integer(128).integer(as: Int8.self) == nil)
    #expect(SPONValue.integer(-1).integer(as: UInt64.self) == nil)
    #expect(SPONValue.unsigned(.max).int == nil)
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      #expect(SPONValue.unsigned(.max).integer(as: Int128.self) == Int128(UInt64.max))
    }
    #expect(SPONValue.double(3).int == 3)
    #expect(SPONValue.double(3.5).int == nil)
    #expect(SPONValue.double(1e300).int == nil)
    #expect(SPONValue.double(.nan).int == nil)
    #expect(SPONValue.float(.infinity).int == nil)
    for (text, expected) in [
      ("12e2", 1200), ("0", 0), ("-7", -7), ("0.5", nil), ("1e999999", nil), ("nan", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
    ] as [(String, Int64?)] {
      #expect(SPONDecimal(text)?.integer(as: Int64.self) == expected, "\(text)")
    }
    #expect(SPONDecimal("255")?.integer(as: UInt8.self) == 255)
    #expect(SPONDecimal("256")?.integer(as: UInt8.self) == nil)
    #expect(SPONDecimal("-1")?.integer(as: UInt8.self) == nil)
  }

  @Test func `a number is converted to another type only without loss`() {
    #expect(SPONValue.integer(1 << 53).double == 0x1p53)
    #expect(SPONValue.integer(1 << 53 + 1).double == nil)
    #expect(SPONValue.float(0.1).double == Double(Float(0.1)))
    #expect(SPONValue.double(0.1).float == nil)
    #expect(SPONValue.double(.nan).float?.isNaN == true)
    #expect(SPONValue.double(-.infinity).float == -.infinity)
    #expect(SPONDecimal("0.1")?.double == 0.1)
    #expect(SPONDecimal("0.1")?.float == 0.1)
    #expect(SPONDecimal("0.10000000000000001")?.double == nil)
    #expect(SPONDecimal("1e400")?.double == nil)
    #expect(SPONDecimal("1e-400")?.double == nil)
    #expect(SPONDecimal("1e22")?.double == 1e22)
    #expect(SPONDecimal("nan")?.double?.isNaN == true)
    #expect(SPONValue.double(0.1).decimal == SPONDecimal("0.1"))
    #expect(SPONValue.double(.nan).decimal == .notANumber)
    #expect(SPONValue.double(.infinity).decimal == nil)
    #expect(SPONValue.unsigned(.max).decimal?.description == "18446744073709551615")
  }

  @Test func `an untyped text is converted to the requested type`() {
    #expect(SPONValue.opaque("42").int == 42)
    #expect(SPONValue.opaque("+42").int == nil)
    #expect(SPONValue.opaque("4 2").int == nil)
    #expect(SPONValue.opaque("300").integer(as: UInt8.self) == nil)
    #expect(SPONValue.opaque("true").bool == true)
    #expect(SPONValue.opaque("false").bool == false)
    #expect(SPONValue.opaque("yes").bool == nil)
    #expect(SPONValue.opaque("1.5").double == 1.5)
    #expect(SPONValue.opaque("-inf").float == -.infinity)
    #expect(SPONValue.opaque("1e999").double == nil)
    #expect(SPONValue.opaque("").double == nil)
    #expect(SPONValue.opaque("19.90").decimal == SPONDecimal("19.9"))
    #expect(SPONValue.opaque("3q0=").bytes == [0xDE, 0xAD])
    #expect(SPONValue.opaque("3q0").bytes == nil)
    #expect(
      SPONValue.opaque("2023-11-14 22:13:20 +0000").instant?.secondsSince1970 == 1_700_000_000)
  }

  @Test func `a decimal number that no text could contain is rejected`() {
    for text in ["1e999999999999999999999", "1e-99999999999", "1e1000000001", "1e-1000000001"] {
      #expect(SPONDecimal(text) == nil, "\(text)")
    }
    for text in ["1e999999000", "1.5e-999999000", "15e999999", "0e99999999999", "-0e-9999999999"] {
      let number = SPONDecimal(text)
      #expect(number != nil)
      #expect(number.flatMap { SPONDecimal($0.description) } == number, "\(text)")
    }
  }
}

@Suite struct `Values are equal` {
  static let composed = "\u{E9}"
  static let decomposed = "e\u{301}"

  struct Pair: CustomTestStringConvertible, Sendable {
    let left: SPONValue, right: SPONValue
    var testDescription: String { "\(left), \(right)" }

    init(_ left: SPONValue, _ right: SPONValue) {
      self.left = left
      self.right = right
    }
  }

  static let equal: [Pair] = [
    Pair(.integer(5), .unsigned(5)), Pair(.double(.nan), .double(-.nan)),
    Pair(.double(.nan), .double(.signalingNaN)), Pair(.float(.nan), .float(-.nan)),
    Pair(["a": 1, "b": 2], ["b": 2, "a": 1]),
    Pair(decimal("1e2"), decimal("100.0")), Pair(decimal("-0"), decimal("0.00")),
    Pair([["a": 1, "b": 2]], [["b": 2, "a": 1]]),
  ]

  static let different: [Pair] = [
    Pair(.double(0.0), .double(-0.0)), Pair(.float(0.0), .float(-0.0)),
    Pair(.integer(1), .double(1)), Pair(.float(1), .double(1)), Pair(.integer(0), .null),
    Pair(.integer(-1), .unsigned(.max)), Pair(.string("a"), .opaque("a")),
    Pair(.integer(1), .bool(true)), Pair(.integer(1), decimal("1")),
    Pair(.string(composed), .string(decomposed)), Pair(.opaque(composed), .opaque(decomposed)),
    Pair(.object([composed: 1]), .object([decomposed: 1])),
    Pair(.object(SPONObject(typeName: composed)), .object(SPONObject(typeName: decomposed))),
    Pair([1, 2], [2, 1]), Pair([:], []), Pair(.bytes([]), .string("")),
    Pair(["a": 1], ["a": 1, "b": 2]), Pair(["a": 1], ["b": 1]),
  ]

  static func decimal(_ text: String) -> SPONValue {
    SPONDecimal(text).map { .decimal($0) } ?? .null
  }

  @Test(arguments: equal)
  func `if they are written identically, and have the same hash`(_ pair: Pair) throws {
    let (left, right) = (pair.left, pair.right)
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(Set([left, right]).count == 1)
    #expect(try left.bytes(.canonical) == right.bytes(.canonical))
  }

  @Test(arguments: different)
  func `only if they are written identically`(_ pair: Pair) throws {
    let (left, right) = (pair.left, pair.right)
    #expect(left != right)
    #expect(right != left)
    #expect(try left.bytes(.canonical) != right.bytes(.canonical))
  }

  @Test func `if and only if their canonical texts are, including random ones`() throws {
    var random = SeededGenerator(seed: 0xE0)
    for round in 0..<500 {
      let value = ValueSupport.value(using: &random)
      let other = ValueSupport.edited(value, using: &random)
      let areEqual = try value.bytes(.canonical) == other.bytes(.canonical)
      #expect((value == other) == areEqual, "seed 0xE0, round \(round)")
      if areEqual { #expect(value.hashValue == other.hashValue, "seed 0xE0, round \(round)") }
      #expect(try SPONValue(parsing: value.text()) == value, "seed 0xE0, round \(round)")
    }
  }
}

@Suite struct `Nested values` {
  @Test func `are found by key and by index`() {
    let value: SPONValue = ["people": [["name": "Ada"], ["name": "Eva"]]]
    #expect(value["people"]?[1]?["name"]?.string == "Eva")
    #expect(value["people"]?[2] == nil)
    #expect(value["people"]?[-1] == nil)
    #expect(value["people"]?["name"] == nil)
    #expect(value[0] == nil)
    #expect(SPONValue.integer(1)["a"] == nil)
  }

  @Test func `are set in place, without affecting copies`() {
    var value: SPONValue = ["id": 7, "tags": ["a", "b"]]
    let copy = value
    value["tags"]?[1] = "c"
    value["tags"]?[2] = .double(4)
    value["id"] = 8
    value["new"] = .null
    #expect(value == ["id": 8, "tags": ["a", "c", 4.0], "new": nil])
    #expect(copy == ["id": 7, "tags": ["a", "b"]])
    #expect(value.object?.keys == ["id", "tags", "new"])
  }

  @Test func `are removed by setting nil`() {
    var value: SPONValue = ["a": 1, "b": [1, 2, 3]]
    value["a"] = nil
    value["b"]?[0] = nil
    value["c"] = nil
    value["b"]?[7] = nil
    #expect(value == ["b": [2, 3]])
  }

  @Test func `turn null into an object or an array`() {
    var object = SPONValue.null
    object["a"] = 1
    #expect(object == ["a": 1])
    var array = SPONValue.null
    array[0] = 1
    #expect(array == [1])
    var null = SPONValue.null
    null["a"] = nil
    null[0] = nil
    null[1] = 5
    null[-1] = 5
    #expect(null == .null)
  }

  @Test(arguments: [SPONValue.integer(1), .string("a"), .array([1]), .bool(false)])
  func `are not set in values of other types`(_ value: SPONValue) {
    var changed = value
    changed["key"] = 1
    changed[5] = 1
    changed[-1] = 1
    changed[.max] = 1
    #expect(changed == value)
  }

  @Test func `are unchanged when a change throws`() {
    struct Stop: Error {}
    func fail(_ value: inout SPONValue?) throws {
      value = 9
      throw Stop()
    }
    func change(_ value: inout SPONValue?) throws {
      guard value != nil else { return }
      try fail(&value![0])
    }
    var value: SPONValue = ["a": [1, 2], "b": 3]
    #expect(throws: Stop.self) { try fail(&value["b"]) }
    #expect(throws: Stop.self) { try change(&value["a"]) }
    #expect(value == ["a": [9, 2], "b": 9])
  }

  @Test func `are changed without copying their neighbors`() {
    // If each step copied the outer array or the element, this would take minutes.
    var value: SPONValue = ["rows": .array([.array((0..<20_000).map { .integer($0) }), 1])]
    for round in 0..<20_000 { value["rows"]?[0]?[round] = .integer(Int64(-round)) }
    for round in 0..<20_000 { value[["rows", 0, .index(round)]] = .integer(Int64(round)) }
    #expect(value["rows"]?[0]?[19_999] == 19_999)
  }

  @Test func `are found by key in large objects too`() {
    var object = SPONObject()
    for number in 0..<100 { object["k\(number)"] = .integer(Int64(number)) }
    object["k50"] = nil
    object["k7"] = "seven"
    #expect(object.count == 99)
    #expect(object["k50"] == nil)
    #expect(object["k99"] == 99)
    #expect(object["k7"] == "seven")
    #expect(object.place(of: "k51") == 50)
    #expect(Array(object.prefix(2).map(\.key)) == ["k0", "k1"])
  }
}

@Suite struct `Value literals` {
  @Test func `have the corresponding type`() {
    let value: SPONValue = [
      "null": nil, "bool": true, "integer": -3, "double": 1.5, "text": "t\(1)", "array": [1, "a"],
      "object": ["a": [:]],
    ]
    let expected = SPONObject(
      dictionaryLiteral: ("null", .null), ("bool", .bool(true)), ("integer", .integer(-3)),
      ("double", .double(1.5)), ("text", .string("t1")),
      ("array", .array([.integer(1), .string("a")])),
      ("object", .object(["a": .object(SPONObject())])))
    #expect(value == .object(expected))
    #expect(value.object?.keys == expected.keys)
  }

  @Test func `can include an object's type name`() {
    let address = SPONObject(typeName: "Address", ["zip": 150, "city": "Oslo"])
    #expect(address.description == "@obj:Address<zip!=`150` city$=`Oslo`>")
  }

  @Test func `keep the last of two values for the same key`() {
    let value: SPONValue = ["a": 1, "b": 2, "a": 3]
    #expect(value.object?.values == [3, 2])
  }
}

@Suite struct `Descriptions of values` {
  @Test func `are SPON on one line, in key order`() {
    let value: SPONValue = ["z": 1, "a": [true, "x"]]
    #expect(value.description == "@obj<z!=`1` a=@array[true%, `x`]>")
    #expect(SPONValue.null.description == "~")
    #expect(SPONObject(typeName: "T").description == "@obj:T<>")
  }

  @Test func `show values that are nested too deeply up to the limit`() {
    var value: SPONValue = 1
    for level in 0..<2_000 { value = level % 2 == 0 ? [value] : ["k": value] }
    #expect(throws: SPONError.self) { try value.text() }
    #expect(value.description.contains("…"))
    #expect(value.description.hasPrefix("@obj"))
    #expect(value.debugDescription.contains("…"))
  }

  @Test func `for debugging have a line for each value, and abridge long values`() {
    let value: SPONValue = [
      "a": 1, "data": .bytes(Array(repeating: 0, count: 99)),
      "text": .string(String(repeating: "x", count: 999)),
    ]
    let text = value.debugDescription
    #expect(text.contains("\n  a!=`1`"))
    #expect(text.contains("99 bytes"))
    #expect(text.contains("xx… (999 bytes)"))
  }
}

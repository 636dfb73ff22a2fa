import SPON
import Testing

@Suite struct `Values in typed JSON` {
  struct Case: CustomTestStringConvertible, Sendable {
    let value: SPONValue, json: String
    var testDescription: String { json }

    init(_ value: SPONValue, _ json: String) {
      self.value = value
      self.json = json
    }
  }

  static let instant: SPONValue =
    SPONInstant("2023-11-14T22:13:20.5Z").map { .instant($0) } ?? .null
  static let decimal: SPONValue = SPONDecimal("19.90").map { .decimal($0) } ?? .null

  static let cases: [Case] = [
    Case(.null, "null"), Case(true, "true"), Case(false, "false"), Case(5, "5"),
    Case(.integer(.min), "-9223372036854775808"), Case(.unsigned(.max), "18446744073709551615"),
    Case(1.0, "1.0"), Case(.double(-0.0), "-0.0"), Case(1e300, "1e+300"), Case(0.1, "0.1"),
    Case(.double(.nan), #"{"@double":"nan"}"#), Case(.double(.infinity), #"{"@double":"inf"}"#),
    Case(.double(-.infinity), #"{"@double":"-inf"}"#), Case(.float(1.5), #"{"@float":1.5}"#),
    Case(.float(0.1), #"{"@float":0.1}"#), Case(.float(-0.0), #"{"@float":-0.0}"#),
    Case(.float(.nan), #"{"@float":"nan"}"#), Case(.float(-.infinity), #"{"@float":"-inf"}"#),
    Case(.float(.greatestFiniteMagnitude), #"{"@float":3.4028235e+38}"#),
    Case(decimal, #"{"@decimal":"19.9"}"#),
    Case(.decimal(.notANumber), #"{"@decimal":"nan"}"#),
    Case(instant, #"{"@instant":"2023-11-14T22:13:20.5Z"}"#),
    Case(.bytes([0xDE, 0xAD]), #"{"@data":"3q0="}"#), Case(.bytes([]), #"{"@data":""}"#),
    Case(.opaque("<null>"), #"{"@opaque":"<null>"}"#),
    Case("a\"\\\n\u{1}\u{1F}é/", #""a\"\\\n\u0001\u001fé/""#),
    Case([], "[]"), Case([:], "{}"), Case([1, [2, "x"]], #"[1,[2,"x"]]"#),
    Case(["a": 1, "b": nil], #"{"a":1,"b":null}"#),
    Case(.object(SPONObject(typeName: "T")), #"{"@type":"T"}"#),
    Case(["@type": 1, "@": 2, "@@x": 3], #"{"@@type":1,"@@":2,"@@@x":3}"#),
    Case(["@float": 1.5], #"{"@@float":1.5}"#),
    Case(["x": .float(2), "y": [.float(3)]], #"{"x":{"@float":2.0},"y":[{"@float":3.0}]}"#),
  ]

  @Test(arguments: cases)
  func `survive a round trip`(_ expected: Case) throws {
    #expect(try expected.value.json() == expected.json)
    #expect(try SPONValue(json: expected.json) == expected.value)
    let pretty = try expected.value.json(.typed, formatting: .prettyPrinted)
    #expect(try SPONValue(json: pretty) == expected.value)
  }

  @Test func `contain the type of an object in its first member`() throws {
    let object = SPONObject(typeName: "Address \"x\"", ["b": 1, "a": [:], "@c": 2])
    #expect(
      try SPONValue.object(object).json()
        == #"{"@type":"Address \"x\"","b":1,"a":{},"@@c":2}"#)
    #expect(
      try SPONValue.object(object).json(formatting: .sortedKeys)
        == #"{"@type":"Address \"x\"","@@c":2,"a":{},"b":1}"#)
  }

  @Test func `can be pretty-printed`() throws {
    var object: SPONObject = ["list": [1, .float(2), []], "empty": [:]]
    object.typeName = "T"
    #expect(
      try SPONValue.object(object).json(formatting: .prettyPrinted) == """
        {
          "@type": "T",
          "list": [
            1,
            {"@float": 2.0},
            []
          ],
          "empty": {}
        }
        """)
    #expect(
      try SPONValue.object(object).json(.plain, formatting: [.prettyPrinted, .sortedKeys]) == """
        {
          "empty": {},
          "list": [
            1,
            2.0,
            []
          ]
        }
        """)
  }

  @Test func `are read from texts that other programs have rewritten`() throws {
    #expect(try SPONValue(json: #"{"a":1,"@type":"T"}"#).typeName == "T")
    #expect(try SPONValue(json: #"{"@float":1}"#) == .float(1))
    #expect(try SPONValue(json: #"{"@double":1}"#) == .double(1))
    #expect(try SPONValue(json: #"{"@decimal":19.90}"#) == Self.decimal)
    #expect(try SPONValue(json: #" { "@data" : "3q0=" } "#) == .bytes([0xDE, 0xAD]))
    #expect(try SPONValue(json: #"{"\u0040float":1}"#) == .float(1))
    #expect(try SPONValue(json: #"{"@instant":"2023-11-14t23:13:20.50+01:00"}"#) == Self.instant)
  }

  @Test(arguments: [
    #"{"@unknown":1}"#, #"{"@":1}"#, #"{"a":1,"@context":"x"}"#, #"{"@type":1}"#,
    #"{"@type":null}"#,
    #"{"@type":{"@opaque":"x"}}"#, #"{"@type":["x"]}"#, #"{"@float":1,"a":2}"#,
    #"{"a":2,"@float":1}"#, #"{"@type":"T","@float":1}"#, #"{"@float":1,"@float":2}"#,
    #"{"@float":1,"@type":"T"}"#, #"{"@float":true}"#, #"{"@float":"1.5"}"#, #"{"@float":[]}"#,
    #"{"@float":{"@float":1}}"#, #"{"@double":"NaN"}"#, #"{"@double":null}"#,
    #"{"@decimal":"1,5"}"#,
    #"{"@decimal":"inf"}"#, #"{"@decimal":true}"#, #"{"@data":"3q0"}"#, #"{"@data":5}"#,
    #"{"@data":"3q1="}"#, #"{"@instant":"2023-11-14"}"#,
    #"{"@instant":"2023-11-14 22:13:20 +0000"}"#,
    #"{"@instant":0}"#, #"{"@opaque":5}"#, #"{"@opaque":null}"#,
  ])
  func `are rejected if a wrapper is invalid`(_ text: String) throws {
    let error = #expect(throws: SPONError.self) { try SPONValue(json: text) }
    #expect(error?.code == .invalidJSON)
    #expect(error?.position != nil)
    // The plain style has no special names.
    #expect(throws: Never.self) { try SPONValue(json: text, style: .plain) }
  }

  @Test func `reject a Float that is too large`() {
    let error = #expect(throws: SPONError.self) { try SPONValue(json: #"[{"@float":1e39}]"#) }
    #expect(error?.code == .numberOutOfRange)
    #expect(error?.codingPath == [.index(0)])
  }

  @Test func `read a Float without rounding it twice`() throws {
    // Nearer to the upper number, but exactly halfway between both as a `Double`.
    let text = "1.00000005960464477540"
    #expect(try SPONValue(json: #"{"@float":\#(text)}"#) == .float(1.0000001))
    #expect(Float(Double(text) ?? 0) == 1.0)
  }

  @Test func `survive a round trip, including random ones`() throws {
    var random = SeededGenerator(seed: 0x150)
    for round in 0..<3_000 {
      let value = ValueSupport.value(using: &random, depth: 3)
      let text = try value.json()
      let read = try SPONValue(json: text)
      #expect(read == value, "seed 0x150, round \(round): \(text)")
      if round % 10 == 0 {
        #expect(try read.json() == text, "seed 0x150, round \(round)")
        let sorted = try value.json(formatting: [.sortedKeys, .prettyPrinted])
        #expect(try SPONValue(json: sorted) == value, "seed 0x150, round \(round)")
      }
    }
  }

  @Test func `survive a round trip at the maximum depth`() throws {
    var value = SPONValue.float(1)
    for level in 0..<512 { value = level % 2 == 0 ? [value] : ["a": value] }
    #expect(try SPONValue(json: value.json()) == value)
    let error = #expect(throws: SPONError.self) { try SPONValue.array([value]).json() }
    #expect(error?.code == .tooDeep)
    #expect(error?.codingPath.count == 512)
  }
}

@Suite struct `Values in plain JSON` {
  @Test func `have the form that other programs expect`() throws {
    var object: SPONObject = [
      "float": .float(0.1), "double": 2.0, "integer": .unsigned(.max),
      "data": .bytes([0xDE, 0xAD]),
      "instant": `Values in typed JSON`.instant, "decimal": `Values in typed JSON`.decimal,
      "opaque": .opaque("x"), "@key": nil,
    ]
    object.typeName = "T"
    #expect(
      try SPONValue.object(object).json(.plain)
        == #"{"float":0.1,"double":2.0,"integer":18446744073709551615,"data":"3q0=","#
        + #""instant":"2023-11-14T22:13:20.5Z","decimal":19.9,"opaque":"x","@key":null}"#)
  }

  @Test(arguments: [
    SPONValue.double(.nan), .double(.infinity), .float(-.infinity), .float(.nan),
    .decimal(.notANumber),
  ])
  func `are rejected if JSON has no such number`(_ value: SPONValue) {
    let error = #expect(throws: SPONError.self) {
      try SPONValue.object(["a": [1, value]]).json(.plain)
    }
    #expect(error?.code == .notRepresentable)
    #expect(error?.codingPath == [.key("a"), .index(1)])
  }

  @Test func `are rejected with the path if keys are sorted`() {
    let error = #expect(throws: SPONError.self) {
      try SPONValue.object(["b": .double(.nan), "a": 1]).json(.plain, formatting: .sortedKeys)
    }
    #expect(error?.codingPath == [.key("b")])
  }

  @Test func `have no special keys`() throws {
    let text = ##"{"@type":"T","@float":1,"@context":"x","@@":[{"@data":"-"}]}"##
    let value = try SPONValue(json: text, style: .plain)
    #expect(value["@type"] == "T")
    #expect(value["@float"] == 1)
    #expect(value["@@"]?[0]?["@data"] == "-")
    #expect(value.typeName == nil)
    #expect(try value.json(.plain) == text)
  }

  @Test func `are read by other programs, including random ones`() throws {
    var random = SeededGenerator(seed: 0x9A1)
    for round in 0..<300 {
      let value = ValueSupport.value(using: &random)
      guard let text = try? value.json(.plain) else { continue }
      let read = try SPONValue(json: text, style: .plain)
      // The parsed value has no types to lose, and is written identically.
      #expect(
        try SPONValue(json: read.json(.plain), style: .plain) == read,
        "seed 0x9A1, round \(round): \(text)")
    }
  }
}

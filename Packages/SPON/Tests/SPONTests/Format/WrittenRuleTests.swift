import SPON
import Testing

/// FORMAT.md, W1 to W7, and its canonical form.
@Suite struct `Format, writing` {
  @Test func `W1: version 1 is used if it suffices`() throws {
    let value = object(
      "Mixed(Int)",
      [
        "on": .bool(true), "n": .integer(.min), "s": .string("`,]"), "f": .float(1.5),
        "d": .double(0.1), "raw": .bytes([0xDE, 0xAD]), "at": .opaque("x y]"), "": .array([]),
        "a-b&$": .array([.integer(1), .string("@obj"), .array([.opaque("x")])]), "o": object(),
        "u": .unsigned(UInt64(Int64.max)),
      ])
    let text =
      "@obj:Mixed(Int)<on%=`true` n!=`-9223372036854775808` s$=`&01;,]` f^=`1.5` d&=`0.1` "
      + "raw*=`3q0=` at?=`x y]` =@array[] a-b&$=@array[1!, `@obj`, @array[x?]] o=@obj<> "
      + "u!=`9223372036854775807`>"
    expectText(value, text)
    expectText(value, text, version: .one)
    expectText(
      value, text.replacing("@obj:Mixed(Int)<", with: "@obj:Mixed(Int)<@spon!=`2` "), version: .two)
  }

  @Test(arguments: [
    ("see note]", "see note&u5d;"), ("see [note", "see &u5b;note"), ("a] [b", "a&u5d; &u5b;b"),
    ("]`&01;", "&u5d;&01;&u26;01;"),
  ])
  func `W7: unbalanced brackets are escaped on request`(
    _ text: String, _ written: String
  ) throws {
    let value = object("T", ["a": .array([.string(text)])])
    #expect(
      try value.text(.balancedBrackets) == "@obj:T<@spon!=`2` a=@array[`\(written)`]>")
    #expect(try SPONValue(parsing: value.text(.balancedBrackets)) == value)
    #expect(throws: SPONError.self) { try value.text(.balancedBrackets, version: .one) }
    var writer = SPONStreamWriter(version: .two, formatting: .balancedBrackets)
    try writer.write(value)
    #expect(writer.take() == Array(try value.text(.balancedBrackets).utf8))
    let balanced = object("T", ["a": .string("[a[b]]`")])
    #expect(try balanced.text(.balancedBrackets) == balanced.text())
  }

  @Test func `W1: version 2 is specified if it is required`() throws {
    func needs(
      _ value: SPONValue, pair: String, element: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      expectText(
        object("T", ["a": value]), "@obj:T<@spon!=`2` a\(pair)>", sourceLocation: sourceLocation)
      expectText(.array([value]), "@array:2[\(element)]", sourceLocation: sourceLocation)
    }
    needs(try decimal("1.5"), pair: "#=`1.5`", element: "1.5#")
    needs(try instant(0), pair: "+=`1970-01-01T00:00:00Z`", element: "1970-01-01T00:00:00Z+")
    needs(.null, pair: "~=``", element: "~")
    needs(.unsigned(1 << 63), pair: "!=`9223372036854775808`", element: "9223372036854775808!")
    needs(.opaque("<null>"), pair: "?=`&u3c;null>`", element: "&u3c;null>?")
    for (text, written) in [
      ("&01;", "&u26;01;"), ("&u41;", "&u26;u41;"), ("&ud800;", "&u26;ud800;"),
    ] {
      needs(.string(text), pair: "$=`\(written)`", element: "`\(written)`")
      needs(.opaque(text), pair: "?=`\(written)`", element: "\(written)?")
      needs(object(text), pair: "=@obj:\(written)<>", element: "@obj:\(written)<>")
      needs(
        object("", [text: .integer(1)]), pair: "=@obj<\(written)!=`1`>",
        element: "@obj<\(written)!=`1`>")
    }
    expectText(object("", ["a": .opaque("x,y")]), "@obj<a?=`x,y`>")
    expectText(.array([.opaque("x,y")]), "@array:2[`x,y`?]")
    expectText(object("", ["x": .array([.opaque(" ")])]), "@obj<@spon!=`2` x=@array[` `?]>")
  }

  @Test func `W1: keys and type names are escaped in version 2`() {
    for (character, hex) in [
      (" ", "20"), ("\t", "9"), ("\n", "a"), ("\r", "d"), ("=", "3d"), (":", "3a"), ("<", "3c"),
      (">", "3e"), ("[", "5b"), ("]", "5d"),
    ] {
      expectText(
        object("", ["a\(character)": .integer(1)]), "@obj<@spon!=`2` a&u\(hex);!=`1`>")
      expectText(
        object("", [character: .array([])]), "@obj<@spon!=`2` &u\(hex);=@array[]>")
      guard "<>[]".contains(character) else { continue }
      expectText(object("A\(character)b"), "@obj:A&u\(hex);b<@spon!=`2`>")
    }
    expectText(object("`", ["`": .integer(1)]), "@obj:&01;<@spon!=`2` &01;!=`1`>")
    expectText(object("", ["@spon": .integer(1)]), "@obj<@spon!=`2` &u40;spon!=`1`>")
    expectText(
      .array([object("", ["@spon": .integer(2)])]), "@array:2[@obj<&u40;spon!=`2`>]")
    expectText(object("", ["@sponge": .integer(1)]), "@obj<@sponge!=`1`>")
    expectText(object("", ["@spon!": .integer(2)]), "@obj<@spon!!=`2`>")
  }

  @Test func `W1: a value that a requested version 1 does not support is rejected`() throws {
    expectNotInVersion1(object("", ["a b": .integer(1)]))
    expectNotInVersion1(object("a<b"))
    expectNotInVersion1(object("", ["@spon": .integer(1)]))
    expectNotInVersion1(object("", ["a": .unsigned(.max)]))
    expectNotInVersion1(.array([.opaque("a]")]))
    expectNotInVersion1(.array([.opaque("<null>")]))
    expectNotInVersion1(.array([.string("&01;")]))
    expectNotInVersion1(.array([try instant(0, 1)]))
    #expect(
      try object("", ["d": decimal("1.50"), "n": .null, "i": instant(0)]).text(version: .one)
        == "@obj<d?=`1.5` n?=`<null>` i?=`1970-01-01 00:00:00 +0000`>")
    #expect(
      try SPONValue.array([.null, decimal("2")]).text(version: .one) == "@array[<null>?, 2?]")
  }

  @Test func `W1: version 2 is specified if it is requested`() {
    expectText(object(), "@obj<@spon!=`2`>", version: .two)
    expectText(object("A", ["a": .integer(1)]), "@obj:A<@spon!=`2` a!=`1`>", version: .two)
    expectText(.array([]), "@array:2[]", version: .two)
    expectText(.array([.array([])]), "@array:2[@array[]]", version: .two)
    expectText(.integer(1), "1!", version: .two)
  }

  @Test func `W2: only required escapes are written`() {
    let text = "'\"\\\0\u{7F}é\u{2028}<>[]=,& \n\t"
    expectText(object("", ["a": .string(text)]), "@obj<a$=`\(text)`>")
    let key = "'\"\\\0é{}(),;|/&-_.*?%"
    expectText(object(key, [key: .integer(1)]), "@obj:\(key)<\(key)!=`1`>")
  }

  @Test(
    arguments: [
      (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (0.1, "0.1"), (1e16, "1e+16"), (1e300, "1e+300"),
      (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
      (.nan, "nan"),
      (-.nan, "nan"), (Double(nan: 5, signaling: false), "nan"), (.signalingNaN, "nan"),
      (.infinity, "inf"), (-.infinity, "-inf"), (123_456_789.125, "123456789.125"),
    ] as [(Double, String)])
  func `W3: a number is the shortest one that is read as the same value`(
    _ value: Double, _ text: String
  ) {
    expectText(.array([.double(value)]), "@array[\(text)&]")
    guard Double(Float(value)) == value || value.isNaN, value.magnitude > 1e-40 || value == 0 else {
      return
    }
    expectText(.array([.float(Float(value))]), "@array[\(text)^]")
  }

  @Test(arguments: [
    ("0", "0"), ("-0.00", "0"), ("1.50", "1.5"), ("100", "100"), ("1e2", "100"), ("-1e-2", "-0.01"),
    ("nan", "nan"), ("0001.10e1", "11"), ("1e39", "1" + String(repeating: "0", count: 39)),
    ("1e40", "1e40"), ("12e39", "1.2e40"),
    ("1e-39", "0." + String(repeating: "0", count: 38) + "1"),
    ("1e-40", "1e-40"), ("-15e-41", "-1.5e-40"),
    (String(repeating: "7", count: 40), String(repeating: "7", count: 40)),
    (String(repeating: "7", count: 41), "7." + String(repeating: "7", count: 40) + "e40"),
    (
      String(repeating: "7", count: 20) + "." + String(repeating: "7", count: 20),
      String(repeating: "7", count: 20) + "." + String(repeating: "7", count: 20)
    ),
    (
      String(repeating: "7", count: 20) + "." + String(repeating: "7", count: 21),
      "7." + String(repeating: "7", count: 40) + "e19"
    ),
    ("1e1000000000", "1e1000000000"), ("-1e-1000000000", "-1e-1000000000"),
  ])
  func `W3: a decimal number has no redundant zeros, and an exponent beyond 40 digits`(
    _ text: String, _ written: String
  ) throws {
    expectText(.array([try decimal(text)]), "@array:2[\(written)#]")
    #expect(try #require(SPONDecimal(text)).description == written)
  }

  @Test(
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (-1, 0, "1969-12-31T23:59:59Z"),
      (1_700_000_000, 500_000_000_000_000_000, "2023-11-14T22:13:20.5Z"),
      (1_700_000_000, 1, "2023-11-14T22:13:20.000000000000000001Z"),
      (-1, 120_000_000_000_000_000, "1969-12-31T23:59:59.12Z"),
      (-62_167_219_200, 0, "0000-01-01T00:00:00Z"),
      (253_402_300_799, 999_999_999_999_999_999, "9999-12-31T23:59:59.999999999999999999Z"),
      (951_782_399, 0, "2000-02-28T23:59:59Z"), (951_782_400, 0, "2000-02-29T00:00:00Z"),
    ] as [(Int64, Int64, String)])
  func `W4: an instant is in UTC, without trailing zeros`(
    _ seconds: Int64, _ attoseconds: Int64, _ text: String
  ) throws {
    expectText(.array([try instant(seconds, attoseconds)]), "@array:2[\(text)+]")
  }

  @Test func `W4: every day of the years 0000 to 9999 is written and read`() throws {
    var before = ""
    for day in stride(from: Int64(-719_528), to: 2_932_897, by: Effort.isFull ? 1 : 2_503) {
      let instant = try #require(SPONInstant(secondsSince1970: day * 86_400 + day & 0xFFFF))
      let text = instant.description
      #expect(before < text)
      #expect(SPONInstant(text) == instant)
      before = text
    }
    #expect(SPONInstant(secondsSince1970: -62_167_219_201) == nil)
    #expect(SPONInstant(secondsSince1970: 253_402_300_800) == nil)
  }

  @Test func `W5: a document is one line with single spaces`() throws {
    let pretty = "@obj:A<\n\n\ta! = `1`\r\n b =\n@array[\n1!\n,`x\ny`,@obj<\n>\n]\n>\n"
    let value = try SPONValue(parsing: pretty)
    #expect(try value.text() == "@obj:A<a!=`1` b=@array[1!, `x\ny`, @obj<>]>")
  }

  @Test func `W6: pretty text has a line for each pair and element`() throws {
    let value = object(
      "A",
      [
        "a": .integer(1), "b": .array([.string("x\ny"), object("", ["c": .null]), .array([])]),
        "d": object(),
      ])
    expectText(
      value,
      """
      @obj:A<
        @spon!=`2`
        a!=`1`
        b=@array[
          `x
      y`,
          @obj<
            c~=``
          >,
          @array[]
        ]
        d=@obj<>
      >
      """, .prettyPrinted)
    expectText(.array([]), "@array[]", .prettyPrinted)
    expectText(object("", [:]), "@obj<@spon!=`2`>", .prettyPrinted, version: .two)
    expectText(.array([.null]), "@array:2[\n  ~\n]", .prettyPrinted)
    expectText(.array([.opaque("a b")]), "@array[\n  a b?\n]", .prettyPrinted)
    expectText(
      object("", ["b": .integer(1), "a": .integer(2)]), "@obj<\n  a!=`2`\n  b!=`1`\n>",
      [.prettyPrinted, .sortedKeys])
  }

  @Test func `Canonical: keys are sorted by their bytes, after the marker`() throws {
    let value = object(
      "",
      [
        "b": .null, "": .integer(0), "é": .integer(5), "a b": .integer(2), "a": .integer(1),
        "Z": .integer(3), "a~": .integer(7), "🐎": .integer(6), "\u{FFFD}": .integer(8),
        "e\u{301}": object("", ["z": .integer(1), "y": .integer(2)]),
      ])
    expectText(
      value,
      "@obj<@spon!=`2` !=`0` Z!=`3` a!=`1` a&u20;b!=`2` a~!=`7` b~=`` "
        + "e\u{301}=@obj<y!=`2` z!=`1`> é!=`5` \u{FFFD}!=`8` 🐎!=`6`>", .canonical)
  }

  @Test func `Canonical: equal values have one form, and different values different ones`() throws {
    func forms(_ values: [SPONValue]) throws -> Set<[UInt8]> {
      Set(try values.map { try $0.bytes(.canonical) })
    }
    let alike: [[SPONValue]] = [
      [.integer(5), .unsigned(5)], [.double(.nan), .double(-.nan), .double(.signalingNaN)],
      [.float(.nan), .float(Float(nan: 3, signaling: false))],
      [try decimal("1.50"), try decimal("0.15e1")],
      [
        object("A", ["a": .integer(1), "b": .integer(2)]),
        object("A", ["b": .unsigned(2), "a": .integer(1)]),
      ],
    ]
    for values in alike {
      #expect(try forms(values).count == 1)
      #expect(Set(values).count == 1)
    }
    let different: [SPONValue] = [
      .null, .opaque("<null>"), .string("<null>"), .string(""), .opaque(""), .bytes([]), .array([]),
      object(), object("A"), .integer(0), .double(0), .double(-0.0), .float(0), .float(-0.0),
      try decimal("0"), .bool(false), .string("é"), .string("e\u{301}"), .opaque("é"),
      .opaque("e\u{301}"), object("é"), object("e\u{301}"), object("", ["é": .null]),
      object("", ["e\u{301}": .null]), object("", ["a": .null]), .array([.null]),
      .array([.array([])]), .string("`"), .string("&01;"), .string("&u60;"),
    ]
    #expect(try forms(different).count == different.count)
    #expect(Set(different).count == different.count)
    for (place, value) in different.enumerated() {
      for other in different[..<place] { #expect(value != other) }
    }
  }

  @Test func `A value that is nested too deeply is rejected`() {
    var value = SPONValue.integer(1)
    for _ in 0..<512 { value = .array([value]) }
    #expect(throws: Never.self) { try value.text() }
    let error = #expect(throws: SPONError.self) { try SPONValue.array([value]).text() }
    #expect(error?.code == .tooDeep)
  }
}

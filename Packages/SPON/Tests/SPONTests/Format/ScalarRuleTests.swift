import SPON
import Testing

/// FORMAT.md, S1 to S13.
@Suite struct `Format, scalars` {
  /// Content between backticks, after a designator, in version 2.
  private func expect(
    _ mark: String, _ content: String, _ value: SPONValue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectValue(
      "@obj<@spon!=`2` a\(mark)=`\(content)`>", object("", ["a": value]),
      sourceLocation: sourceLocation)
    guard mark != "$" else { return }
    expectValue("@array:2[\(content)\(mark)]", .array([value]), sourceLocation: sourceLocation)
    expectValue("\(content)\(mark)", value, sourceLocation: sourceLocation)
  }

  private func refuse(
    _ mark: String, _ content: String, _ code: SPONError.Code,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefusal(
      "@obj<@spon!=`2` a\(mark)=`\(content)`>", code, [.key("a")], sourceLocation: sourceLocation)
    expectRefusal(
      "@obj<@spon!=`2` b=@array[1!, \(content)\(mark)]>", code, [.key("b"), .index(1)],
      sourceLocation: sourceLocation)
  }

  @Test func `S1: a Bool is true or false`() {
    expect("%", "true", .bool(true))
    expect("%", "false", .bool(false))
    for content in ["TRUE", "True", "tru", "truee", "1", "0", "yes", "", "fals", "falsy"] {
      refuse("%", "①\(content)", .invalidBool)
    }
    expectRefusal("@obj<a%=`① true`>", .invalidBool, [.key("a")])
  }

  @Test func `S2: an integer consists of digits, optionally after -, from -2⁶³ to 2⁶⁴-1`() {
    expect("!", "0", .integer(0))
    expect("!", "-0", .integer(0))
    expect("!", "-7", .integer(-7))
    expect("!", "007", .integer(7))
    expect("!", String(repeating: "0", count: 40) + "12", .integer(12))
    expect("!", "9223372036854775807", .integer(.max))
    expect("!", "-9223372036854775808", .integer(.min))
    expect("!", "9223372036854775808", .unsigned(1 << 63))
    expect("!", "18446744073709551615", .unsigned(.max))
    refuse("!", "①18446744073709551616", .numberOutOfRange)
    refuse("!", "①99999999999999999999", .numberOutOfRange)
    refuse("!", "①-9223372036854775809", .numberOutOfRange)
    refuse("!", "①-18446744073709551615", .numberOutOfRange)
    refuse("!", "①1\(String(repeating: "0", count: 400))", .numberOutOfRange)
    refuse("!", "①", .invalidNumber)
    refuse("!", "①-", .invalidNumber)
    refuse("!", "①+1", .invalidNumber)
    refuse("!", "-①-1", .invalidNumber)
    refuse("!", "1①.0", .invalidNumber)
    refuse("!", "1①e3", .invalidNumber)
    refuse("!", "0①x10", .invalidNumber)
    refuse("!", "①٣", .invalidNumber)
    refuse("!", "1①_000", .invalidNumber)
    expectRefusal("@obj<a!=`① 1`>", .invalidNumber, [.key("a")])
    expectRefusal("@obj<a!=`1① `>", .invalidNumber, [.key("a")])
  }

  @Test func `S3: a String is any text`() {
    expect("$", "", .string(""))
    expect("$", "Hello, world", .string("Hello, world"))
    expectText(object("", ["a": .string("<null>")]), "@obj<a$=`<null>`>")
    expectText(.array([.string("<null>"), .string("1!")]), "@array[`<null>`, `1!`]")
  }

  @Test func `S4: a Float is a number, nan or an infinity, rounded to the nearest`() {
    expect("^", "1.25", .float(1.25))
    expect("^", "-0", .float(-0.0))
    expect("^", "0.1", .float(0.1))
    expect("^", "16777217", .float(16_777_216))
    expect("^", "16777219", .float(16_777_220))
    expect("^", "1e-45", .float(.leastNonzeroMagnitude))
    expect("^", "1e-60", .float(0))
    expect("^", "-1e-60", .float(-0.0))
    expect("^", "3.4028235e+38", .float(.greatestFiniteMagnitude))
    expect("^", "nan", .float(.nan))
    expect("^", "-nan", .float(.nan))
    expect("^", "inf", .float(.infinity))
    expect("^", "-inf", .float(-.infinity))
    // Halfway between two Floats, and slightly more than a Double can distinguish.
    expect("^", "1.000000059604644775390625", .float(1))
    expect("^", "1.00000005960464477539062500000001", .float(Float(1).nextUp))
    refuse("^", "①3.5e38", .numberOutOfRange)
    refuse("^", "①-1e39", .numberOutOfRange)
    refuseNoNumbers("^")
  }

  @Test func `S5: a Double is a number, nan or an infinity, rounded to the nearest`() {
    expect("&", "0.1", .double(0.1))
    expect("&", "1e+300", .double(1e300))
    expect("&", "1E-7", .double(1e-7))
    expect("&", "1e0000000000000000000000003", .double(1000))
    expect("&", "-0.0", .double(-0.0))
    expect("&", "12", .double(12))
    expect("&", "9007199254740993", .double(9_007_199_254_740_992))
    expect("&", "9007199254740992.99999", .double(9_007_199_254_740_992))
    expect("&", "0.3e1", .double(3))
    expect("&", "5e-324", .double(.leastNonzeroMagnitude))
    expect("&", "1e-400", .double(0))
    expect("&", "1e-99999999999999999999", .double(0))
    expect("&", "0e99999999999999999999", .double(0))
    expect("&", "1.7976931348623157e308", .double(.greatestFiniteMagnitude))
    expect("&", "1\(String(repeating: "0", count: 300))", .double(1e300))
    expect("&", "0.\(String(repeating: "0", count: 400))1e401", .double(1))
    expect("&", "nan", .double(.nan))
    expect("&", "-nan", .double(.nan))
    expect("&", "inf", .double(.infinity))
    expect("&", "-inf", .double(-.infinity))
    refuse("&", "①1e309", .numberOutOfRange)
    refuse("&", "①-1.8e308", .numberOutOfRange)
    refuse("&", "①1e99999999999999999999", .numberOutOfRange)
    refuseNoNumbers("&")
  }

  private func refuseNoNumbers(_ mark: String) {
    refuse(mark, "①", .invalidNumber)
    refuse(mark, "-①", .invalidNumber)
    refuse(mark, "①.5", .invalidNumber)
    refuse(mark, "1.①", .invalidNumber)
    refuse(mark, "1.①e5", .invalidNumber)
    refuse(mark, "1e①", .invalidNumber)
    refuse(mark, "1e+①", .invalidNumber)
    refuse(mark, "1e①x", .invalidNumber)
    refuse(mark, "1.2①.3", .invalidNumber)
    refuse(mark, "①+1", .invalidNumber)
    refuse(mark, "①infinity", .invalidNumber)
    refuse(mark, "①NaN", .invalidNumber)
    refuse(mark, "①INF", .invalidNumber)
    refuse(mark, "0①x1p3", .invalidNumber)
    refuse(mark, "1①f", .invalidNumber)
  }

  @Test func `S6: Data is Base64 with padding and without white space`() {
    expect("*", "", .bytes([]))
    expect("*", "AA==", .bytes([0]))
    expect("*", "3q0=", .bytes([0xDE, 0xAD]))
    expect("*", "3q2+", .bytes([0xDE, 0xAD, 0xBE]))
    expect("*", "3q2+7w==", .bytes([0xDE, 0xAD, 0xBE, 0xEF]))
    expect("*", "+/+/", .bytes([0xFB, 0xFF, 0xBF]))
    for content in ["A", "AA", "AAA", "AA=", "AAAAA", "="] {
      refuse("*", "①\(content)", .invalidBase64)
    }
    refuse("*", "A①===", .invalidBase64)
    refuse("*", "①====", .invalidBase64)
    refuse("*", "AA①=A", .invalidBase64)
    refuse("*", "AA①==AAAA", .invalidBase64)
    refuse("*", "AA①-_", .invalidBase64)
    refuse("*", "AA① A", .invalidBase64)
    refuse("*", "AA①\nA", .invalidBase64)
    refuse("*", "①AA\nAA", .invalidBase64)
    refuse("*", "AA①é", .invalidBase64)
  }

  @Test func `S6: unused bits are zero`() {
    refuse("*", "A①B==", .invalidBase64)
    refuse("*", "AA①B=", .invalidBase64)
    expect("*", "AQ==", .bytes([1]))
  }

  @Test func `S7: an untyped value is any text`() {
    expect("?", "", .opaque(""))
    expect("?", "2023-11-14 22:13:20 +0000", .opaque("2023-11-14 22:13:20 +0000"))
    expect("?", "9007199254740993", .opaque("9007199254740993"))
    expect("?", "null", .opaque("null"))
    expect("?", "<NULL>", .opaque("<NULL>"))
    expect("?", "<null>x", .opaque("<null>x"))
  }

  @Test func `S8: a null of version 1 is an untyped <null>`() {
    expect("?", "<null>", .null)
    expectValue("@obj<a?=`<null>`>", object("", ["a": .null]))
    expectValue("@array[1!, <null>?, 3!]", .array([.integer(1), .null, .integer(3)]))
    expectRefusal("@array[<nul①l]", .unknownDesignator, [.index(0)])
  }

  @Test func `S9: a decimal number is exact, or nan`() throws {
    expect("#", "19.90", try decimal("19.9"))
    expect("#", "-0.5e1", try decimal("-5"))
    expect("#", "0", try decimal("0"))
    expect("#", "-0", try decimal("0"))
    expect("#", "0e9999999999999", try decimal("0"))
    expect("#", "nan", .decimal(.notANumber))
    let long = "1\(String(repeating: "2", count: 100)).\(String(repeating: "3", count: 100))"
    expect("#", long, try decimal(long))
    #expect(try decimal(long) != decimal(long + "1"))
    #expect(try decimal("100") == decimal("1e2"))
    refuse("#", "①inf", .invalidNumber)
    refuse("#", "①-inf", .invalidNumber)
    refuse("#", "①-nan", .invalidNumber)
    refuseNoNumbers("#")
  }

  @Test func `S9: a decimal number that can't be kept exactly is rejected`() throws {
    expect("#", "1e1000000000", try decimal("1e1000000000"))
    expect("#", "0.001e1000000003", try decimal("1e1000000000"))
    expect("#", "1e-1000000000", try decimal("1e-1000000000"))
    #expect(try decimal("1e1000000000") != decimal("1e999999999"))
    for text in [
      "1e1000000001", "12e1000000000", "1e-1000000001", "1e20000000000", "1e99999999999999999999",
      "1e10000000000", "1e-10000000000",
    ] {
      refuse("#", "①\(text)", .numberOutOfRange)
      #expect(SPONDecimal(text) == nil)
    }
  }

  @Test func `S10: an instant is a date and time of RFC 3339`() throws {
    expect("+", "1970-01-01T00:00:00Z", try instant(0))
    expect("+", "2023-11-14T22:13:20Z", try instant(1_700_000_000))
    expect("+", "2023-11-14t23:13:20.5+01:00", try instant(1_700_000_000, 500_000_000_000_000_000))
    expect("+", "2023-11-14 17:43:20-04:30", try instant(1_700_000_000))
    expect("+", "1969-12-31T23:59:59.999999999999999999Z", try instant(-1, 999_999_999_999_999_999))
    expect("+", "2000-02-29T00:00:00z", try instant(951_782_400))
    expect("+", "0000-01-01T00:00:00Z", try instant(-62_167_219_200))
    expect("+", "9999-12-31T23:59:59Z", try instant(253_402_300_799))
    for text in [
      "", "2023-11-14", "2023-11-14T22:13:20", "2023-11-14T22:13Z", "2023-13-14T22:13:20Z",
      "2023-00-14T22:13:20Z", "2023-11-31T22:13:20Z", "2023-11-00T22:13:20Z",
      "1900-02-29T00:00:00Z",
      "2023-11-14T24:00:00Z", "2023-11-14T22:60:20Z", "2016-12-31T23:59:60Z",
      "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20.1234567890123456789Z",
      "2023-11-14T22:13:20+24:00", "2023-11-14T22:13:20+01:60", "2023-11-14T22:13:20+0100",
      "2023-11-14_22:13:20Z", "+2023-11-14T22:13:20Z", "0000-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01", "2023-11-14 22:13:20 +0000", "2023-11-14T22:13:20ZZ",
    ] {
      refuse("+", "①\(text)", .invalidDate)
    }
  }

  @Test func `S11: a null has no content`() {
    expect("~", "", .null)
    refuse("~", "①x", .invalidNull)
    refuse("~", "①<null>", .invalidNull)
  }

  @Test func `S12: in version 1 another punctuation mark designates an untyped value`() {
    for mark in [
      "#", "+", "~", "\"", "'", "(", ")", ",", "-", ".", "/", ":", ";", "@", "\\", "{", "|", "}",
    ] {
      expectValue("@obj<a\(mark)=`5`>", object("", ["a": .opaque("5")]))
      guard mark != "," else { continue }
      expectValue("@array[5\(mark)]", .array([.opaque("5")]))
    }
    expectValue("@obj<a~=`<null>`>", object("", ["a": .opaque("<null>")]))
    for mark in ["_", "a", "Z", "0", "é", "€", "🐎"] {
      expectRefusal("@obj<a①\(mark)=`5`>", .unknownDesignator, [.key("a\(mark)")])
      expectRefusal("@array[5①\(mark)]", .unknownDesignator, [.index(0)])
    }
  }

  @Test func `S12: in version 2 it is rejected`() {
    for mark in ["\"", "(", "-", ".", ":", ";", "@", "{", "_", "a"] {
      expectRefusal(
        "@obj<@spon!=`2` a①\(mark)=`5`>", .unknownDesignator,
        [.key(mark == "_" || mark == "a" ? "a\(mark)" : "a")])
      expectRefusal("@array:2[5①\(mark)]", .unknownDesignator, [.index(0)])
    }
  }

  @Test func `S13: dates are read in the formats of RFC 3339 and of the original implementation`() {
    let instant = SPONInstant(secondsSince1970: 1_700_000_000)
    #expect(SPONInstant("2023-11-14T22:13:20Z") == instant)
    #expect(SPONInstant("2023-11-14 22:13:20 +0000") == instant)
    #expect(SPONInstant("2023-11-15 00:13:20 +0200") == instant)
    #expect(SPONInstant("2023-11-14 20:13:20 -0200") == instant)
    for text in [
      "2023-11-14 22:13:20", "2023-11-14 22:13:20 +00:00", "2023-11-14 22:13:20 UTC", "",
    ] {
      #expect(SPONInstant(text) == nil)
    }
  }
}

import SPON
import Testing

/// FORMAT.md, D1 to D4.
@Suite struct `Format, documents` {
  @Test func `D1: a document is an object or an array`() {
    expectText(object(), "@obj<>")
    expectText(object("Crate"), "@obj:Crate<>")
    expectText(.array([]), "@array[]")
  }

  @Test func `D1: a single value is a document of version 2`() throws {
    expectText(.integer(-7), "-7!")
    expectText(.bool(true), "true%")
    expectText(.double(0.5), "0.5&")
    expectText(.float(0.5), "0.5^")
    expectText(.string("a b"), "`a b`")
    expectText(.string("&u41;"), "`&u26;u41;`")
    expectText(.bytes([1]), "AQ==*")
    expectText(.null, "~")
    expectText(.opaque("x"), "x?")
    expectText(.opaque(" x"), "` x`?")
    expectText(try decimal("1.5"), "1.5#")
    expectText(try instant(0), "1970-01-01T00:00:00Z+")
    expectValue(" 5! \n", .integer(5))
    expectValue("`&u41;`", .string("A"))
    expectNotInVersion1(.integer(1))
    expectNotInVersion1(.string("x"))
    expectNotInVersion1(.null)
  }

  @Test func `D1: any other text is rejected`() {
    expectRefusal("①", .emptyDocument)
    expectRefusal(" \n\t①", .emptyDocument)
    expectRefusal("hell①o", .unknownDesignator)
    expectRefusal("@obj①ective", .unexpectedText)
    expectRefusal("①@foo?", .unexpectedText)
    expectRefusal("@ob①", .unexpectedEnd)
    expectRefusal("@arra①", .unexpectedEnd)
    expectRefusal("①,", .unexpectedText)
    expectRefusal("①]", .unexpectedText)
    expectRefusal("{\"a\": 1①}", .unknownDesignator)
  }

  @Test func `D1: the message describes a valid document`() {
    func message(_ text: String) -> String? {
      #expect(throws: SPONError.self) { try SPONValue(parsing: text) }?.message
    }
    #expect(message("{\"a\": 1}")?.hasPrefix("expected \"@obj\"") == true)
    #expect(message("obj<a=`1`>")?.hasPrefix("expected \"@obj\"") == true)
    #expect(message("\u{FEFF}@obj<a=`1`>")?.contains("byte order mark") == true)
    #expect(message("x!")?.contains("digits") == true)
  }

  @Test func `D2: a first pair @spon specifies the version, and is not part of the value`() throws {
    expectValue("@obj<@spon!=`2`>", object())
    expectValue("@obj:A< @spon!\n= `2` a~=`` >", object("A", ["a": .null]))
    expectValue("@obj<@spon!=`2` b+=`1970-01-01T00:00:01Z`>", object("", ["b": try instant(1)]))
    expectValue(
      "@obj<@spon!=`1` a~=`x` b$=`&u41;`>", object("", ["a": .opaque("x"), "b": .string("&u41;")]))
    // Only as the first pair, only as an integer, and only at the root.
    expectValue("@obj<a!=`1` @spon!=`2`>", object("", ["a": .integer(1), "@spon": .integer(2)]))
    expectValue("@obj<@spon$=`2` a~=``>", object("", ["@spon": .string("2"), "a": .opaque("")]))
    expectValue("@obj<@spon!!=`2`>", object("", ["@spon!": .integer(2)]))
    expectValue("@obj<@spon=@array[]>", object("", ["@spon": .array([])]))
    expectValue("@obj<@spon!=@array[]>", object("", ["@spon!": .array([])]))
    expectValue("@obj<a=@obj<@spon!=`2`>>", object("", ["a": object("", ["@spon": .integer(2)])]))
    expectValue(
      "@obj<@spon!=`2` @spon!=`9`>", object("", ["@spon": .integer(9)]))
    expectValue("@array[@obj<@spon!=`2`>]", .array([object("", ["@spon": .integer(2)])]))
  }

  @Test func `D2: an array specifies it after its keyword`() {
    expectValue("@array:2[]", .array([]))
    expectValue("@array:2[~, `&u41;`]", .array([.null, .string("A")]))
  }

  @Test func `D2: another version is rejected`() {
    expectRefusal("@obj<@spon!=`①3`>", .unsupportedVersion)
    expectRefusal("@obj<@spon!=`①0`>", .unsupportedVersion)
    expectRefusal("@obj<@spon!=`①-2`>", .unsupportedVersion)
    expectRefusal("@obj<@spon!=`①18446744073709551615`>", .unsupportedVersion)
    expectRefusal("@obj<@spon!=`①x`>", .invalidNumber)
    expectRefusal("@array:①1[]", .unsupportedVersion)
    expectRefusal("@array:①3[]", .unsupportedVersion)
    expectRefusal("@array:①22[]", .unsupportedVersion)
    expectRefusal("@array:①x[]", .unexpectedText)
    expectRefusal("@array:2①(]", .unexpectedText)
    expectRefusal("@array:2①", .unexpectedEnd)
  }

  @Test func `D3: any other document has version 1`() {
    expectValue("@obj<a$=`&u41;` b~=``>", object("", ["a": .string("&u41;"), "b": .opaque("")]))
    expectValue("@array[`&u41;`, 1.5#]", .array([.string("&u41;"), .opaque("1.5")]))
  }

  @Test func `D4: only white space follows a document`() {
    expectRefusal("@obj<>①x", .trailingText)
    expectRefusal("@obj<> ①@obj<>", .trailingText)
    expectRefusal("@obj<a!=`1`>①>", .trailingText)
    expectRefusal("@array[]①]", .trailingText)
    expectRefusal("`a`①`b`", .trailingText)
    expectRefusal("1!①, 2!", .trailingText)
  }
}

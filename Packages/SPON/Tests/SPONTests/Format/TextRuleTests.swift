import SPON
import Testing

/// FORMAT.md, T1 to T4.
@Suite struct `Format, text` {
  @Test(
    arguments: [
      ([0x80], 0), ([0xFF], 0), ([0xC0, 0x80], 0), ([0xE0, 0x80, 0x80], 0),
      ([0xED, 0xA0, 0x80], 0),
      ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0x61, 0xC3], 1),
      ([0xC3, 0xA9, 0xE2, 0x82], 2), ([0xF0, 0x9F, 0x90], 0), ([0xE2, 0x28, 0xA1], 0),
    ] as [([UInt8], Int)])
  func `T1: bytes that are not UTF-8 are rejected at any position`(
    _ bytes: [UInt8], _ invalid: Int
  ) {
    func refused(_ before: String, _ after: String, _ path: [SPONPath.Key]) {
      let offset = before.utf8.count + invalid
      // Only ASCII scalars and one é precede it.
      let column = offset + 1 - (invalid == 2 ? 1 : 0)
      expectRefusal(
        bytes: Array(before.utf8) + bytes + Array(after.utf8), .invalidUTF8,
        at: SPONError.Position(byteOffset: offset, line: 1, column: column), path)
    }
    refused("@obj<a$=`", "`>", [.key("a")])
    refused("@obj<a?=`", "`>", [.key("a")])
    refused("@array[1!, `", "`]", [.index(1)])
    refused("@array[x", "?]", [.index(0)])
    refused("@obj<a=@obj:T", "<>>", [.key("a")])
    refused("@obj<k", "$=`x`>", [])
    refused("@obj<k", "=@array[]>", [])
    refused("`", "`", [])
  }

  @Test func `T1: all scalars are read and written unchanged`() throws {
    let scalars: [Unicode.Scalar] = [
      "\0", "\u{1}", "\u{7F}", "\u{80}", "é", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}",
      "\u{FEFF}", "\u{FFFF}", "\u{10000}", "🐎", "\u{10FFFF}",
    ]
    for scalar in scalars {
      let text = "a\(scalar)b"
      expectText(
        object("T\(text)", [text: .string(text)]), "@obj:T\(text)<\(text)$=`\(text)`>")
      expectText(.array([.opaque(text)]), "@array[\(text)?]")
    }
  }

  @Test func `T1: there is no byte order mark`() {
    expectRefusal("\u{FEFF}@obj<a$=①`x`>", .unexpectedText)
    expectRefusal("①\u{FEFF}@array[1!]", .invalidNumber)
  }

  @Test func `T2: white space has no meaning between tokens`() {
    let value = object(
      "A", ["a": .integer(1), "b": .array([.bool(true), .string("x")]), "c": object()])
    for space in [" ", "\t", "\n", "\r", "\r\n", " \t\n\r "] {
      let s = space
      expectValue(
        "\(s)@obj:A<\(s)a!\(s)=\(s)`1`\(s)b\(s)=\(s)@array[\(s)true%\(s),\(s)`x`\(s)]\(s)"
          + "c\(s)=\(s)@obj<\(s)>\(s)>\(s)", value)
    }
  }

  @Test func `T2: no other character is white space`() {
    for space in ["\u{A0}", "\u{85}", "\u{2028}", "\u{3000}", "\u{B}", "\u{C}", "\0"] {
      expectValue(
        "@obj<a!=`1` \(space)b!=`2`>", object("", ["a": .integer(1), "\(space)b": .integer(2)]))
      expectRefusal("@obj<a!=①\(space)`1`>", .unexpectedText, [.key("a")])
      expectRefusal("@obj<>①\(space)", .trailingText)
    }
  }

  @Test func `T3: texts and keys with different scalars are different`() throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    #expect(SPONValue.string(one) != .string(two))
    #expect(SPONValue.opaque(one) != .opaque(two))
    #expect(object(one) != object(two))
    expectText(
      object("", [one: .integer(1), two: .integer(2)]), "@obj<\(one)!=`1` \(two)!=`2`>")
    expectText(
      .array([.string("\u{301}x"), .string("\u{200D}")]), "@array[`\u{301}x`, `\u{200D}`]")
    // Each scalar is equivalent, according to Unicode, to one with a meaning in SPON.
    expectText(.string("\u{1FEF}\u{37E}\u{2260}"), "`\u{1FEF}\u{37E}\u{2260}`")
  }

  @Test func `T4: everything between backticks is content`() {
    let text = "< > [ ] , = @obj:X<a!=> @array[1!] a$=\n\t\r "
    expectText(
      object("", ["a": .string(text), "b": .opaque(text)]), "@obj<a$=`\(text)` b?=`\(text)`>")
    expectText(.array([.string(text), .string("]")]), "@array[`\(text)`, `]`]")
    expectRefusal("@obj<a$=①`x>", .unexpectedEnd, [.key("a")])
    expectRefusal("@array[`a`, ①`]", .unexpectedEnd, [.index(1)])
    expectRefusal("①`x", .unexpectedEnd)
  }

  @Test func `Positions count lines, and scalars in a line`() {
    expectRefusal("@obj<\n  é🐎$=`ž`\r\n\tb!=`①x`\n>", .invalidNumber, [.key("b")])
    expectRefusal("@array[\n`é`,\n `🇨🇿e\u{301}`, ①x!]", .invalidNumber, [.index(2)])
  }
}

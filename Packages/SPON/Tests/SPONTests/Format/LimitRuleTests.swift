import SPON
import Testing

/// FORMAT.md, L1, and the rules for lenient and strict readers, N1 to N3.
@Suite struct `Format, limits` {
  private func nested(_ open: String, _ close: String, _ depth: Int) -> String {
    String(repeating: open, count: depth) + String(repeating: close, count: depth)
  }

  @Test func `L1: containers are nested at most 512 deep`() throws {
    _ = try SPONValue(parsing: nested("@array[", "]", 512))
    _ = try SPONValue(parsing: nested("@obj<a=", ">", 511).replacing("a=>", with: "a=@obj<>>"))
    let arrays = Array(nested("@array[", "]", 513).utf8)
    expectRefusal(
      bytes: arrays, .tooDeep,
      at: SPONError.Position(byteOffset: 7 * 512, line: 1, column: 7 * 512 + 1),
      Array(repeating: .index(0), count: 512))
    expectRefusal(
      bytes: Array(String(repeating: "@obj<a=", count: 513).utf8), .tooDeep,
      at: SPONError.Position(byteOffset: 7 * 512, line: 1, column: 7 * 512 + 1),
      Array(repeating: .key("a"), count: 512))
  }

  @Test func `L1: the depth limit is configurable up to 512`() throws {
    expectValue("@array[1!]", .array([.integer(1)]), limits: SPONValue.Limits(depth: 1))
    expectRefusal("@array[①@array[]]", .tooDeep, [.index(0)], limits: SPONValue.Limits(depth: 1))
    expectRefusal("@obj<a=①@obj<>>", .tooDeep, [.key("a")], limits: SPONValue.Limits(depth: 1))
    expectRefusal("①@obj<>", .tooDeep, limits: SPONValue.Limits(depth: 0))
    expectValue("1!", .integer(1), limits: SPONValue.Limits(depth: 0))
    let limits = SPONValue.Limits(depth: 1_000_000)
    #expect(limits.depth == 512)
    _ = try SPONValue(parsing: nested("@array[", "]", 512), limits: limits)
    expectRefusal(
      bytes: Array(nested("@array[", "]", 513).utf8), .tooDeep,
      at: SPONError.Position(byteOffset: 3_584, line: 1, column: 3_585),
      Array(repeating: .index(0), count: 512), limits: limits)
  }

  @Test(arguments: ["@array[", "@obj<a=", "@obj:Name<\n a = ", "@array[1!, ", "@obj<b!=`1` a="])
  func `L1: a million opening brackets are rejected at the limit`(_ open: String) {
    let text = Array(String(repeating: open, count: 1_000_000).utf8)
    var limits = SPONValue.Limits()
    limits.depth = 100
    let error = #expect(throws: SPONError.self) { try SPONValue(parsing: text, limits: limits) }
    #expect(error?.code == .tooDeep)
    #expect(error?.position?.byteOffset == open.utf8.count * 100)
    #expect(error?.codingPath.count == 100)
  }

  @Test func `L1: a document, a text, a key and data have a maximum length`() {
    let limits = SPONValue.Limits(length: 8)
    expectValue("@obj<a$=`12345678`>", object("", ["a": .string("12345678")]), limits: limits)
    expectRefusal("@obj<a$=①`123456789`>", .tooLong, [.key("a")], limits: limits)
    expectRefusal("@obj<a*=①`AAAAAAAAAAAA`>", .tooLong, [.key("a")], limits: limits)
    expectRefusal("@array[①`123456789`]", .tooLong, [.index(0)], limits: limits)
    expectRefusal("①`123456789", .tooLong, limits: limits)
    expectValue("@array[12345678!]", .array([.integer(12_345_678)]), limits: limits)
    expectRefusal("@array[①123456789!]", .tooLong, [.index(0)], limits: limits)
    expectValue("@obj<12345678!=`1`>", object("", ["12345678": .integer(1)]), limits: limits)
    expectRefusal("@obj<①123456789!=`1`>", .tooLong, [.key("123456789")], limits: limits)
    expectValue("@obj<12345678=@obj<>>", object("", ["12345678": object()]), limits: limits)
    expectRefusal("@obj<①123456789=@obj<>>", .tooLong, [.key("123456789")], limits: limits)
    expectValue("@obj:12345678<>", object("12345678"), limits: limits)
    expectRefusal("@obj①:123456789<>", .tooLong, limits: limits)
    expectValue("@obj<>", object(), limits: SPONValue.Limits(bytes: 6))
    expectRefusal("①@obj<> ", .tooLong, limits: SPONValue.Limits(bytes: 6))
  }

  @Test func `L1: white space is limited only in a pair and before the first one`() {
    let limits = SPONValue.Limits(length: 4)
    expectValue(
      "@obj<\n   a! =   `1`           b=@array[\n              1!\n             ]>",
      object("", ["a": .integer(1), "b": .array([.integer(1)])]), limits: limits)
    expectRefusal("@obj<a!①     =`1`>", .tooLong, [.key("a")], limits: limits)
    expectRefusal("@obj<a!①=     `1`>", .tooLong, [.key("a")], limits: limits)
  }

  @Test func `L1: a key is also limited for a lenient reader`() {
    let limits = SPONValue.Limits(length: 4)
    expectValue(
      "@obj<1234=`v`>", object("", ["1234": .string("v")]), rules: .lenient, limits: limits)
    expectRefusal("@obj<①12345=`v`>", .tooLong, [.key("12345")], rules: .lenient, limits: limits)
    expectRefusal("@obj<①12345=v>", .tooLong, [.key("12345")], rules: .lenient, limits: limits)
  }

  @Test func `L1: a document has a maximum number of values`() {
    let limits = SPONValue.Limits(count: 4)
    expectValue(
      "@array[1!, 2!, 3!]", .array([.integer(1), .integer(2), .integer(3)]), limits: limits)
    expectRefusal("@array[1!, 2!, 3!, ①4!]", .tooMany, [.index(3)], limits: limits)
    expectRefusal("@array[1!, @array[2!, ①3!]]", .tooMany, [.index(1), .index(1)], limits: limits)
    expectRefusal("@obj<a!=`1` b!=`2` c!=`3` d!=`①4`>", .tooMany, [.key("d")], limits: limits)
    expectRefusal(
      "@obj<a=@obj<b=@obj<c=@obj<d=①@obj<>>>>>", .tooMany,
      [.key("a"), .key("b"), .key("c"), .key("d")], limits: limits)
  }
}

@Suite struct `Format, parsing rules` {
  @Test func `N1: a lenient reader reads content that is not a container as a text`() {
    func text(_ unquoted: String, _ expected: String? = nil) {
      expectValue(
        "@obj:S<s=\(unquoted) n!=`1`>",
        object("S", ["s": .string(expected ?? unquoted), "n": .integer(1)]), rules: .lenient)
      expectValue(
        "@obj:S<n!=`1` s=\(unquoted)>",
        object("S", ["n": .integer(1), "s": .string(expected ?? unquoted)]), rules: .lenient)
    }
    text("@obj")
    text("@objective")
    text("@obj:ective")
    text("@array")
    text("@arrayed")
    text("@array:2[1!]")
    text("@objects are = closer")
    text("@obj and @array[ of &01;x&01;", "@obj and @array[ of `x`")
    text("plain words, and more")
    text("5")
    expectValue(
      "@obj<a=@obj b=@objX c=@obj:T<d=@array e!=`1`>>",
      object(
        "",
        [
          "a": .string("@obj"), "b": .string("@objX"),
          "c": object("T", ["d": .string("@array"), "e": .integer(1)]),
        ]), rules: .lenient)
    expectValue(
      "@array[@objective, @arrays, @array[1!], @obj<>]",
      .array([.string("@objective"), .string("@arrays"), .array([.integer(1)]), object()]),
      rules: .lenient)
    expectValue(
      "@obj<a=@obj:Pair(Int, String)<>>", object("", ["a": object("Pair(Int, String)")]),
      rules: .lenient)
    expectValue("@obj<a=@obj:A=B<>>", object("", ["a": object("A=B")]), rules: .lenient)
    expectRefusal("@obj<s=@obj①ective>", .unexpectedText, [.key("s")])
    expectRefusal("@obj<s=①plain>", .unexpectedText, [.key("s")])
    expectRefusal("@obj<s=plain①", .unexpectedEnd, [.key("s")], rules: .lenient)
    expectRefusal("@obj<s=@obj①", .unexpectedEnd, [.key("s")], rules: .lenient)
    expectRefusal("@obj<s=@obj:x①", .unexpectedEnd, [.key("s")], rules: .lenient)
    expectRefusal("@array[@obj①", .unexpectedEnd, [.index(0)], rules: .lenient)
  }

  @Test func `N1: in an array such a text ends at the comma or the bracket`() {
    expectValue("@array[@obj:x]", .array([.string("@obj:x")]), rules: .lenient)
    expectValue(
      "@array[@obj:x, 1! ]\n", .array([.string("@obj:x"), .integer(1)]), rules: .lenient)
    expectValue(
      "@array[@objects are fun!, @array of 5 &, @obj:x?]",
      .array([.string("@objects are fun!"), .string("@array of 5 &"), .string("@obj:x?")]),
      rules: .lenient)
    expectValue("@array[@x?]", .array([.opaque("@x")]), rules: .lenient)
  }

  @Test func `N1: the key of such a text must not have an invalid escape`() {
    expectValue(
      "@obj<@spon!=`2` a&u41;=plain>", object("", ["aA": .string("plain")]), rules: .lenient)
    expectRefusal(
      "@obj<@spon!=`2` a①&ud800;=plain>", .invalidEscape, [.key("a&ud800;")], rules: .lenient)
  }

  @Test func `N1: many texts that begin like objects are read in linear time`() {
    let name = String(repeating: "x", count: 2_000)
    expectValue(
      "@array[@obj:\(name)<>, @array[]]", .array([object(name), .array([])]), rules: .lenient)
    let texts = Array(repeating: "@obj:x", count: Effort.count(2_000, all: 200_000))
    expectValue(
      "@array[\(texts.joined(separator: ",")), `>`]",
      .array((texts + [">"]).map { .string($0) }), rules: .lenient)
  }

  @Test func `N2: a lenient reader reads a key without a designator as that of a text`() {
    expectValue("@obj<name=`x`>", object("", ["name": .string("x")]), rules: .lenient)
    expectValue("@obj<=`x`>", object("", ["": .string("x")]), rules: .lenient)
    expectValue(
      "@obj<jméno=`x` n!=`1`>", object("", ["jméno": .string("x"), "n": .integer(1)]),
      rules: .lenient)
    expectValue("@obj<@spon!=`2` a;=`&u41;`>", object("", ["a;": .string("A")]), rules: .lenient)
    expectValue(
      "@array[red, dark blue ]", .array([.string("red"), .string("dark blue")]), rules: .lenient)
    expectRefusal("@obj<nam①e=`x`>", .unknownDesignator, [.key("name")], rules: .strict)
  }

  @Test func `N3: a strict reader rejects duplicate keys`() {
    expectRefusal("@obj<a!=`1` ①a!=`2`>", .duplicateKey, [.key("a")], rules: .strict)
    expectRefusal("@obj<a!=`1` ①a=@obj<>>", .duplicateKey, [.key("a")], rules: .strict)
    expectRefusal(
      "@array[@obj<a!=`1` b=@obj<a!=`1`> ①a$=`x`>]", .duplicateKey, [.index(0), .key("a")],
      rules: .strict)
    expectRefusal(
      "@obj<@spon!=`2` a!=`1` ①&u61;!=`2`>", .duplicateKey, [.key("a")], rules: .strict)
    expectValue(
      "@array[@obj<a!=`1`>, @obj<a=@obj<a!=`2`> b!=`1`>]",
      .array([
        object("", ["a": .integer(1)]),
        object("", ["a": object("", ["a": .integer(2)]), "b": .integer(1)]),
      ]), rules: .strict)
    expectValue(
      "@obj<é!=`1` e\u{301}!=`2`>", object("", ["é": .integer(1), "e\u{301}": .integer(2)]),
      rules: .strict)
  }
}

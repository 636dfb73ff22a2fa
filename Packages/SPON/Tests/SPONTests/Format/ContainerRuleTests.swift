import SPON
import Testing

/// FORMAT.md, O1 to O6 and A1 to A4.
@Suite struct `Format, containers` {
  @Test func `O1: a type name is kept, is optional, and may be any text up to the bracket`() {
    expectText(object("Address"), "@obj:Address<>")
    expectText(object("Page(Set(Int))"), "@obj:Page(Set(Int))<>")
    expectText(object("Žluť.Kůň"), "@obj:Žluť.Kůň<>")
    expectText(object("a:b,c=d"), "@obj:a:b,c=d<>")
    expectValue("@obj:<>", object())
    expectValue("@obj:Pair(Int, String)<>", object("Pair(Int, String)"))
    expectValue("@obj:a>b]`c<>", object("a>b]`c"))
    #expect(object("A") != object("B"))
    expectRefusal("@obj①>", .unexpectedText)
    expectRefusal("@obj①ect<>", .unexpectedText)
    expectRefusal("@obj① <>", .unexpectedText)
    expectRefusal("@obj:Crate①", .unexpectedEnd)
    expectRefusal("@obj①", .unexpectedEnd)
  }

  @Test func `O2: the designator is the last character before = if a backtick follows`() {
    expectText(object("", ["a": .integer(1), "b": .array([])]), "@obj<a!=`1` b=@array[]>")
    expectText(
      object("", ["price$": .string("v"), "price!": object()]), "@obj<price$$=`v` price!=@obj<>>")
    expectRefusal("@obj<nam①e=`x`>", .unknownDesignator, [.key("name")])
    expectRefusal("@obj<nam①é=`x`>", .unknownDesignator, [.key("namé")])
  }

  @Test func `O2: a pair has a key, = and a value`() {
    expectRefusal("@obj<a ①>", .unexpectedText)
    expectRefusal("@obj<a!①`1`>", .unexpectedText)
    expectRefusal("@obj<a! ①b=`1`>", .unexpectedText)
    expectRefusal("@obj<a①<=`1`>", .unexpectedText)
    expectRefusal("@obj<a①[=`1`>", .unexpectedText)
    expectRefusal("@obj<①]>", .unexpectedText)
    expectRefusal("@obj<a!=①1>", .unexpectedText, [.key("a")])
    expectRefusal("@obj<a!=①=`1`>", .unexpectedText, [.key("a")])
    expectRefusal("@obj<a=①@foo>", .unexpectedText, [.key("a")])
    expectRefusal("@obj<a=①[1!]>", .unexpectedText, [.key("a")])
    expectRefusal("@obj<a!=①>", .unexpectedText, [.key("a")])
    expectRefusal("@obj<a!=①", .unexpectedEnd, [.key("a")])
    expectRefusal("@obj<a!①", .unexpectedEnd)
    expectRefusal("@obj<①", .unexpectedEnd)
    expectRefusal("@obj<a!=`1`①", .unexpectedEnd)
    expectRefusal("@obj<a=@obj<b=@array[①", .unexpectedEnd, [.key("a"), .key("b"), .index(0)])
  }

  @Test func `O3: a key may be empty, and may end with a designator`() {
    expectText(object("", ["": .string("v")]), "@obj<$=`v`>")
    expectText(object("", ["": .array([.integer(1)])]), "@obj<=@array[1!]>")
    expectText(object("", ["$": .string("v")]), "@obj<$$=`v`>")
    expectText(object("", ["$": object()]), "@obj<$=@obj<>>")
    expectText(object("", ["%!$^&*?#+~": .bool(true)]), "@obj<%!$^&*?#+~%=`true`>")
    expectRefusal("@obj<①=`v`>", .unknownDesignator, [.key("")])
  }

  @Test func `O4: pairs keep their order, which does not affect equality`() throws {
    let text = "@obj<z!=`1` a!=`2` m!=`3`>"
    let value = try SPONValue(parsing: text)
    #expect(try value.text() == text)
    let other = object("", ["a": .integer(2), "m": .integer(3), "z": .integer(1)])
    #expect(value == other)
    #expect(value.hashValue == other.hashValue)
    #expect(try value.text(.canonical) == other.text(.canonical))
    #expect(value != object("", ["a": .integer(2), "m": .integer(3)]))
    #expect(value != object("", ["a": .integer(2), "m": .integer(3), "y": .integer(1)]))
  }

  @Test func `O5: the last of several pairs with the same key counts`() throws {
    expectValue("@obj<a!=`1` a$=`x`>", object("", ["a": .string("x")]))
    expectValue(
      "@obj<a=@obj<a!=`1` a!=`2`> b=@obj<a!=`3`> a=@array[@obj<a!=`4`>] b!=`5`>",
      object("", ["a": .array([object("", ["a": .integer(4)])]), "b": .integer(5)]))
    expectValue("@obj:X<@spon!=`2` a!=`1` &u61;!=`2`>", object("X", ["a": .integer(2)]))
    let value = try SPONValue(parsing: "@obj<a!=`1` b!=`2` a!=`3`>")
    #expect(try value.text() == "@obj<b!=`2` a!=`3`>")
    // A key that is equal according to Unicode, but has other scalars, is a different key.
    expectValue(
      "@obj<\u{E9}!=`1` e\u{301}!=`2`>",
      object("", ["\u{E9}": .integer(1), "e\u{301}": .integer(2)]))
  }

  @Test func `O5: the same in objects with many keys, and in objects with equal keys`() throws {
    var pairs = (0..<100).map { "k\($0)!=`\($0)`" }
    pairs += (0..<100).reversed().map { "k\($0)!=`\($0 + 1)`" }
    var expected = SPONObject()
    for key in 0..<100 { expected["k\(key)"] = .integer(Int64(key + 1)) }
    expectValue("@obj<\(pairs.joined(separator: " "))>", .object(expected))
    expectValue(
      "@array[@obj<a!=`1` b!=`2`>, @obj<a!=`1` a!=`2`>, @obj<a!=`3` b!=`4`>, @obj<b!=`5` b!=`6`>]",
      .array([
        object("", ["a": .integer(1), "b": .integer(2)]), object("", ["a": .integer(2)]),
        object("", ["a": .integer(3), "b": .integer(4)]), object("", ["b": .integer(6)]),
      ]))
  }

  @Test func `O6: pairs are separated by white space`() {
    expectValue(
      "@obj<a!=`1`\nb!=`2`\tc=@obj<>\rd!=`3`>",
      object(
        "", ["a": .integer(1), "b": .integer(2), "c": object(), "d": .integer(3)]))
    expectRefusal("@obj<a!=`1`①b!=`2`>", .unexpectedText)
    expectRefusal("@obj<a=@obj<>①b!=`2`>", .unexpectedText)
    expectRefusal("@obj<a!=`1`①, b!=`2`>", .unexpectedText)
    expectRefusal("@obj<@spon!=`2`①b!=`2`>", .unexpectedText)
  }

  @Test func `A1: elements are separated by commas, without a trailing one`() {
    expectText(.array([.integer(1), .integer(2)]), "@array[1!, 2!]")
    expectValue("@array[1!,2!]", .array([.integer(1), .integer(2)]))
    expectValue("@array[ 1! , 2! ]", .array([.integer(1), .integer(2)]))
    expectValue("@array[`a`,`b`]", .array([.string("a"), .string("b")]))
    expectRefusal("@array[1!, ①]", .unexpectedText, [.index(1)])
    expectRefusal("@array[①, 1!]", .unexpectedText, [.index(0)])
    expectRefusal("@array[1!, ①, 2!]", .unexpectedText, [.index(1)])
    expectRefusal("@array[`a` ①`b`]", .unexpectedText, [.index(1)])
    expectRefusal("@array[1!①`b`]", .unexpectedText, [.index(0)])
    expectRefusal("@array[@array[]①@array[]]", .unexpectedText, [.index(1)])
    expectRefusal("@array[1!①", .unexpectedEnd, [.index(0)])
    expectRefusal("@array[`a`①", .unexpectedEnd, [.index(1)])
    expectRefusal("@array[1!,①", .unexpectedEnd, [.index(1)])
    expectRefusal("@array①(1!]", .unexpectedText)
    expectRefusal("@array①", .unexpectedEnd)
    expectRefusal("@array[①", .unexpectedEnd, [.index(0)])
  }

  @Test func `A2: a quoted element is a text, and any other has a designator`() throws {
    expectText(
      .array([
        .string("red"), .bool(true), .integer(7), .float(2.5), .double(0.125),
        .bytes([0xDE, 0xAD]),
        .opaque("<x> = @a"), .array([]), object(),
      ]),
      "@array[`red`, true%, 7!, 2.5^, 0.125&, 3q0=*, <x> = @a?, @array[], @obj<>]")
    expectRefusal("@array[a①b]", .unknownDesignator, [.index(0)])
    expectRefusal("@array[x①$]", .unknownDesignator, [.index(0)])
    expectRefusal("@array[x①é]", .unknownDesignator, [.index(0)])
    expectRefusal("@array[`x`①$]", .unexpectedText, [.index(1)])
    expectRefusal("@array[`x`①!]", .unexpectedText, [.index(1)])
  }

  @Test func `A2: white space at the end of unquoted content is not part of it`() {
    expectValue("@array[5 !, 5\n\t!]", .array([.integer(5), .integer(5)]))
    expectValue(
      "@array[true %, 1.5 ^, 1 &, AQ== *]",
      .array([
        .bool(true), .float(1.5), .double(1), .bytes([1]),
      ]))
    expectValue("@array[a b ?, <null> ?, ?]", .array([.opaque("a b"), .null, .opaque("")]))
    expectValue("@array[ a ~ , b ; ]", .array([.opaque("a"), .opaque("b")]))
    expectValue("5 !", .integer(5))
    expectText(.array([.opaque("a ")]), "@array:2[`a `?]")
  }

  @Test func `A2: content that begins with @ and is not a container is unquoted`() {
    expectValue("@array[@?]", .array([.opaque("@")]))
    expectValue("@array[@a?]", .array([.opaque("@a")]))
    expectValue("@array[@ob?, @arra?]", .array([.opaque("@ob"), .opaque("@arra")]))
    expectRefusal("@array[@obj①ective?]", .unexpectedText, [.index(0)])
    expectRefusal("@array[@a①", .unexpectedEnd, [.index(0)])
    expectRefusal("@array[@ob①", .unexpectedEnd, [.index(0)])
  }

  @Test func `A3: a version is valid only at the root`() {
    expectRefusal("@array[@array①:2[]]", .unexpectedText, [.index(0)])
    expectRefusal("@array:2[1!, @array①:2[]]", .unexpectedText, [.index(1)])
    expectRefusal("@obj<a=@array①:2[]>", .unexpectedText, [.key("a")])
  }

  @Test func `A4: in version 2 a ? may follow a quoted element`() {
    for text in ["a,b", "a]", " a", "a ", "\n", "@obj", "@"] {
      expectText(.array([.opaque(text)]), "@array:2[`\(text)`?]")
    }
    expectValue("@array:2[`x`?]", .array([.opaque("x")]))
    expectValue("@array:2[`<null>`?]", .array([.null]))
    expectText(.array([.opaque("")]), "@array[?]")
    expectText(.array([.opaque("`]")]), "@array:2[`&01;]`?]")
    expectRefusal("@array[`x`①?]", .unexpectedText, [.index(1)])
    expectRefusal("@array:2[`x` ①?]", .unexpectedText, [.index(1)])
    expectRefusal("@array:2[`x`①!]", .unexpectedText, [.index(1)])
  }
}

import SPON
import Testing

/// FORMAT.md, E1 to E4.
@Suite struct `Format, escapes` {
  @Test func `E1: in texts &01; is a backtick`() {
    expectText(
      object("", ["a": .string("run `ls` now"), "b": .opaque("`")]),
      "@obj<a$=`run &01;ls&01; now` b?=`&01;`>")
    expectText(.array([.string("``"), .opaque("a`b")]), "@array[`&01;&01;`, a&01;b?]")
    expectValue("@obj<a;=`&01;`>", object("", ["a": .opaque("`")]))
  }

  @Test func `E1: no other content has escapes`() {
    expectRefusal("@obj<a!=`①&01;`>", .invalidNumber, [.key("a")])
    expectRefusal("@array:2[1①&u32;!]", .invalidNumber, [.index(0)])
    expectRefusal("@obj<a*=`①&01;`>", .invalidBase64, [.key("a")])
    expectRefusal("@obj<@spon!=`2` a~=`①&u;`>", .invalidNull, [.key("a")])
  }

  @Test func `E2: in version 2 also in keys and type names`() {
    expectValue(
      "@obj:A&01;B&u3c;<@spon!=`2` a&01;b$=`&01;` c&u20;d=@obj:&u3E;&u3e;<>>",
      object("A`B<", ["a`b": .string("`"), "c d": object(">>")]))
    expectValue("@array:2[@obj:&01;<&u3d;!=`1`>]", .array([object("`", ["=": .integer(1)])]))
  }

  @Test func `E2: &u names a scalar by one to six hexadecimal digits`() {
    for (escape, text) in [
      ("&u0;", "\0"), ("&u41;", "A"), ("&u000041;", "A"), ("&ue9;", "é"), ("&uE9;", "é"),
      ("&u1F40e;", "🐎"), ("&u10FFFF;", "\u{10FFFF}"), ("&ud7ff;", "\u{D7FF}"),
      ("&u26;01;", "&01;"), ("&u26;u41;", "&u41;"), ("&u60;", "`"), ("&&u41;&", "&A&"),
    ] {
      expectValue("`\(escape)`", .string(text))
      expectValue("\(escape)?", .opaque(text))
      expectValue(
        "@obj<@spon!=`2` a\(escape)$=`\(escape)`>", object("", ["a\(text)": .string(text)]))
      expectValue("@obj:\(escape)<@spon!=`2`>", object(text))
      expectValue(
        "@array:2[@obj:\(escape)<\(escape)=@array[]>]", .array([object(text, [text: .array([])])]))
    }
  }

  @Test func `E2: a number that is not a scalar is rejected`() {
    for escape in ["&ud800;", "&uDFFF;", "&u110000;", "&uffffff;"] {
      expectRefusal("`a①\(escape)`", .invalidEscape)
      expectRefusal("@array:2[`x`, a①\(escape)?]", .invalidEscape, [.index(1)])
      expectRefusal("@obj<@spon!=`2` a$=`①\(escape)`>", .invalidEscape, [.key("a")])
      expectRefusal("@obj<@spon!=`2` a①\(escape)$=`x`>", .invalidEscape, [.key("a\(escape)")])
      expectRefusal("@obj<@spon!=`2` a①\(escape)=@obj<>>", .invalidEscape, [.key("a\(escape)")])
      expectRefusal("@obj<@spon!=`2` a=@obj:①\(escape)<>>", .invalidEscape, [.key("a")])
      expectRefusal("@obj:A①\(escape)<@spon!=`2`>", .invalidEscape)
      expectValue(
        "@obj:\(escape)<a\(escape)$=`\(escape)`>", object(escape, ["a\(escape)": .string(escape)]))
    }
  }

  @Test func `E3: an & that does not begin an escape represents itself`() {
    for text in [
      "&", "&&", "&0", "&01", "&1;", "&001;", "&u", "&u;", "&u41", "&ug;", "&u 41;", "&u0000041;",
      "&U41;", "&amp;", "a&b", "&02;",
    ] {
      expectText(
        object("", ["a": .string(text), "b": .opaque(text)]), "@obj<a$=`\(text)` b?=`\(text)`>")
      expectValue("`\(text)`", .string(text))
      guard !text.contains(" ") else { continue }
      expectText(object("A\(text)"), "@obj:A\(text)<>")
      expectText(object("", [text: .null, "": .double(1)]), "@obj<@spon!=`2` \(text)~=`` &=`1.0`>")
    }
  }

  @Test func `E4: in version 1 keys and type names have no escapes`() throws {
    let value = object("A&01;&u41;", ["a&01;": .integer(1), "&u41;": object("&01;")])
    expectValue("@obj:A&01;&u41;<a&01;!=`1` &u41;=@obj:&01;<>>", value)
    expectText(
      value,
      "@obj:A&u26;01;&u26;u41;<@spon!=`2` a&u26;01;!=`1` &u26;u41;=@obj:&u26;01;<>>")
    expectValue("@array[`&u41;`, &u41;?]", .array([.string("&u41;"), .opaque("&u41;")]))
    expectValue("@obj<a$=`&ud800;`>", object("", ["a": .string("&ud800;")]))
  }
}

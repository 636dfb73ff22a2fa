import SPON
import Testing

/// Documents of version 1 of each kind that the original implementation wrote.
@Suite struct `Format, examples of version 1` {
  struct Example: CustomTestStringConvertible, Sendable {
    let text: String
    let value: SPONValue
    /// Indicates whether it is written unchanged, which does not apply to null.
    let isWritten: Bool
    var testDescription: String { text }

    init(_ text: String, _ value: SPONValue, isWritten: Bool = true) {
      self.text = text
      self.value = value
      self.isWritten = isWritten
    }
  }

  static let examples: [Example] = [
    Example("@obj<>", object()),
    Example("@obj:Crate<>", object("Crate")),
    Example(
      "@obj:Box<depth!=`12` width!=`-7`>",
      object("Box", ["depth": .integer(12), "width": .integer(-7)])),
    Example(
      "@obj:Flag<on%=`true` off%=`false`>",
      object("Flag", ["on": .bool(true), "off": .bool(false)])),
    Example("@obj:Note<body$=`Hello, world`>", object("Note", ["body": .string("Hello, world")])),
    Example("@obj:Note<body$=``>", object("Note", ["body": .string("")])),
    Example(
      "@obj:Note<body$=`run &01;ls&01; now`>", object("Note", ["body": .string("run `ls` now")])),
    Example(
      "@obj:Note<body$=`a>b <c> [d] x=y k$ ,`>",
      object("Note", ["body": .string("a>b <c> [d] x=y k$ ,")])),
    Example("@obj:Note<body$=`Žluťoučký 🐎`>", object("Note", ["body": .string("Žluťoučký 🐎")])),
    Example("@obj:M<f^=`1.25`>", object("M", ["f": .float(1.25)])),
    Example("@obj:M<d&=`0.1` e&=`1e+300`>", object("M", ["d": .double(0.1), "e": .double(1e300)])),
    Example(
      "@obj:M<a&=`nan` b&=`inf` c&=`-inf`>",
      object("M", ["a": .double(.nan), "b": .double(.infinity), "c": .double(-.infinity)])),
    Example(
      "@obj:Blob<raw*=`3q2+7w==`>", object("Blob", ["raw": .bytes([0xDE, 0xAD, 0xBE, 0xEF])])),
    Example("@obj:Blob<raw*=``>", object("Blob", ["raw": .bytes([])])),
    Example(
      "@obj:Trip<from=@obj:Place<name$=`Oslo`> id!=`3`>",
      object("Trip", ["from": object("Place", ["name": .string("Oslo")]), "id": .integer(3)])),
    Example("@obj:W<p=@obj<x!=`1`>>", object("W", ["p": object("", ["x": .integer(1)])])),
    Example(
      "@obj:Person<phones=@obj:Dictionary<home$=`555-1` work$=`555-2`>>",
      object(
        "Person",
        ["phones": object("Dictionary", ["home": .string("555-1"), "work": .string("555-2")])])),
    Example(
      "@obj:Lot<nums=@array[4!, 8!, 15!]>",
      object("Lot", ["nums": .array([.integer(4), .integer(8), .integer(15)])])),
    Example(
      "@obj:Lot<nums=@array[] z!=`1`>", object("Lot", ["nums": .array([]), "z": .integer(1)])),
    Example(
      "@obj:Lot<tags=@array[`red`, `dark blue`, ``]>",
      object("Lot", ["tags": .array([.string("red"), .string("dark blue"), .string("")])])),
    Example(
      "@obj:Cart<lines=@array[@obj:Line<q!=`1`>, @obj:Line<q!=`2`>]>",
      object(
        "Cart",
        ["lines": .array([object("Line", ["q": .integer(1)]), object("Line", ["q": .integer(2)])])])
    ),
    Example(
      "@obj:Ev<at?=`2023-11-14 22:13:20 +0000`>",
      object("Ev", ["at": .opaque("2023-11-14 22:13:20 +0000")])),
    Example("@obj:Ev<n?=`9007199254740993`>", object("Ev", ["n": .opaque("9007199254740993")])),
    Example("@obj:Opt<a?=`<null>`>", object("Opt", ["a": .null]), isWritten: false),
    Example(
      "@obj:Link<u$=`https://example.org/?q=1&r=2`>",
      object("Link", ["u": .string("https://example.org/?q=1&r=2")])),
    Example("@array[3!, -1!, 0!]", .array([.integer(3), .integer(-1), .integer(0)])),
    Example("@array[]", .array([])),
    Example(
      "@array[true%, 2.5^, 0.125&, 3q0=*, 7!]",
      .array([.bool(true), .float(2.5), .double(0.125), .bytes([0xDE, 0xAD]), .integer(7)])),
    Example("@array[`x`, `y z`]", .array([.string("x"), .string("y z")])),
    Example(
      "@array[@array[1!], @array[2!, 3!]]",
      .array([.array([.integer(1)]), .array([.integer(2), .integer(3)])])),
    Example(
      "@array[@obj:P<x!=`1`>, @obj:P<x!=`2`>]",
      .array([object("P", ["x": .integer(1)]), object("P", ["x": .integer(2)])])),
    Example(
      "@array[1!, <null>?, 3!]", .array([.integer(1), .null, .integer(3)]), isWritten: false),
  ]

  @Test(arguments: examples)
  func `are read, and written byte for byte`(_ example: Example) throws {
    expectValue(example.text, example.value)
    #expect(try example.value.text(version: .one) == example.text)
    if example.isWritten { #expect(try example.value.text() == example.text) }
  }
}

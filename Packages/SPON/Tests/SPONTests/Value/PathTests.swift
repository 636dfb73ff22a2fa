import SPON
import Testing

@Suite struct `Paths` {
  static let value: SPONValue = [
    "people": [["name": "Ada"], ["name": "Eva", "first name": "E"], []], "n": nil, "x": 1,
  ]

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, path: SPONPath
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case(text: "", path: []), Case(text: "a", path: ["a"]), Case(text: "[0]", path: [0]),
    Case(text: "people[2].name", path: ["people", 2, "name"]),
    Case(text: "a.b.c", path: ["a", "b", "c"]), Case(text: "[1][2].b", path: [1, 2, "b"]),
    Case(text: #"a["first name"]"#, path: ["a", "first name"]),
    Case(text: #"["a.b"].c"#, path: ["a.b", "c"]), Case(text: #"[""]"#, path: [""]),
    Case(text: #"["[0]"]"#, path: ["[0]"]), Case(text: #"["\"\\"]"#, path: [#""\"#]),
    Case(text: #"["\n\r\t\u{0}\u{7f}"]"#, path: ["\n\r\t\u{0}\u{7F}"]),
    Case(text: "5", path: ["5"]), Case(text: "[-5]", path: [-5]),
    Case(text: "é.e\u{301}.\u{301}x", path: ["é", "e\u{301}", "\u{301}x"]),
    Case(text: "ab:c=d<e>`f`,g@", path: ["ab:c=d<e>`f`,g@"]),
  ])
  func `have a printed form that parses to the same path`(_ expected: Case) {
    #expect(expected.path.description == expected.text)
    #expect(SPONPath(expected.text) == expected.path)
  }

  @Test func `may quote any key`() {
    #expect(SPONPath(#"["a"]["b"][1]"#) == ["a", "b", 1])
    #expect(SPONPath(#"a["\u{1F40E}\u{41}"]"#) == ["a", "🐎A"])
  }

  @Test(arguments: [
    ".", "a.", ".a", "a..b", "[", "[]", "[a]", "a[1", "a]", "[1]a", "a b", #"["a]"#, #"["a"#,
    #"["\x"]"#, #"["\u{}"]"#, #"["\u{d800}"]"#, #"["\u{110000}"]"#, #"["\u41"]"#, "a.[0]", "[1.5]",
    "[99999999999999999999]", "[-]", #"a"b"#, #"["a"]b"#, "a\u{0}",
  ])
  func `are not parsed from other texts`(_ text: String) {
    #expect(SPONPath(text) == nil)
  }

  @Test func `survive a round trip, including random ones`() {
    var random = SeededGenerator(seed: 0x9A)
    for _ in 0..<1_000 {
      let path = SPONPath(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Bool.random(using: &random)
            ? .index(Int(truncatingIfNeeded: random.next()))
            : .key(ValueSupport.text(using: &random))
        })
      #expect(SPONPath(path.description) == path, "seed 0x9A, \(path)")
    }
  }

  @Test func `with keys of different scalars are different`() {
    let composed: SPONPath = ["\u{E9}"]
    let decomposed: SPONPath = ["e\u{301}"]
    #expect(composed != decomposed)
  }

  @Test func `have parents and prefixes`() {
    let path: SPONPath = ["a", 1, "b"]
    #expect(path.parent == ["a", 1])
    #expect(SPONPath().parent == nil)
    #expect(path.hasPrefix(["a"]))
    #expect(path.hasPrefix([]))
    #expect(!path.hasPrefix([1]))
    #expect(path.appending(3) == ["a", 1, "b", 3])
    #expect(path.count == 3)
  }

  @Test func `lead to values`() throws {
    #expect(Self.value[["people", 1, "name"]] == "Eva")
    #expect(Self.value[["people", 1, "first name"]] == "E")
    #expect(Self.value[[]] == Self.value)
    #expect(Self.value[["people", 5]] == nil)
    #expect(try Self.value.value(at: ["people", 0, "name"]) == "Ada")
    #expect(try Self.value.value(at: []) == Self.value)
  }

  struct Missing: CustomTestStringConvertible, Sendable {
    let path: SPONPath, code: SPONError.Code, step: SPONPath
    var testDescription: String { path.description }
  }

  @Test(arguments: [
    Missing(path: ["a"], code: .keyNotFound, step: ["a"]),
    Missing(path: ["people", 1, "age", 4], code: .keyNotFound, step: ["people", 1, "age"]),
    Missing(path: ["people", 3, "name"], code: .valueNotFound, step: ["people", 3]),
    Missing(path: ["people", -1], code: .valueNotFound, step: ["people", -1]),
    Missing(path: ["people", "name"], code: .typeMismatch, step: ["people", "name"]),
    Missing(path: [0], code: .typeMismatch, step: [0]),
    Missing(path: ["x", "y"], code: .typeMismatch, step: ["x", "y"]),
    Missing(path: ["n", "y", "z"], code: .typeMismatch, step: ["n", "y"]),
  ])
  func `without a value report the first missing step`(_ expected: Missing) {
    func check(_ body: () throws -> Void) {
      let error = #expect(throws: SPONError.self) { try body() }
      #expect(error?.code == expected.code)
      #expect(error?.codingPath == expected.step.steps)
    }
    check { _ = try Self.value.value(at: expected.path) }
    var changed = Self.value
    check { _ = try changed.remove(at: expected.path) }
    #expect(changed == Self.value)
  }

  @Test func `set and remove values`() throws {
    var value = Self.value
    try value.set("Eve", at: ["people", 1, "name"])
    try value.set(3, at: ["people", 3])
    try value.set(true, at: ["new"])
    #expect(try value.remove(at: ["people", 0, "name"]) == "Ada")
    #expect(value[["people", 1, "name"]] == "Eve")
    #expect(value[["people", 3]] == 3)
    #expect(value[["people", 0]] == [:])
    #expect(value["new"] == true)
    try value.set(1, at: [])
    #expect(value == 1)
  }

  @Test func `that can't be set throw without any change`() {
    var value = Self.value
    for (path, code) in [
      (["missing", "a"], .keyNotFound), (["people", 4], .valueNotFound),
      (["people", "a"], .typeMismatch), (["x", 0], .typeMismatch), (["n", "a"], .typeMismatch),
      (SPONPath(Array(repeating: 0, count: 3_000)), .tooDeep),
    ] as [(SPONPath, SPONError.Code)] {
      let error = #expect(throws: SPONError.self) { try value.set(1, at: path) }
      #expect(error?.code == code)
    }
    let error = #expect(throws: SPONError.self) { try value.remove(at: []) }
    #expect(error?.code == .typeMismatch)
    #expect(value == Self.value)
  }

  @Test func `create missing containers when they are assigned to`() {
    var value = SPONValue.null
    value[["people", 0, "name"]] = "Ada"
    value[["people", 1, "tags", 0]] = "x"
    #expect(value == ["people": [["name": "Ada"], ["tags": ["x"]]]])
    value[["people", 1, "tags"]] = nil
    value[["none", "at", "all"]] = nil
    #expect(value == ["people": [["name": "Ada"], [:]]])
    value[[]] = nil
    #expect(value == .null)
  }

  @Test(
    arguments: [
      ["x", "y"], ["people", "a", "b"], ["people", 9], ["new", 1], ["people", -1], [0],
      SPONPath(Array(repeating: 0, count: 3_000)),
    ] as [SPONPath])
  func `that do not match change nothing when they are assigned to`(_ path: SPONPath) {
    var value = Self.value
    value[path] = 1
    #expect(value == Self.value)
  }

  @Test func `may be long`() {
    let path = SPONPath(Array(repeating: 0, count: 512))
    var value = SPONValue.null
    value[path] = 1
    value[path] = 2
    #expect(value[path] == 2)
    value[path] = nil
    #expect(value[path.parent ?? []] == [])
  }

  @Test func `of all leaves are in order`() {
    let leaves = Self.value.leaves.map { "\($0.path) \($0.value)" }
    #expect(
      leaves == [
        "people[0].name `Ada`", "people[1].name `Eva`", #"people[1]["first name"] `E`"#,
        "people[2] @array[]", "n ~", "x 1!",
      ])
    #expect(Array(SPONValue.integer(1).leaves.map(\.path)) == [[]])
    #expect(Array(SPONValue.array([]).leaves.map(\.value)) == [[]])
  }

  @Test func `of all leaves lead to them, including random ones`() {
    var random = SeededGenerator(seed: 0x1EAF)
    for _ in 0..<200 {
      let value = ValueSupport.value(using: &random)
      for (path, leaf) in value.leaves { #expect(value[path] == leaf, "seed 0x1EAF, \(path)") }
    }
  }
}

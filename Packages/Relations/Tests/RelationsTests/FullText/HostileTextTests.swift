import Relations
import SQLiteCore
import Testing

@Suite struct `Text typed by users` {
  static let texts: [String] = [
    "don't", "a-b", "C++", "\"x", "x\"", "\"", "\"\"", "\"\"\"", "foo(", "foo)", "(", ")", "()",
    "NEAR(",
    "NEAR(a b", "NEAR(a b, 3)", "NEAR/2", "AND", "OR", "NOT", "a AND", "AND a", "a OR OR b",
    "NOT a",
    "a NOT", "^", "^a", "*", "a*", "* a", "title:", "title:fox", "title : fox", "{title body}: x",
    "-",
    "--", "-x", "- x", "-\"", "-\"x", "+", "a + b", ":", ",", ";", "'", "''", "[x]", "`x`", "\\",
    "\\\"",
    "/* x */", "-- x", "%", "_", "?", "?1", ":x", "@x", "$x", "#", "a\0b", "\0", "\0\"", "\"\0",
    "\n", "\t a",
    "\u{a0}", "\u{feff}", "\u{200b}", "\u{301}", "\"\u{301}", "x\u{301}\u{301}", "🙂", "👩‍👩‍👧‍👦 fox",
    "fox🙂",
    "东京", "日本語 fox", "שלום", "\u{202e}fox", "ﬀ", "İ", "ß", "or", "or or", "or x", "x or", "x or -y",
    "-x or",
    "-\"\" x", "\"a b\"c\"", "fox\"dog", "x -", "\u{10ffff}", "\u{fffd}", "1.5e3", "0x10", "NULL",
  ]

  static let longTexts: [String] = [
    String(repeating: "\"", count: 999), String(repeating: "(", count: 2_000),
    String(repeating: "x", count: 20_000), String(repeating: "NOT ", count: 1_200),
    String(repeating: "a OR ", count: 600), String(repeating: "-x ", count: 1_200),
    (0..<1_200).map { "w\($0)" }.joined(separator: " "),
    (0..<600).map { "\"w\($0) v\"" }.joined(separator: " or "),
  ]

  static let queries: [(String, @Sendable (String) -> FullTextQuery)] = [
    ("words", { .words($0) }), ("any", { .any($0) }), ("phrase", { .phrase($0) }),
    ("phrasePrefix", { .phrasePrefix($0) }), ("prefix", { .prefix($0) }), ("web", { .web($0) }),
    ("near", { .near($0, distance: 3) }), ("near phrases", { .near([$0, "fox"]) }),
    ("columns", { .web($0).inColumns(["title"]).or(.any($0).outsideColumns(["title"])) }),
    ("and", { .words($0).and(.words("fox")) }),
    ("excluding", { .words("fox").excluding(.web($0)).excluding(.near($0)) }),
  ]

  @Test(arguments: ["unicode61", "porter", "trigram"])
  func `is never an error`(_ tokenizer: String) throws {
    let library = try IndexedBooks(tokenizer: .custom(tokenizer), prefixLengths: [2])
    try library.add("fox", "don't a-b C++", "x y z w1 w2")
    try search(Self.texts, in: library)
  }

  @Test func `is never an error, regardless of its length`() throws {
    let library = try IndexedBooks()
    try library.add("fox", "x y z w1 w2")
    try search(Self.longTexts, in: library)
  }

  private func search(_ texts: [String], in library: IndexedBooks) throws {
    for text in texts {
      for (name, query) in Self.queries {
        do {
          _ = try library.connection.search(library.index, query(text), limit: 5)
        } catch {
          Issue.record("\(name) of \(text.prefix(40).debugDescription): \(error)")
        }
      }
    }
  }

  @Test func `is found as it was written`() throws {
    let library = try IndexedBooks()
    let titles = [
      "don't", "a-b", "C++", "foo(", "NEAR(x)", "x AND y", "NOT", "title:fox", "caf\u{e9} \"q\"",
    ]
    for title in titles { try library.add(title) }
    for (number, title) in titles.enumerated() {
      let id = Int64(number + 1)
      #expect(try library.find(.words(title)).contains(id), "\(title)")
      #expect(try library.find(.phrase(title)).contains(id), "\(title)")
      #expect(try library.find(.prefix(title)).contains(id), "\(title)")
    }
  }

  @Test func `without a word matches no row`() throws {
    let library = try IndexedBooks()
    try library.add("fox", "- ( \" *")
    for text in ["", " ", "\"", "- ( * ", "\0", "🙂"] {
      for (name, query) in Self.queries where name != "excluding" {
        if name == "near phrases" { continue }
        #expect(try library.find(query(text)) == [], "\(name) of \(text.debugDescription)")
      }
      #expect(try library.find(.words("fox").excluding(.words(text))) == [1])
    }
  }
}

import Relations
import SQLiteCore
import Testing

@Suite struct `Tokenizers` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, query: String, tokenizer: FullTextIndex.Tokenizer, isFound: Bool
    var testDescription: String { "\(query) in \(text), \(tokenizer.words)" }

    init(_ text: String, _ query: String, _ tokenizer: FullTextIndex.Tokenizer, _ isFound: Bool) {
      self.text = text
      self.query = query
      self.tokenizer = tokenizer
      self.isFound = isFound
    }
  }

  @Test(arguments: [
    Case("café", "café", .unicode61(), true),
    Case("café", "CAFE", .unicode61(), true),
    Case("cafe", "café", .unicode61(), true),
    Case("café", "café", .unicode61(diacritics: .kept), true),
    Case("café", "cafe", .unicode61(diacritics: .kept), false),
    Case("cafe\u{301}", "caf\u{e9}", .unicode61(), true),
    Case("Việt", "viet", .unicode61(), true),
    Case("Über Größe", "uber große", .unicode61(), true),
    Case("Straße", "STRASSE", .unicode61(), false),
    Case("Straße", "straße", .unicode61(diacritics: .kept), true),
    Case("åäö", "aao", .unicode61(diacritics: .kept), false),
    Case("İstanbul", "İstanbul", .unicode61(), true),
    Case("İSTANBUL", "istanbul", .unicode61(), true),
    Case("Iğdır", "ığdır", .unicode61(), false),
    Case("Iğdır", "iğdır", .unicode61(), true),
    Case("東京都に住む", "東京", .unicode61(), false),
    Case("東京都に住む", "東京都", .trigram(), true),
    Case("東京都に住む", "京都に住", .trigram(), true),
    Case("東京都に住む", "大阪市", .trigram(), false),
    Case("Foxes", "xes", .trigram(), true),
    Case("Foxes", "fox", .trigram(isCaseSensitive: true), false),
    Case("Foxes", "Fox", .trigram(isCaseSensitive: true), true),
    Case("running foxes", "run fox", .porter(), true),
    Case("running foxes", "run fox", .unicode61(), false),
    Case("cafés", "cafe", .porter(.unicode61()), true),
    Case("cafés", "cafe", .porter(.unicode61(diacritics: .kept)), false),
    Case("Été", "été", .ascii(), false),
    Case("Fox", "fOX", .ascii(), true),
    Case("snake_case", "snake", .unicode61(), true),
    Case("snake_case", "snake", .unicode61(tokenCharacters: "_"), false),
    Case("snake_case", "snake_case", .unicode61(tokenCharacters: "_"), true),
    Case("don't \"x\" \\y", "don't", .unicode61(tokenCharacters: "'\"\\"), true),
    Case("don't", "don", .unicode61(tokenCharacters: "'\"\\"), false),
    Case("oneXtwo", "two", .unicode61(separators: "Xx'\""), true),
    Case("oneXtwo", "two", .ascii(separators: "X'"), true),
    Case("abc 123", "123", .unicode61(categories: ["L*"]), false),
    Case("abc 123", "abc", .unicode61(categories: ["L*"]), true),
    Case("Fox", "fox", .custom("unicode61", arguments: ["remove_diacritics", "0"]), true),
  ])
  func `treat the text of a query like the text of a row`(_ expected: Case) throws {
    let library = try IndexedBooks(["title"], tokenizer: expected.tokenizer)
    try library.add(expected.text)
    #expect(try library.find(.words(expected.query)) == (expected.isFound ? [1] : []))
    #expect(try library.problems() == [])
    #expect(try library.index.isCurrent(in: library.connection))
  }

  @Test func `that do not exist are an error`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try IndexedBooks(tokenizer: .custom("nothing' OR", arguments: ["it's"]))
    }
    #expect(error?.code == .error)
  }
}

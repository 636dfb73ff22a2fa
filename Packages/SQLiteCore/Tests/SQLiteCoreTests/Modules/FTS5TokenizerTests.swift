import Primitives
import SQLiteCore
import Testing

@Suite(.enabled(if: SQLiteLibrary.supports(.fts5))) struct `Tokenizers in Swift` {
  /// A connection with a full-text table of these documents.
  private func table(
    _ documents: [String], tokenizer: String = "mine",
    _ make: @escaping (borrowing TokenizerContext) throws -> any FTS5Tokenizer
  ) throws -> Connection {
    let db = try memory()
    try db.registerTokenizer("mine") { AnyTokenizer(base: try make($0)) }
    try db.execute(
      SQL(unsafe: "CREATE VIRTUAL TABLE page USING fts5(body, tokenize = '\(tokenizer)')"))
    for document in documents { try db.run("INSERT INTO page VALUES (?)", document) }
    return db
  }

  /// Hides the type of a tokenizer.
  struct AnyTokenizer: FTS5Tokenizer {
    let base: any FTS5Tokenizer

    func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
      try base.tokenize(text, purpose: purpose, emit: emit)
    }
  }

  private func found(_ db: Connection, _ query: String) throws -> [Int] {
    try db.values(Int.self, "SELECT rowid FROM page WHERE page MATCH ? ORDER BY rowid", query)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let query: String
    let rows: [Int]
    var testDescription: String { query }
  }

  @Test(
    arguments: [
      Case(query: "Hello", rows: [1]), Case(query: "hello", rows: []),
      Case(query: "wor*", rows: [1]), Case(query: #""Hello world""#, rows: [1]),
      Case(query: #""world Hello""#, rows: []), Case(query: "again OR world", rows: [1, 2]),
    ])
  func `determine the rows that a query finds`(_ given: Case) throws {
    let db = try table(["Hello world", "again"]) { _ in Words() }
    #expect(try found(db, given.query) == given.rows)
  }

  @Test(
    arguments: [
      Case(query: "first", rows: [1, 2]), Case(query: #""1st""#, rows: [1]),
      Case(query: #""won 1st place""#, rows: [1]), Case(query: #""won first place""#, rows: [1]),
      Case(query: #""1st first""#, rows: []),
    ])
  func `can give synonyms the same position`(_ given: Case) throws {
    let db = try table(["i won 1st place", "first of all"]) { _ in
      WordList(base: Words(), synonyms: ["1st": ["first", "number one"]])
    }
    #expect(try found(db, given.query) == given.rows)
  }

  @Test func `can omit words`() throws {
    let db = try table(["the lord of the rings", "rings"]) { context in
      WordList(base: try context.tokenizer("unicode61"), stopWords: ["the", "of"])
    }
    #expect(try found(db, #""lord rings""#) == [1])
    #expect(try found(db, "the rings") == [1, 2])
    #expect(try found(db, "the") == [])
  }

  @Test(
    arguments: [
      Case(query: "東京", rows: [1]), Case(query: "京都", rows: [1, 2]),
      Case(query: "京都大学", rows: [2]), Case(query: "大阪", rows: []),
    ])
  func `may index pairs of characters`(_ given: Case) throws {
    let db = try table(["東京都は大きい", "京都大学"]) { _ in Bigrams() }
    #expect(try found(db, given.query) == given.rows)
  }

  @Test func `determine the text that highlight and snippet mark`() throws {
    let db = try table(["ein Glück, das 2te", "東京都"]) { context in
      WordList(
        base: try context.tokenizer("unicode61"), synonyms: ["2te": ["zweite"]])
    }
    let marked: SQL =
      "SELECT highlight(page, 0, '<', '>') || snippet(page, 0, '[', ']', '…', 2) FROM page(?)"
    #expect(
      try db.value(String.self, marked, "gluck") == "ein <Glück>, das 2teein [Glück]…")
    #expect(
      try db.value(String.self, "SELECT highlight(page, 0, '<', '>') FROM page('zweite')")
        == "ein Glück, das <2te>")
  }

  @Test(
    arguments: [
      ("porter", ["unicode61"], "Running runs", ["run@0..<7", "run@8..<12"]),
      ("porter", [], "Running", ["run@0..<7"]),
      ("unicode61", [], "Été 2", ["ete@0..<5", "2@6..<7"]),
      ("unicode61", ["remove_diacritics", "0"], "É", ["é@0..<2"]),
      ("ascii", [], "Ab c", ["ab@0..<2", "c@3..<4"]),
      ("trigram", [], "abcd", ["abc@0..<3", "bcd@1..<4"]),
      ("unicode61", [], "", []),
    ] as [(String, [String], String, [String])])
  func `can wrap SQLite's tokenizers`(
    _ name: String, _ arguments: [String], _ text: String, _ expected: [String]
  ) throws {
    var tokens: [String] = []
    let db = try memory()
    try db.registerTokenizer("mine") { context in
      let base = try context.tokenizer(name, arguments: arguments)
      try base.tokenize([UInt8](text.utf8).elementSpan, purpose: .document) {
        token, range, isColocated in
        tokens.append(
          Token(token.indices.map { token[$0] }, range, isColocated: isColocated).description)
      }
      return Words()
    }
    try db.execute("CREATE VIRTUAL TABLE page USING fts5(body, tokenize = 'mine')")
    #expect(tokens == expected)
  }

  @Test func `can wrap each other, and stop the inner one by throwing`() throws {
    let db = try memory()
    var emitted = 0
    try db.registerTokenizer("inner") { _ in
      ClosureTokenizer { _, _, emit in
        for index in 0..<5 {
          emitted += 1
          try emit(Token("t", index..<index + 1))
        }
      }
    }
    try db.registerTokenizer("outer") { context in
      AnyTokenizer(
        base: WordListThatThrows(base: try context.tokenizer("inner"), after: 2))
    }
    try db.execute("CREATE VIRTUAL TABLE page USING fts5(body, tokenize = 'outer')")
    let error = #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO page VALUES ('abcdef')")
    }
    #expect(error?.message == "enough")
    #expect(emitted == 3)
  }

  struct WordListThatThrows: FTS5Tokenizer {
    let base: any FTS5Tokenizer
    let after: Int

    func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
      var count = 0
      try base.tokenize(text, purpose: purpose) { token, range, isColocated in
        if count == after { throw Failure(name: "enough") }
        count += 1
        try emit(token, range, isColocated)
      }
    }
  }

  @Test func `are created with the table's arguments`() throws {
    var arguments: [[String]] = []
    let db = try table([], tokenizer: "Mine ''two words'' 3") { context in
      arguments.append(context.arguments)
      return Words()
    }
    #expect(arguments == [["two words", "3"]])
    #expect(try found(db, "x") == [])
  }

  @Test func `receive the purpose of each text`() throws {
    var purposes: [TokenizerContext.Purpose] = []
    let db = try table([]) { _ in
      ClosureTokenizer { text, purpose, emit in
        purposes.append(purpose)
        try emit(Token(text, 0..<text.count))
      }
    }
    try db.run("INSERT INTO page VALUES ('one')")
    #expect(purposes == [.document])
    purposes = []
    _ = try found(db, "one")
    #expect(purposes == [.query])
    purposes = []
    _ = try found(db, "on*")
    #expect(purposes == [.prefix])
    purposes = []
    _ = try db.rows("SELECT highlight(page, 0, '<', '>') FROM page('one')")
    #expect(purposes == [.query, .auxiliary])
  }

  @Test(
    arguments: [[], [0x41, 0, 0x42], [0xff, 0xfe], [0xe6, 0x9d], [UInt8](0...255)] as [[UInt8]])
  func `receive the bytes unchanged`(_ bytes: [UInt8]) throws {
    var seen: [[UInt8]] = []
    let db = try table([]) { _ in
      ClosureTokenizer { text, _, emit in
        seen.append(text)
        // No token contains a NUL.
        for part in text.split(separator: 0) {
          try emit(Token([UInt8](part), part.startIndex..<part.endIndex))
        }
      }
    }
    try db.run("INSERT INTO page VALUES (CAST(? AS TEXT))", bytes)
    #expect(seen == [bytes])
    try db.execute("INSERT INTO page(page) VALUES ('integrity-check')")
  }

  @Test(
    arguments: [
      ([Token("a", 0..<4)], "the tokenizer emits a token of bytes 0..<4 of a text of 3 bytes"),
      ([Token("a", 3..<3)], nil),
      ([Token("", 0..<1), Token("", 0..<1, isColocated: true)], nil),
      ([Token("a\0b", 0..<3)], "the tokenizer emits a token that contains a NUL"),
      ([Token("a", -1..<2)], "the tokenizer emits a token of bytes -1..<2 of a text of 3 bytes"),
      (
        [Token("a", 0..<1), Token("b", 4..<9)],
        "the tokenizer emits a token of bytes 4..<9 of a text of 3 bytes"
      ),
      (
        [Token("a", 0..<1, isColocated: true)],
        "the tokenizer emits a synonym without a token before it"
      ),
    ] as [([Token], String?)])
  func `that emit an invalid token fail the statement, also if they ignore the error`(
    _ tokens: [Token], _ message: String?
  ) throws {
    for goesOn in [false, true] {
      let db = try table([]) { _ in
        ClosureTokenizer { _, _, emit in
          for token in tokens {
            do { try emit(token) } catch { if !goesOn { throw error } }
          }
        }
      }
      do throws(SQLiteError) {
        try db.run("INSERT INTO page VALUES ('abc')")
        #expect(message == nil)
      } catch {
        #expect(error.code == .misuse)
        #expect(error.message == message)
        #expect(try db.count("page") == 0)
      }
    }
  }

  @Test(
    arguments: [
      (Failure(name: "my reason"), .error, "my reason"),
      (SQLiteError(code: .invalidText, message: "no text"), .invalidText, "no text"),
      (SQLiteError(code: .unsupported, message: "not here"), .unsupported, "not here"),
      (SQLiteError(code: .init(rawValue: 101), message: "done"), .error, "done"),
    ] as [(any Error & Sendable, SQLiteError.Code, String)])
  func `fail the statement with their error, and leave the table unchanged`(
    _ failure: any Error & Sendable, _ code: SQLiteError.Code, _ message: String
  ) throws {
    var isFailing = false
    let db = try table([]) { _ in
      ClosureTokenizer { text, _, emit in
        if isFailing { throw failure }
        try emit(Token(text, 0..<text.count))
      }
    }
    try db.run("INSERT INTO page VALUES ('one')")
    isFailing = true
    let errors = [
      #expect(throws: SQLiteError.self) { try db.run("INSERT INTO page VALUES ('two')") },
      #expect(throws: SQLiteError.self) { try db.run("DELETE FROM page") },
      #expect(throws: SQLiteError.self) { try found(db, "one") },
    ]
    for error in errors {
      #expect(error?.code == code)
      #expect(error?.message == message)
    }
    isFailing = false
    #expect(try found(db, "one") == [1])
    try db.execute("INSERT INTO page(page) VALUES ('integrity-check')")
  }

  @Test func `that can't be created fail the statement that needs them`() throws {
    let causes: [(any FTS5Tokenizer.Type, SQLiteError.Code, String)] = [
      (Words.self, .notFound, "no such tokenizer: never_was")
    ]
    for (_, code, message) in causes {
      let error = #expect(throws: SQLiteError.self) {
        _ = try table([]) { try $0.tokenizer("never_was") }
      }
      #expect(error?.code == code)
      #expect(error?.message == message)
    }
    let refused = #expect(throws: SQLiteError.self) {
      _ = try table([]) { try $0.tokenizer("unicode61", arguments: ["nonsense", "1"]) }
    }
    #expect(
      refused?.message
        == #"the tokenizer unicode61 can't be created with the arguments ["nonsense", "1"]"#)
    let thrown = #expect(throws: SQLiteError.self) {
      _ = try table([]) { _ in throw Failure(name: "not today") }
    }
    #expect(thrown?.message == "not today")
  }

  @Test func `have a name without NUL`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.registerTokenizer("a\0b") { _ in Words() }
    }
    #expect(error?.code == .misuse)
    let other = #expect(throws: SQLiteError.self) {
      _ = try table([]) { try $0.tokenizer("unicode61\0") }
    }
    #expect(other?.code == .misuse)
  }

  @Test func `need FTS5`() throws {
    let db = try memory()
    // Replaces FTS5's own function, so that the connection seems to lack FTS5.
    try db.register("fts5", argumentCount: 1) { _ in .null }
    let error = #expect(throws: SQLiteError.self) {
      try db.registerTokenizer("mine") { _ in Words() }
    }
    #expect(error?.code == .unsupported)
  }

  @Test func `are registered without requests to the authorizer`() throws {
    let db = try memory()
    var requests = 0
    try db.hooks.authorize { _ in
      requests += 1
      return .deny
    }
    try db.registerTokenizer("mine") { _ in Words() }
    #expect(requests == 0)
  }

  final class Held: FTS5Tokenizer {
    let onFree: () -> Void

    init(onFree: @escaping () -> Void) { self.onFree = onFree }

    deinit { onFree() }

    func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
      try Words().tokenize(text, purpose: purpose, emit: emit)
    }
  }

  @Test func `are freed with their table, and their factory with the connection`() throws {
    let db = try memory()
    var freed: [String] = []
    weak var kept: Held?
    do {
      let keeper = Held { freed.append("maker") }
      kept = keeper
      try db.registerTokenizer("mine") { _ in
        _ = keeper
        return Held { freed.append("tokenizer") }
      }
    }
    try db.execute(
      """
      CREATE VIRTUAL TABLE page USING fts5(body, tokenize = 'mine');
      INSERT INTO page VALUES ('a')
      """)
    #expect(freed == [])
    try db.execute("DROP TABLE page")
    #expect(freed == ["tokenizer"])
    // FTS5 keeps a tokenizer when another one is registered under its name.
    try db.registerTokenizer("mine") { _ in Words() }
    #expect(kept != nil)
    try db.close()
    #expect(freed == ["tokenizer", "maker"])
  }

  @Test func `are available on every connection of a database`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open { configuration in
      configuration.prepare = { connection in
        try connection.registerTokenizer("words") { _ in Words() }
      }
    }
    try await database.write { connection in
      try connection.execute("CREATE VIRTUAL TABLE page USING fts5(body, tokenize = words)")
      for index in 1...20 { try connection.run("INSERT INTO page VALUES (?)", "w\(index)") }
    }
    let found = try await withThrowingTaskGroup(of: Int?.self) { group in
      for index in 1...20 {
        group.addTask {
          try await database.read { connection in
            try connection.value(Int.self, "SELECT rowid FROM page(?)", "w\(index)")
          }
        }
      }
      return try await group.reduce(into: Set<Int>()) { if let row = $1 { $0.insert(row) } }
    }
    #expect(found == Set(1...20))
    let other = try Connection(path: directory.file())
    let error = #expect(throws: SQLiteError.self) { try other.rows("SELECT * FROM page") }
    #expect(error?.message.contains("no such tokenizer: words") == true)
  }
}

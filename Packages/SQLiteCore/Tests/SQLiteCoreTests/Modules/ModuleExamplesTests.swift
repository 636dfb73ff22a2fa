import SQLiteCore
import Testing

/// The examples of the documentation, unchanged: keep both in sync.
@Suite struct `The documentation's example of` {
  struct Countdown: VirtualTable.Module {
    final class Table: VirtualTable.Table {
      let columns: [VirtualTable.Column] = [
        VirtualTable.Column("value", affinity: .integer),
        VirtualTable.Column("start", affinity: .integer, isHidden: true),
      ]

      func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? {
        let start = info.constraints.first { $0.column == 1 && $0.operator == .equal }
        guard let start, start.isUsable else { return nil }
        var plan = VirtualTable.Plan()
        plan.use(start, omit: true)
        return plan
      }

      func open() -> Cursor { Cursor() }
    }

    struct Cursor: VirtualTable.Cursor {
      var (start, value): (Int64, Int64) = (0, 0)

      mutating func filter(
        indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
      ) {
        if case .integer(let first) = arguments[0] { start = first }
        value = start
      }

      mutating func next() { value -= 1 }
      var isAtEnd: Bool { value < 0 }
      func column(_ column: ColumnIndex) -> SQLiteValue { .integer(column == 0 ? value : start) }
      func rowID() -> RowID { RowID(rawValue: start - value) }
    }

    func connect(_ table: TableName, arguments: [String]) -> Table { Table() }
  }

  @Test func `a table-valued function`() throws {
    let connection = try memory()
    try connection.register(module: Countdown(), as: "countdown")
    let values = try connection.values(Int.self, "SELECT value FROM countdown(3)")  // 3, 2, 1, 0
    #expect(values == [3, 2, 1, 0])
    #expect(throws: SQLiteError.self) { try connection.rows("SELECT value FROM countdown") }
  }

  @Test func `modules and tokenizers on every connection of a database`() async throws {
    let directory = try TemporaryDirectory()
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.register(module: Countdown(), as: "countdown")
      try connection.registerTokenizer("characters") { _ in Characters() }
    }
    let database = try directory.open(configuration)
    let count = try await database.read { connection in
      try connection.value(Int.self, "SELECT count(*) FROM countdown(9)")
    }
    #expect(count == 10)
  }

  final class Notes: VirtualTable.Table {
    let columns = [VirtualTable.Column("text", affinity: .text)]
    private(set) var notes: [Int64: SQLiteValue] = [:]

    func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? { VirtualTable.Plan() }

    func open() -> Cursor { Cursor(notes: notes) }

    struct Cursor: VirtualTable.Cursor {
      let notes: [Int64: SQLiteValue]
      private var ids: [Int64] = []

      init(notes: [Int64: SQLiteValue]) { self.notes = notes }

      mutating func filter(
        indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
      ) { ids = notes.keys.sorted(by: >) }

      mutating func next() { ids.removeLast() }
      var isAtEnd: Bool { ids.isEmpty }
      func column(_ column: ColumnIndex) -> SQLiteValue {
        ids.last.flatMap { notes[$0] } ?? .null
      }
      func rowID() -> RowID { RowID(rawValue: ids.last ?? 0) }
    }
  }

  struct NotesModule: VirtualTable.Module {
    func connect(_ table: TableName, arguments: [String]) -> Notes { Notes() }
  }

  @Test func `a table that SQL can change`() throws {
    let connection = try memory()
    try connection.register(module: NotesModule(), as: "note")
    try connection.execute(
      """
      INSERT INTO note VALUES ('a'), ('b'), ('c');
      UPDATE note SET text = 'B' WHERE text = 'b';
      DELETE FROM note WHERE text = 'a';
      REPLACE INTO note (rowid, text) VALUES (3, 'C')
      """)
    #expect(try connection.rows("SELECT rowid, text FROM note") == [[2, "B"], [3, "C"]])
    #expect(throws: SQLiteError.self) {
      try connection.run("INSERT INTO note (rowid, text) VALUES (3, 'D')")
    }
  }

  /// Indexes each character, for languages without spaces between words.
  struct Characters: FTS5Tokenizer {
    func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
      var start = 0
      while start < text.count {
        var end = start + 1
        while end < text.count, text[end] & 0xc0 == 0x80 { end += 1 }
        try emit(text.extracting(start..<end), start..<end, false)
        start = end
      }
    }
  }

  @Test func `a tokenizer`() throws {
    let connection = try memory()
    try connection.registerTokenizer("characters") { _ in Characters() }
    try connection.execute("CREATE VIRTUAL TABLE page USING fts5(body, tokenize = 'characters')")
    try connection.run("INSERT INTO page VALUES ('東京都')")
    #expect(try connection.values(Int.self, "SELECT rowid FROM page('京都')") == [1])
    #expect(try connection.values(Int.self, "SELECT rowid FROM page('都京')") == [])
  }

  /// Omits words from the tokens of another tokenizer.
  struct WithoutStopWords: FTS5Tokenizer {
    let base: any FTS5Tokenizer
    let words: Set<String>

    func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
      try base.tokenize(text, purpose: purpose) { token, range, isColocated in
        let word = String(decoding: token.indices.map { token[$0] }, as: UTF8.self)
        if !words.contains(word) { try emit(token, range, isColocated) }
      }
    }
  }

  @Test func `a tokenizer that changes the tokens of another`() throws {
    let connection = try memory()
    try connection.registerTokenizer("english") { context in
      WithoutStopWords(
        base: try context.tokenizer("porter", arguments: ["unicode61"]), words: ["the", "of"])
    }
    try connection.execute("CREATE VIRTUAL TABLE page USING fts5(body, tokenize = english)")
    try connection.run("INSERT INTO page VALUES ('The running of the bulls')")
    #expect(try connection.values(Int.self, #"SELECT rowid FROM page('"run bull"')"#) == [1])
  }
}

extension `The documentation's example of`.Notes: VirtualTable.WritableTable {
  func insert(
    _ values: borrowing FunctionArguments, rowID: RowID?,
    onConflict: VirtualTable.ConflictResolution
  ) throws -> RowID {
    let id = rowID?.rawValue ?? (notes.keys.max() ?? 0) + 1
    guard notes[id] == nil || onConflict == .replace else {
      throw SQLiteError(code: .constraintRowID, message: "there is a note \(id)")
    }
    notes[id] = values[0]
    return RowID(rawValue: id)
  }

  func update(
    _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
    onConflict: VirtualTable.ConflictResolution
  ) throws {
    guard newRowID == rowID else {
      throw SQLiteError(code: .constraintRowID, message: "a note keeps its number")
    }
    notes[rowID.rawValue] = values[0]
  }

  func delete(_ rowID: RowID) { notes[rowID.rawValue] = nil }
}

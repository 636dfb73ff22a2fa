import Relations
import SQLiteCore
import Testing

final class Record: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Record"
    var id = 0
    var name = ""
    var notes = ""
    var year = 1980
    var search = FTSColumn<Record>([.init("name", weight: 10), "notes"])
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var search: FTSColumn<Record> { value.search }
}

private func ids<Target: TableModel>(
  _ column: FTSColumn<Target>, _ text: String
) async throws -> [Target.ID] {
  try await column.search(text).map(\.item.id)
}

/// A row with computed text.
struct Letter: Table {
  var id: AutoId = 0
  var sender = ""
  var lines: [String] = []
  var search = FTSColumn<Letter>(computing: ["text"], from: ["sender", "lines"]) {
    if $0.sender == "nobody" { throw RelationError(.notLoaded, "no text") }
    return ["\($0.sender): \($0.lines.joined(separator: " "))"]
  }
}

@Suite struct `A full-text column` {
  private func withRecords(
    _ body: (ModelSession, FTSColumn<Record>) async throws -> Void
  ) async throws {
    var configuration = Configuration()
    configuration.trustsSchema = true
    let session = ModelSession(try Database(.memory, configuration: configuration))
    try await session.use {
      try await [
        Record.Value(id: 1, name: "Faith", notes: "a forest at night"),
        Record.Value(id: 2, name: "Forest", notes: "no faith"),
        Record.Value(id: 3, name: "Café Bleu", notes: "forest forest forest", year: 1984),
      ].save()
      try await body(session, Record.Value().search)
    }
  }

  @Test func `returns models in the order of their rank (A16)`() async throws {
    try await withRecords { session, search in
      let held = try await Record.fetchId(2)
      let found = try await search.search("forest")
      #expect(found.map(\.item.id) == [2, 3, 1])
      #expect(found[0].item === held)
      #expect(found.map(\.rank) == found.map(\.rank).sorted())
      let found1 = try await ids(held.search, "faith")
      #expect(found1 == [1, 2])
      let even = try await search.find(.words("forest"), weights: ["name": 0.5])
      #expect(even.map(\.item.id).first == 3)
    }
  }

  @Test(arguments: ["café", "cafe", "CAFÉ", "Caf\u{65}\u{301}"])
  func `folds the text of queries like indexed text (A17)`(_ text: String) async throws {
    try await withRecords { _, search in
      let found2 = try await ids(search, text)
      #expect(found2 == [3])
    }
  }

  @Test(arguments: [
    "don't", "a-b", "C++", "\"x", "foo(", "NEAR(", "*", "name:", "^a", "AND", "a OR", "-", "", "\0",
    "faith\"; DROP TABLE Record",
  ])
  func `accepts any text that a user types (A18)`(_ text: String) async throws {
    try await withRecords { session, search in
      _ = try await search.search(text)
      #expect(try await Record.fetchQuery().count == 3)
      let record = Record(Record.Value(id: 9, name: text))
      try await record.save()
      let words = text.contains { $0.isLetter }
      let found = try await search.search(text)
      #expect(found.contains { $0.item === record } == words)
    }
  }

  @Test func `costs the same for a write regardless of the number of rows (A19)`() async throws {
    try await withRecords { session, search in
      func steps() async throws -> Int {
        try await session.database.write { connection in
          let statement = try connection.prepare("UPDATE Record SET notes = 'x' WHERE id = 2")
          try statement.run()
          return try statement.count(of: .machineSteps) + statement.count(of: .fullScanSteps)
        }
      }
      let few = try await steps()
      try await session.database.write { connection in
        for id in 100..<2_100 {
          try connection.run("INSERT INTO Record VALUES (?, 'name', 'some notes', 1990)", id)
        }
      }
      let found3 = try await steps()
      #expect(found3 <= 2 * few)
      let plan = try await session.database.read {
        try $0.queryPlan(for: "SELECT rowid FROM Record_name_notes_search('x')").details
      }
      #expect(plan.contains { $0.contains("VIRTUAL TABLE INDEX") })
    }
  }

  @Test func `is updated by every writer`() async throws {
    try await withRecords { session, search in
      let record = try await Record.fetchId(1)
      record.value.notes = "an ocean"
      try await record.save()
      let found4 = try await ids(search, "ocean")
      #expect(found4 == [1])
      let found5 = try await ids(search, "night")
      #expect(found5.isEmpty)
      try await session.database.write {
        try $0.run("UPDATE Record SET notes = 'sea' WHERE id = 1")
      }
      let sea = try await search.search("sea")
      #expect(sea.first?.item === record)
      #expect(record.value.notes == "sea")
      try await record.delete()
      let found6 = try await ids(search, "sea")
      #expect(found6.isEmpty)
      await #expect(throws: CancellationError.self) {
        try await session.database.write { connection in
          try connection.run("UPDATE Record SET notes = 'river'")
          throw CancellationError()
        }
      }
      let rivers = try await search.count(.words("river"))
      #expect(rivers == 0)
      let found7 = try await search.integrityCheck()
      #expect(found7 == [])
    }
  }

  @Test func `supports pages, excerpts and conditions`() async throws {
    try await withRecords { _, search in
      let first = try await search.search("forest", limit: 2, excerpts: [.highlight("notes")])
      #expect(first.map(\.item.id) == [2, 3])
      #expect(first[1].excerpts == ["<b>forest</b> <b>forest</b> <b>forest</b>"])
      let second = try await search.search("forest", limit: 2, after: first[1].position)
      #expect(second.map(\.item.id) == [1])
      let old = try await search.search("forest", where: "year < \(1984)")
      #expect(old.map(\.item.id) == [2, 1])
      let count = try await search.count(.words("forest"), where: "year < \(1984)")
      #expect(count == 2)
    }
  }

  @Test func `has computed text, updated in the transaction that saves the row`() async throws {
    try await withRecords { session, _ in
      let search = Letter().search
      let letter = try await Letter(sender: "Ada", lines: ["dear Bob", "farewell"]).save()
      let isStale = try await session.database.read { try search.index.isStale(in: $0) }
      #expect(!isStale)
      let found8 = try await ids(search, "farewell")
      #expect(found8 == [letter.id])
      // After a write by another connection, the text is computed before the next search.
      try await session.database.write { try $0.run("UPDATE Letter SET sender = 'Countess'") }
      let found9 = try await ids(search, "countess")
      #expect(found9 == [letter.id])
      let found10 = try await ids(search, "ada")
      #expect(found10.isEmpty)
      // An error in computing text fails the save.
      await #expect(throws: RelationError.self) {
        try await Letter(sender: "nobody", lines: []).save()
      }
      #expect(try await Letter.fetchQuery().count == 1)
      try await search.rebuild()
      #expect(try await ids(search, "dear").count == 1)
      let found11 = try await search.integrityCheck()
      #expect(found11 == [])
    }
  }

  @Test func `can be used without a property, and is created again when it changes`() async throws {
    try await withRecords { session, _ in
      let names = FTSColumn<Record>("name", tokenizer: .trigram())
      let found12 = try await ids(names, "ores")
      #expect(found12 == [2])
      let words = FTSColumn<Record>("name")
      let found13 = try await ids(words, "ores")
      #expect(found13.isEmpty)
      let found14 = try await ids(words, "fores")
      #expect(found14 == [2])
      let found15 = try await names.integrityCheck()
      #expect(found15 != [])
    }
  }

  @Test func `needs an integer key`() async throws {
    try await withRecords { _, _ in
      let error = await #expect(throws: RelationError.self) {
        try await FTSColumn<Keyword>("id").search("x")
      }
      #expect(error?.code == .unstableRowID)
    }
  }
}

struct Keyword: Table {
  var id = ""
}

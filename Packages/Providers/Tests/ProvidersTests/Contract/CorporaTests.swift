import Foundation
import ProviderTesting
import Providers
import SQLiteCore
import Testing

@Suite struct `The corpora of providers` {
  /// A provider with its own source.
  final class Sources {
    let candidate: Candidate
    private let folder: TemporaryFolder
    private var providers: [any DataProvider] = []

    init(_ candidate: Candidate) throws {
      self.candidate = candidate
      folder = try TemporaryFolder()
    }

    deinit { for provider in providers { try? provider.closeSource(discardingChanges: true) } }

    private func provider() -> any DataProvider {
      let provider = candidate.make(folder.directories)
      providers.append(provider)
      return provider
    }

    func opened(_ name: String = "t") throws -> any DataProvider {
      let provider = provider()
      if candidate.capabilities.contains(.files) {
        try provider.openSource("\(name).\(candidate.fileExtension)")
      } else {
        try provider.createSourceInMemory()
      }
      return provider
    }

    func reopened(_ provider: any DataProvider, _ name: String = "t") throws -> any DataProvider {
      guard candidate.capabilities.contains(.files) else { return provider }
      try provider.closeSource()
      return try opened(name)
    }
  }

  // MARK: Queries

  struct Query: Decodable {
    let id: String
    let fixture: String
    let sql: String
    let sqlite: ProviderCorpora.Answer
    let verdict: String
  }

  @Test(arguments: Candidates.tried)
  func `have queries with the same rows as in SQLite`(_ candidate: Candidate) throws {
    guard let queries = try ProviderCorpora.lines("sql_select.jsonl", as: Query.self) else {
      return
    }
    let fixture = try #require(ProviderCorpora.text("sql_fixture_parts.sql"))
    let sources = try Sources(candidate)
    let first = try sources.opened()
    try first.execute(SQL(unsafe: fixture))
    try check(queries, on: first, "\(candidate)")
    guard candidate.capabilities.contains(.severalTables) else { return }
    // The last inserted row of a file is unknown.
    let again = try sources.reopened(first)
    try check(
      queries.filter { !$0.sql.contains("last_insert_rowid") }, on: again,
      "\(candidate), opened again")
  }

  private func check(
    _ queries: [Query], on provider: any DataProvider, _ subject: String
  ) throws {
    for query in queries {
      #expect(query.fixture == "parts")
      let records: RecordSet
      do {
        records = try provider.query(SQL(unsafe: query.sql))
      } catch {
        #expect(query.sqlite.error != nil, "\(subject), \(query.id): \(query.sql): \(error)")
        continue
      }
      guard query.sqlite.error == nil, let columns = query.sqlite.columns,
        let expected = query.sqlite.rows
      else {
        Issue.record("\(subject), \(query.id): \(query.sql) is not an error")
        continue
      }
      #expect(records.columns == columns, "\(subject), \(query.id): \(query.sql)")
      // The query plan, and the row that represents a group, depend on SQLite's version.
      let isFree = query.sql.hasPrefix("EXPLAIN") || query.verdict == "ARBITRARY_BARE_COLUMN"
      guard !isFree else { continue }
      let rows = records.map(\.values)
      let expectedRows = expected.map { $0.map(\.value) }
      if query.verdict.hasSuffix("unordered") {
        #expect(
          rows.map(\.description).sorted() == expectedRows.map(\.description).sorted(),
          "\(subject), \(query.id): \(query.sql)")
      } else {
        #expect(rows == expectedRows, "\(subject), \(query.id): \(query.sql)")
      }
    }
  }

  // MARK: Scripts

  struct Script: Decodable {
    let id: String
    let sqlite: [ProviderCorpora.Answer]
    let steps: [String]
  }

  @Test(arguments: Candidates.tried)
  func `have scripts with the same effect as in SQLite`(_ candidate: Candidate) throws {
    guard let scripts = try ProviderCorpora.lines("sql_script.jsonl", as: Script.self) else {
      return
    }
    for script in scripts {
      let sources = try Sources(candidate)
      let provider = try sources.opened()
      for (step, answer) in zip(script.steps, script.sqlite) {
        let place = "\(candidate), \(script.id): \(step)"
        let sql = String(step.dropFirst(2))
        do {
          if step.hasPrefix("q:") {
            let records = try provider.query(SQL(unsafe: sql))
            #expect(records.columns == answer.columns, "\(place)")
            #expect(records.map(\.values) == answer.rows?.map { $0.map(\.value) }, "\(place)")
          } else {
            let result = try provider.execute(SQL(unsafe: sql))
            let counts = ["UPDATE", "DELETE"].contains { sql.uppercased().hasPrefix($0) }
            if counts { #expect(result == answer.changes, "\(place)") }
          }
          #expect(answer.error == nil, "\(place)")
        } catch {
          #expect(answer.error != nil, "\(place): \(error)")
        }
      }
    }
  }

  // MARK: Texts

  struct Stored: Decodable {
    let stored_string: String
    let expected: TypedValue
  }

  @Test(arguments: Candidates.tried)
  func `have texts that are preserved`(_ candidate: Candidate) throws {
    guard
      let lines = try ProviderCorpora.lines(
        "sponprovider_string_column.jsonl", as: Stored.self)
    else { return }
    for line in lines {
      let sources = try Sources(candidate)
      let provider = try sources.opened()
      try provider.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, n TEXT)")
      try provider.execute(
        "INSERT INTO t VALUES (1, ?, 'x')", withParameters: [line.stored_string])
      let again = try sources.reopened(provider)
      #expect(
        try again.query("SELECT s FROM t").map(\.values) == [[line.expected.value]],
        "\(candidate): \(line.stored_string)")
    }
    // All strings together.
    let sources = try Sources(candidate)
    let provider = try sources.opened()
    try provider.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)")
    for line in lines {
      try provider.execute("INSERT INTO t (s) VALUES (?)", withParameters: [line.stored_string])
    }
    let again = try sources.reopened(provider)
    #expect(
      try again.query("SELECT s FROM t").map(\.values) == lines.map { [$0.expected.value] },
      "\(candidate)")
  }
}

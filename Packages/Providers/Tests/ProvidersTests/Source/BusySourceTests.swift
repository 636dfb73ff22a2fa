import Foundation
import Providers
import SQLiteCore
import Primitives
import Testing

/// Tasks that write, stream rows, persist, save and close concurrently.
@Suite struct `A source that many tasks use concurrently` {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let makers: [(String, @Sendable () -> any DataProvider)] = [
    ("json", { JSONProvider() }), ("db", { SQLiteProvider() }), ("csv", { CSVProvider() }),
  ]

  private final class Tally: Sendable {
    let written = Mutex(3)
    let refused = Mutex<[String]>([])
  }

  private func count(_ provider: any DataProvider, _ path: String) throws -> Int {
    try provider.openSource(atPath: path)
    defer { try? provider.closeSource() }
    return try provider.countRows(inTable: provider.tableNames()[0])
  }

  @Test(.timeLimit(.minutes(10)), arguments: 0..<3)
  func `contains all successful writes at the end`(_ index: Int) async throws {
    let (name, make) = Self.makers[index]
    let provider = make()
    let path = "\(folder.path)/t.\(name)"
    try await provider.openSource(atPath: path)
    try await provider.execute("CREATE TABLE t (a)")
    try await provider.execute("INSERT INTO t VALUES (0), (0), (0)")
    let tally = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          for round in 0..<25 {
            do {
              switch round % 5 {
              case 0:
                try await provider.transaction { transaction in
                  try transaction.execute("INSERT INTO t VALUES (1)")
                  try transaction.execute("INSERT INTO t VALUES (2)")
                }
                tally.written.withLock { $0 += 2 }
              case 1:
                var count = 0
                for try await _ in try provider.records("SELECT * FROM t") {
                  count += 1
                  if count > 20 { break }
                }
              case 2: try await provider.persist()
              default:
                try await provider.execute("INSERT INTO t VALUES (3)")
                tally.written.withLock { $0 += 1 }
              }
            } catch let error as ProviderError where error.code == .notOpen {
              return
            } catch let error as SQLiteError where error.code == .closed {
              return
            } catch {
              tally.refused.withLock { $0.append("\(error)") }
            }
          }
        }
      }
      group.addTask {
        try await Task.sleep(for: .milliseconds(15))
        try await provider.closeSource()
      }
      try await group.waitForAll()
    }
    if provider.isOpen { try await provider.closeSource() }
    #expect(tally.refused.withLock(\.self) == [])
    #expect(try count(make(), path) == tally.written.withLock(\.self))
  }

  @Test(.timeLimit(.minutes(10)))
  func `can be closed while rows are streamed`() async throws {
    let provider = JSONProvider()
    let path = "\(folder.path)/t.json"
    try await provider.openSource(atPath: path)
    try await provider.execute(
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i FROM n
      """)
    var iterator: Database.RowStream<Record>.AsyncIterator? = try provider.records(
      "SELECT * FROM t"
    )
    .makeAsyncIterator()
    #expect(try await iterator?.next() != nil)
    let closing = Task.detached { try await provider.closeSource() }
    try await Task.sleep(for: .milliseconds(20))
    iterator = nil
    try await closing.value
    #expect(!provider.isOpen)
    #expect(try count(JSONProvider(), path) == 5_000)
  }

  @Test(.timeLimit(.minutes(10)))
  func `is not written by tasks that were cancelled while waiting`() async throws {
    let provider = JSONProvider()
    try await provider.openSource(atPath: "\(folder.path)/t.json")
    try await provider.execute("CREATE TABLE t (a)")
    let tasks = (0..<40).map { number in
      Task.detached {
        try await provider.execute("INSERT INTO t VALUES (?)", withParameters: [number])
      }
    }
    for task in tasks where Bool.random() { task.cancel() }
    var count = 0
    for task in tasks {
      do {
        _ = try await task.value
        count += 1
      } catch is CancellationError {
      }
    }
    #expect(try await provider.query("SELECT count(*) FROM t")[0][0] == .integer(Int64(count)))
    try await provider.closeSource()
    #expect(try self.count(JSONProvider(), "\(folder.path)/t.json") == count || count == 0)
  }
}

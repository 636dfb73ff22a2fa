import Foundation
import SQLiteCore
import Testing

@Suite struct `A process that is killed while it writes` {
  static let seed: UInt64 = 3_401_003

  /// A child process records each commit in a file after the commit has returned, and is killed at
  /// a random time. All recorded commits must exist, and at most one more.
  @Test func `loses no acknowledged commit`() async throws {
    let rounds = FaultEffort.isFull ? 200 : 10
    var random = SeededGenerator(seed: Self.seed)
    let delays = (0..<rounds).map { _ in Int.random(in: 0..<60_000, using: &random) }
    let total = Shared(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (round, delay) in delays.enumerated() {
        if round >= 2 { try await group.next() }
        group.addTask { [self] in
          let count = try await killed(after: .microseconds(delay), round: round)
          total.update { $0 += count }
        }
      }
      try await group.waitForAll()
    }
    print(
      """
      killed processes, seed \(Self.seed): \(rounds), \
      \(total.value) acknowledged commits checked, lost: 0
      """)
  }

  /// - Returns: The number of commits that the child acknowledged.
  private func killed(after delay: Duration, round: Int) async throws -> Int {
    let directory = try TemporaryDirectory()
    let path = directory.file()
    let journal = round % 3 == 2 ? "DELETE" : "WAL"
    kill(after: delay, childNamedIn: path + ".pid")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, journal = journal as String] in
      try Self.write(to: path, journal: journal)
    }
    let output = try? String(contentsOfFile: path + ".done", encoding: .utf8)
    let acknowledged = output?.filter { $0 == "\n" }.count ?? 0
    let db = try directory.connect { $0.journalMode = .init(rawValue: journal) ?? .wal }
    #expect(try db.values(String.self, "PRAGMA integrity_check") == ["ok"])
    guard try db.table("t") != nil else {
      #expect(acknowledged == 0)
      return 0
    }
    let counts = try db.values(Int.self, "SELECT count(*) FROM t GROUP BY number ORDER BY number")
    #expect(counts == counts.indices.map { Self.rowCount(of: $0 + 1) })
    #expect((acknowledged...acknowledged + 1).contains(counts.count))
    return acknowledged
  }

  private static func rowCount(of number: Int) -> Int { number % 7 + 1 }

  /// Kills the child from a separate thread, which does not wait for other tests.
  private func kill(after delay: Duration, childNamedIn file: String) {
    Thread.detachNewThread {
      let end = ContinuousClock.now + .seconds(60)
      while !FileManager.default.fileExists(atPath: file), .now < end { usleep(1_000) }
      usleep(useconds_t(delay / .microseconds(1)))
      let text = try? String(contentsOfFile: file, encoding: .utf8)
      guard let child = text.flatMap({ pid_t($0) }), child > 1 else { return }
      Foundation.kill(child, SIGKILL)
    }
  }

  /// Writes until the process is killed, at most for ten seconds.
  private static func write(to path: String, journal: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .init(rawValue: journal) ?? .wal
    let db = try Connection(path: path, configuration: configuration)
    try db.execute("CREATE TABLE t (number INTEGER, data BLOB)")
    let done = try #require(
      FileManager.default.createFile(atPath: path + ".done", contents: nil)
        ? FileHandle(forWritingAtPath: path + ".done") : nil)
    try "\(getpid())".write(toFile: path + ".pid", atomically: true, encoding: .utf8)
    let end = ContinuousClock.now + .seconds(10)
    var number = 0
    while .now < end {
      number += 1
      try db.transaction {
        for row in 0..<rowCount(of: number) {
          try db.savepoint {
            let data = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: row * 400)
            try db.run("INSERT INTO t VALUES (?, ?)", number, data)
          }
        }
      }
      try done.write(contentsOf: Data("\n".utf8))
    }
  }
}

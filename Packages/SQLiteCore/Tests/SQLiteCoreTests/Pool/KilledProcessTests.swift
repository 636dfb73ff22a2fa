import Foundation
import SQLiteCore
import Testing

@Suite struct `A process that is killed` {
  /// Each commit inserts two rows with the same number, which is then acknowledged in a file.
  @Test(arguments: [0, 1, 7, 23])
  func `loses no acknowledged commit, and leaves no partial transaction`(
    _ commits: Int
  ) async throws {
    let directory = try TemporaryDirectory()
    try directory.connect().execute("CREATE TABLE t (a)")
    let path = directory.file()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, commits = commits as Int] in
      let database = try Database(path: path)
      for number in 0... {
        try await database.write { db in
          try db.run("INSERT INTO t VALUES (?)", number)
          if number == commits { kill(getpid(), SIGKILL) }
          try db.run("INSERT INTO t VALUES (?)", number)
        }
        try "\(number)".write(toFile: path + ".seen", atomically: true, encoding: .utf8)
      }
    }
    let seen = try? String(contentsOfFile: path + ".seen", encoding: .utf8)
    #expect(seen == (commits == 0 ? nil : "\(commits - 1)"))
    let db = try directory.connect()
    #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok")
    #expect(
      try db.rows("SELECT a, count(*) FROM t GROUP BY a")
        == (0..<commits).map { [.integer(Int64($0)), 2] })
  }
}

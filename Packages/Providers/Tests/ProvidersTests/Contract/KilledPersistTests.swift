import Foundation
import ProviderTesting
import Providers
import SQLiteCore
import Testing

/// A process that is killed while persisting leaves the old or the new file.
@Suite struct `A process that is killed while it persists` {
  static let seed: UInt64 = 3_401_021
  static let rowCount = 400

  @Test func `leaves the old file or the new one, and no lock`() async throws {
    let rounds = Reliability.isFull ? 200 : 3
    var random = SeededRandom(seed: Self.seed)
    let delays = (0..<rounds).map { _ in random.below(40_000) }
    var versions: [Int] = []
    try await withThrowingTaskGroup(of: Int.self) { group in
      for (round, delay) in delays.enumerated() {
        if round >= 2, let version = try await group.next() { versions.append(version) }
        group.addTask { [self] in
          try await killed(after: delay, kind: Self.kinds[round % Self.kinds.count])
        }
      }
      for try await version in group { versions.append(version) }
    }
    print(
      """
      killed while persisting, seed \(Self.seed): \(rounds), \
      \(versions.reduce(0, +)) files written before, torn: 0
      """)
  }

  /// The formats of the files, by extension.
  static let kinds = ["sql", "json", "spon"]

  static func provider(_ kind: String, _ directories: SourceSession.Directories) -> any DataProvider
  {
    let candidate = Candidates.files.first { $0.fileExtension == kind } ?? Candidates.dump
    return candidate.make(directories)
  }

  /// - Returns: The number of versions that the child process had written.
  private func killed(after delay: Int, kind: String) async throws -> Int {
    let folder = try TemporaryFolder()
    let path = folder.path
    try Self.makeFile(kind, folder.directories)
    kill(after: delay, childNamedIn: "\(path)/pid")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, kind = kind as String] in
      try Self.write(kind, in: path)
    }
    return try Self.check(kind, folder)
  }

  /// - Returns: The version in the file.
  private static func check(_ kind: String, _ folder: TemporaryFolder) throws -> Int {
    let provider = provider(kind, folder.directories)
    try provider.openSource("t.\(kind)")
    let versions = try provider.query("SELECT n, count(*) FROM t GROUP BY n").map(\.values)
    #expect(versions.count == 1, "\(kind): the file contains several versions: \(versions)")
    #expect(versions.first?.last == .integer(Int64(rowCount)), "\(kind): rows are missing")
    #expect(try provider.tableNames() == ["t"])
    guard case .integer(let version)? = versions.first?.first else { return 0 }
    let acknowledged = try? String(contentsOfFile: "\(folder.path)/done", encoding: .utf8)
    let count = acknowledged?.filter { $0 == "\n" }.count ?? 0
    #expect((count...count + 1).contains(Int(version)), "\(kind): \(count) were acknowledged")
    // The remains of the killed process have no effect.
    try provider.execute("UPDATE t SET n = -1")
    try provider.closeSource()
    #expect(try folder.names(in: "documents") == ["t.\(kind)"])
    try provider.openSource("t.\(kind)", readOnly: true)
    #expect(try provider.countRows(inTable: "t", filteredBy: "n = -1") == rowCount)
    try provider.closeSource()
    return Int(version)
  }

  private static func makeFile(_ kind: String, _ directories: SourceSession.Directories) throws {
    let provider = provider(kind, directories)
    try provider.openSource("t.\(kind)")
    try provider.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, s TEXT)")
    try provider.execute(
      """
      WITH RECURSIVE i (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM i WHERE id < \(rowCount))
      INSERT INTO t SELECT id, 0, 'a text of some length, ' || id || ', to fill pages with' FROM i
      """)
    try provider.closeSource()
  }

  /// Runs on a separate thread, which does not wait for others.
  private func kill(after delay: Int, childNamedIn file: String) {
    Thread.detachNewThread {
      let end = ContinuousClock.now + .seconds(60)
      while !FileManager.default.fileExists(atPath: file), .now < end { usleep(1_000) }
      usleep(useconds_t(delay))
      let text = try? String(contentsOfFile: file, encoding: .utf8)
      guard let child = text.flatMap({ pid_t($0) }), child > 1 else { return }
      Foundation.kill(child, SIGKILL)
    }
  }

  /// Persists one version after another until the process is killed, or until a timeout.
  private static func write(_ kind: String, in path: String) throws {
    let provider = provider(
      kind, SourceSession.Directories(documents: "\(path)/documents", bundle: "\(path)/bundle"))
    try provider.openSource("t.\(kind)")
    let done = try #require(
      FileManager.default.createFile(atPath: "\(path)/done", contents: nil)
        ? FileHandle(forWritingAtPath: "\(path)/done") : nil)
    try "\(getpid())".write(toFile: "\(path)/pid", atomically: true, encoding: .utf8)
    let end = ContinuousClock.now + .seconds(10)
    while .now < end {
      try provider.execute("UPDATE t SET n = n + 1")
      try provider.persist()
      try done.write(contentsOf: Data("\n".utf8))
    }
  }
}

import Foundation
import Providers
import SQLiteCore
import Primitives
import Testing

/// Opening, writing and closing a source during reads and writes.
@Suite struct `A source that is in use` {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func openLines(_ name: String = "file.lines") throws -> LineProvider {
    let provider = LineProvider(LineFormat(), folder.directories)
    try provider.openSource(atPath: "\(folder.path)/\(name)")
    return provider
  }

  private func insertRow(_ provider: some DataProvider) throws {
    try provider.execute("INSERT INTO t VALUES (1)")
  }

  // MARK: Writes that are reported as successful

  @Test(arguments: ["close", "open", "create in memory"])
  func `contains all earlier writes when closed, and no later ones`(_ deed: String) throws {
    for round in 0..<5 {
      let provider = try openLines("\(round).lines")
      // Enough rows that writing them takes a while.
      try provider.execute(
        """
        CREATE TABLE t (a);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO t SELECT i FROM n
        """)
      let writer = Writer { try insertRow(provider) }
      writer.wait(for: 5)
      switch deed {
      case "open": try provider.openSource(atPath: "\(folder.path)/other.lines")
      case "create in memory": try provider.createSourceInMemory()
      default: try provider.closeSource()
      }
      let error = writer.end()
      if deed == "close" { #expect((error as? ProviderError)?.code == .notOpen) }
      let text = try folder.text(of: "\(round).lines")
      #expect(text.split(separator: "\n").count == 1000 + writer.count)
      try provider.closeSource(discardingChanges: true)
    }
  }

  @Test func `contains the tasks' successful writes when closed`() async throws {
    let provider = try openLines()
    try await provider.execute("CREATE TABLE t (a)")
    let written = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask {
          do {
            try await provider.execute("INSERT INTO t VALUES (1)")
            return 1
          } catch let error as ProviderError where error.code == .notOpen {
            return 0
          }
        }
      }
      group.addTask {
        try await provider.closeSource()
        return 0
      }
      return try await group.reduce(0, +)
    }
    let text = try folder.text(of: "file.lines")
    #expect(text.split(separator: "\n").count == written)
  }

  @Test func `contains all writes in the file that it is saved to`() throws {
    let provider = SQLiteProvider(directories: folder.directories)
    try provider.openSource(atPath: "\(folder.path)/first.db")
    try provider.execute("CREATE TABLE t (a)")
    let writer = Writer { try insertRow(provider) }
    writer.wait(for: 5)
    for name in 0..<5 {
      try provider.saveSource(atPath: "\(folder.path)/\(name).db")
      writer.wait(for: writer.count + 2)
    }
    #expect(writer.end() == nil)
    #expect(try provider.countRows(inTable: "t") == writer.count)
  }

  // MARK: Operations that would wait for themselves

  /// All operations that wait for the database while blocking others.
  private static let deeds: [@Sendable (any DataProvider, TemporaryFolder) throws -> Void] = [
    { provider, _ in try provider.beginTransaction() },
    { provider, _ in try provider.execute("BEGIN") },
    { provider, _ in try provider.persist() },
    { provider, _ in try provider.closeSource() },
    { provider, folder in try provider.openSource(atPath: "\(folder.path)/other") },
    { provider, folder in try provider.saveSource(atPath: "\(folder.path)/other") },
    { provider, folder in try provider.deleteSource(atPath: "\(folder.path)/other") },
  ]

  @Test(.timeLimit(.minutes(10)))
  func `can't be closed or written inside an access`() throws {
    for deed in Self.deeds {
      let provider = try openLines()
      try provider.execute("CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)")
      let isInside = DispatchSemaphore(value: 0)
      let isOver = DispatchSemaphore(value: 0)
      let folder = folder
      let outside = Writer {
        isInside.wait()
        try provider.beginTransaction()
        try provider.rollbackTransaction()
        throw CancellationError()
      }
      let inside = Writer {
        defer { isOver.signal() }
        try provider.write { _ in
          isInside.signal()
          // The other task waits now; the rule also holds if it does not yet.
          usleep(2_000)
          try deed(provider, folder)
        }
      }
      #expect(isOver.wait(timeout: .now() + 10) == .success)
      #expect((inside.end() as? SQLiteError)?.code == .nestedAccess)
      #expect(outside.end() is CancellationError)
      try provider.closeSource(discardingChanges: true)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `can't be closed or written by a task that streams its rows`() async throws {
    let provider = LineProvider(LineFormat(), folder.directories)
    try await provider.openSource(atPath: "\(folder.path)/file.lines")
    try await provider.execute(
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO t SELECT i FROM n
      """)
    let path = "\(folder.path)/other.lines"
    let deeds: [@Sendable () async throws -> Void] = [
      { try await provider.execute("BEGIN") },
      { try await provider.persist() },
      { try await provider.closeSource() },
      { try await provider.openSource(atPath: path) },
      { try await provider.saveSource(atPath: path) },
      { try await DataTransfer().copy(from: provider, to: SQLiteProvider()) },
    ]
    for deed in deeds {
      for try await _ in try provider.records("SELECT * FROM t") {
        let error = await #expect(throws: SQLiteError.self) { try await deed() }
        #expect(error?.code == .nestedAccess)
        break
      }
    }
    try await provider.closeSource()
  }
}

/// A thread that repeats an operation until it fails or is ended.
private final class Writer: Sendable {
  private struct State {
    var count = 0
    var isToEnd = false
    var error: (any Error)?
  }

  private let state = Mutex(State())
  private let isOver = DispatchSemaphore(value: 0)

  init(_ deed: @escaping @Sendable () throws -> Void) {
    Thread.detachNewThread { [self] in
      repeat {
        do {
          try deed()
          state.withLock { $0.count += 1 }
        } catch {
          state.withLock { $0.error = error }
          break
        }
      } while !state.withLock(\.isToEnd)
      isOver.signal()
    }
  }

  /// The number of repetitions.
  var count: Int { state.withLock(\.count) }

  /// Waits for a number of repetitions.
  func wait(for count: Int) {
    while state.withLock({ $0.count < count && $0.error == nil }) { usleep(100) }
  }

  /// Waits for the end, and returns the error.
  func end() -> (any Error)? {
    state.withLock { $0.isToEnd = true }
    isOver.wait()
    return state.withLock(\.error)
  }
}

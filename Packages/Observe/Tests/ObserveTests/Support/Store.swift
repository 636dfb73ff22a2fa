import Foundation
import SQLiteCore
import Testing

@testable import Observe

/// The storage of a test's database. Every rule applies to files and to in-memory databases.
enum Store: String, CaseIterable, Sendable {
  case file, memory
}

/// Runs `body` with the path of a new folder, which is removed afterwards with its contents.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("observe-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}

/// Runs `body` with a new database, which is closed and removed afterwards.
func withDatabase<Result>(
  _ store: Store, _ schema: String, _ body: (Database) async throws -> Result
) async throws -> Result {
  try await withFolder { folder in
    let database =
      switch store {
      case .file: try Database(path: "\(folder)/test.sqlite")
      case .memory: try Database.inMemory()
      }
    defer { database.close() }
    try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: schema)) }
    return try await body(database)
  }
}

extension Database {
  /// Runs a script, without a transaction except its own.
  func run(_ script: String) async throws {
    try await writeWithoutTransaction { try $0.execute(SQL(unsafe: script)) }
  }

  /// Runs `body` on the writer, and returns its commits, merged; `nil` if none were reported.
  func recording(
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) async throws -> ChangeSet? {
    try await startObserving()
    let hub = ChangeHub.of(self)
    let before = try #require(hub.position)
    var iterator = changes().makeAsyncIterator()
    try await writeWithoutTransaction { try body($0) }
    let after = try #require(hub.position)
    if after == before { return nil }
    var all = try #require(try await iterator.next())
    while all.sequence < after { all.merge(try #require(try await iterator.next())) }
    return all
  }

  func recording(_ script: String) async throws -> ChangeSet? {
    try await recording { try $0.execute(SQL(unsafe: script)) }
  }
}

/// A generator with the same numbers in each run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

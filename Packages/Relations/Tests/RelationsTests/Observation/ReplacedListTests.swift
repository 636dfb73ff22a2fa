import Observe
import SQLiteCore
import Primitives
import Testing

@testable import Relations

/// A list that is replaced by another one on request, and is not referenced afterwards.
private final class ReplacedList: Sendable {
  private let former = Mutex<ManyRelation<Tune>?>(nil)
  let list = ManyRelation<Tune>()

  func hold(_ list: ManyRelation<Tune>) { former.withLock { $0 = list } }

  /// - Returns: Whether the list was replaced by this call.
  @discardableResult
  func replace() -> Bool {
    let former = former.withLock { former -> ManyRelation<Tune>? in
      defer { former = nil }
      return former
    }
    guard let former else { return false }
    list.adoptState(former)
    return true
  }
}

@Suite struct `A list that replaces another list` {
  /// Calls `body` with a list of two songs that is fetched and follows commits, and is replaced when it is next read.
  private func withList(
    _ body: (ModelSession, ReplacedList, ReadingFlag) async throws -> Void
  ) async throws {
    let replaced = ReplacedList()
    let isReading = ReadingFlag()
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.hooks.trace { event in
        guard isReading.value.load(ordering: .relaxed), case .statement(let sql, _) = event,
          sql.hasPrefix("SELECT") || sql.hasPrefix("WITH"), sql.contains("Playlist_songs")
        else { return }
        replaced.replace()
      }
    }
    let session = ModelSession(try Database(.memory, configuration: configuration))
    try await session.use {
      try await session.prepare(Playlist.Value.self)
      try await session.database.write { connection in
        try connection.execute(
          """
          INSERT INTO Tune VALUES (1, 'one'), (2, 'two'), (3, 'three');
          INSERT INTO Playlist VALUES (7, 'mine');
          INSERT INTO Playlist_songs VALUES (7, 10, 1), (7, 20, 2);
          """)
      }
      replaced.hold(try await fetched(session))
      try await body(session, replaced, isReading)
    }
  }

  private func fetched(_ session: ModelSession) async throws -> ManyRelation<Tune> {
    let list = try #require(try await session.fetchAll(Playlist.Value.self).first).songs
    try await list.fetch()
    return list
  }

  @Test(arguments: [false, true])
  func `receives the commits that were being read for the replaced list`(
    _ isRead: Bool
  ) async throws {
    try await withList { session, replaced, isReading in
      isReading.value.store(isRead, ordering: .relaxed)
      if !isRead { replaced.replace() }
      try await session.database.write { connection in
        try connection.execute("DELETE FROM Playlist_songs WHERE target = 1")
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(!replaced.replace())
      #expect(replaced.list.items.map(\.id) == [2])
    }
  }
}

private final class ReadingFlag: Sendable { let value = Atomic<Bool>(false) }

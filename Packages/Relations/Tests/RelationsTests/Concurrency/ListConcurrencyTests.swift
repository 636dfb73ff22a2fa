import Observe
import SQLiteCore
import Testing

@testable import Relations

/// What several tasks of one actor do with a list at the same time.
@MainActor @Suite struct `Lists that several tasks use` {
  @Test func `fetch one page for each request`() async throws {
    try await withPlaylist(of: 9) { session, list in
      async let first: Void = list.songs.fetch()
      async let second: Void = list.songs.fetch()
      async let third: Void = list.songs.fetch()
      _ = try await (first, second, third)
      #expect(list.shown == [1, 2, 3, 4, 5, 6, 7, 8])
      #expect(list.songs.hasMore)
      async let fourth: Void = list.songs.fetch()
      async let fifth: Void = list.songs.reload()
      async let sixth: Void = list.songs.fetch()
      _ = try await (fourth, fifth, sixth)
      #expect(list.shown == [1, 2, 3, 4, 5, 6, 7, 8, 9])
      #expect(!list.songs.hasMore)
    }
  }

  @Test func `show a row appended behind one that was inserted and saved`() async throws {
    try await withPlaylist(of: 0) { session, list in
      try await list.songs.fetch()
      list.songs.insert([Tune(id: 1)], at: 0)
      try await save(list, in: session) { list.songs.with { $0.life.arrived != nil } }
      #expect(!list.songs.hasMore)
      list.songs.append([Tune(id: 2)])
      #expect(list.shown == [1, 2])
      try await session.save(list)
      #expect(list.shown == [1, 2])
      try await list.songs.fetch()
      #expect(list.shown == [1, 2])
      #expect(!list.songs.hasMore)
    }
  }

  @Test func `do not show rows again that a save has removed since they were read`() async throws {
    try await withPlaylist(of: 4) { session, list in
      try await list.songs.fetch()
      list.songs.remove(at: 1)
      let read = Gate()
      let loading = Task {
        try await list.songs.reload()
        read.open()
      }
      while !read.isOpen, !(list.songs.with { $0.schedule.running != nil }) { await Task.yield() }
      try await session.save(list)
      #expect(list.shown == [1, 3, 4])
      try await loading.value
      #expect(list.shown == [1, 3, 4])
    }
  }

  /// Saves a list, and has the task go on after `isHeard` only.
  private func save(
    _ list: Playlist, in session: ModelSession, until isHeard: () -> Bool
  ) async throws {
    let (isWriting, mayCommit) = (Gate(), Gate())
    let saving = Task {
      try await session.write(saving: [list]) { _ in
        isWriting.open()
        mayCommit.block()
      }
    }
    await isWriting.wait()
    // The task can't go on before this one suspends.
    mayCommit.open()
    while !isHeard() {}
    try await saving.value
  }
}

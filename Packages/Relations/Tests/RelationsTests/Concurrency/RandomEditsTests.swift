import Foundation
import Observe
import SQLiteCore
import Testing

@testable import Relations

/// Random calls of several tasks of one actor. `HOLT_MODEL=all` takes 10,000 steps for each seed.
@MainActor @Suite(.serialized) struct `Lists changed at random by several tasks` {
  private nonisolated static let isFull =
    ProcessInfo.processInfo.environment["HOLT_MODEL"] == "all"
  private nonisolated static let seeds: [UInt64] = (0..<(isFull ? 8 : 3)).map { 20_261_123 + $0 }

  @Test(arguments: seeds)
  func `behave as if the calls were sequential`(seed: UInt64) async throws {
    let steps = Self.isFull ? 10_000 : 300
    print("Lists: seed \(seed), \(steps) steps")
    var random = ModelRandom(seed: seed)
    // Each list has a limited number of steps, since its number of songs is limited.
    for round in 0..<(steps / 100) {
      let count = Int.random(in: 0...9, using: &random)
      let seed = random.next()
      let failures = try await withPlaylist(of: count) { session, list in
        let run = EditedList(list, session, count: count)
        let tasks = (0..<3).map { task in
          Task { await run.steps(34, random: ModelRandom(seed: seed &+ UInt64(task))) }
        }
        for task in tasks { await task.value }
        try await run.finish()
        return run.failures.isEmpty ? [] : run.failures + run.log.suffix(30)
      }
      guard failures.isEmpty else {
        Issue.record("seed \(seed), round \(round): \(failures.joined(separator: "\n"))")
        return
      }
    }
  }
}

/// A list of distinct songs, and an array that is changed in the same way.
@MainActor private final class EditedList {
  private let list: Playlist
  private let session: ModelSession
  /// All songs, whether they are fetched or saved.
  private var wanted: [Int]
  /// The songs that the actor last read, with its edits since.
  private var seen: [Int] = []
  private var last = 100
  private(set) var failures: [String] = []
  private(set) var log: [String] = []

  init(_ list: Playlist, _ session: ModelSession, count: Int) {
    self.list = list
    self.session = session
    wanted = Array(1..<(count + 1))
  }

  func steps(_ count: Int, random: ModelRandom) async {
    var random = random
    for _ in 0..<count where failures.isEmpty {
      do {
        try await step(&random)
      } catch {
        failures.append("\(error)")
      }
    }
  }

  private func step(_ random: inout ModelRandom) async throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1:
      log.append("fetches")
      try await list.songs.fetch()
      log.append("has fetched")
    case 2:
      log.append("reloads")
      try await list.songs.reload()
      log.append("has reloaded")
    case 3, 4, 5:
      log.append("saves")
      try await session.save(list)
      log.append("has saved")
    case 6:
      let task = Task { try await session.save(list) }
      for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
      edit(&random)
      try await task.value
    case 7:
      log.append("fetches all")
      try await [list].fetchAll(\.songs)
      log.append("has fetched all")
    case 8: await session.database.waitUntilIdle(includingConsumers: true)
    case 9, 10: look()
    default: edit(&random)
    }
    for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
  }

  private func look() {
    seen = list.shown
    log.append("sees \(seen)")
    if !wanted.contains(inOrder: seen) {
      failures.append("it shows \(seen), and is \(wanted)")
    }
  }

  private func edit(_ random: inout ModelRandom) {
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let song = new()
      list.songs.append([Tune(id: song)])
      wanted.append(song)
      // The next read determines whether the song is shown.
      log.append("appends \(song)")
      look()
    case 1, 2:
      let song = new()
      let index = Int.random(in: 0...seen.count, using: &random)
      log.append("inserts \(song) at \(index)")
      list.songs.insert([Tune(id: song)], at: index)
      put(song, behind: index > 0 ? seen[index - 1] : nil)
      seen.insert(song, at: index)
    case 3 where !seen.isEmpty:
      let index = Int.random(in: seen.indices, using: &random)
      log.append("removes \(seen[index])")
      list.songs.remove(at: index)
      wanted.removeAll { $0 == seen[index] }
      seen.remove(at: index)
    default:
      guard !seen.isEmpty else { return }
      let from = Int.random(in: seen.indices, using: &random)
      let to = Int.random(in: seen.indices, using: &random)
      log.append("moves \(seen[from]) to \(to)")
      list.songs.move(from: from, to: to)
      let song = seen.remove(at: from)
      wanted.removeAll { $0 == song }
      put(song, behind: to > 0 ? seen[to - 1] : nil)
      seen.insert(song, at: to)
    }
  }

  private func put(_ song: Int, behind other: Int?) {
    let place = other.flatMap { wanted.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    wanted.insert(song, at: place)
  }

  private func new() -> Int {
    last += 1
    return last
  }

  /// Saves and fetches everything.
  func finish() async throws {
    if !failures.isEmpty { return }
    look()
    try await session.save(list)
    let stored = try await session.storedSongs()
    if stored != wanted { failures.append("it is stored as \(stored), and is \(wanted)") }
    await session.database.waitUntilIdle(includingConsumers: true)
    look()
    repeat { try await list.songs.fetch() } while list.songs.hasMore
    look()
    if seen != wanted { failures.append("all of it is \(seen), and should be \(wanted)") }
  }
}

extension [Int] {
  /// Returns whether the songs occur in the list, in the same order.
  fileprivate func contains(inOrder others: [Int]) -> Bool {
    var left = others[...]
    for key in self where key == left.first { left.removeFirst() }
    return left.isEmpty
  }
}

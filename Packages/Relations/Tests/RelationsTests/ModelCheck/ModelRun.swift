import Observe
import Relations
import SQLiteCore

/// A run of random steps in two sessions of one file.
final class ModelRun {
  /// One of the sessions, with its unsaved changes.
  final class Editor {
    var session: ModelSession
    /// Instances that are retained, so that they exist when the other session changes their rows.
    var held: [any Model] = []
    /// Songs with unsaved titles.
    var pending: [Pending] = []

    struct Pending {
      let song: Song
      let id: Int
      let title: String
    }

    init(_ session: ModelSession) { self.session = session }
  }

  let file: TemporaryFile
  let editors: [Editor]
  var graph = Graph()
  var random: ModelRandom
  var differences: [String] = []
  var log: [String] = []
  /// The greatest key that any song has had.
  var lastSong = 0
  private var count = 0

  init(seed: UInt64) throws {
    random = ModelRandom(seed: seed)
    file = try TemporaryFile()
    editors = [
      Editor(ModelSession(try file.open())), Editor(ModelSession(try file.open())),
    ]
  }

  func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  /// Returns a random key. Keys are sorted first, since the order of a dictionary varies between
  /// runs.
  func disc() -> AutoId? { graph.discs.keys.sorted().randomElement(using: &random) }
  func song() -> Int? { graph.songs.keys.sorted().randomElement(using: &random) }
  func label() -> AutoId? { graph.labels.keys.sorted().randomElement(using: &random) }

  func name() -> String {
    count += 1
    return "\(count)"
  }

  func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { differences.append(what()) }
  }

  /// Logs a step, using names that are the same in every run.
  func note(_ editor: Editor, _ what: String) {
    log.append("\(editor === editors[0] ? "A" : "B") \(what)")
  }

  func step() async throws {
    let editor = editors[chance(2)]
    // Limits the graph to a size that can be compared quickly.
    if graph.discs.count > Self.most || graph.songs.count > 2 * Self.most
      || graph.labels.count > Self.most
    {
      return try await deleteSome(editor)
    }
    switch chance(18) {
    case 0: try await makeDisc(editor)
    case 1, 2: try await makeSong(editor)
    case 3: try await makeLabel(editor)
    case 4: try await rename(editor)
    case 5: try await moveSong(editor)
    case 6, 7, 8: try await changeList(editor)
    case 9: if chance(3) == 0 { try await deleteDisc(editor) }
    case 10: try await deleteLabel(editor)
    case 11: try await deleteSong(editor)
    case 12: try await failForeignKey(editor)
    case 13: try await editBoth()
    case 14: try await editLater(editor)
    case 15, 16: try await changeListsAtOnce()
    default:
      switch chance(6) {
      case 0: try reopen(editor)
      case 1: editor.held.removeAll()
      default: try await savePending(editor)
      }
    }
    if editor.held.count > 40 { editor.held.removeFirst(20) }
  }

  /// The approximate maximum number of rows of each kind.
  static let most = 16

  /// Lists receive the other session's commits, so this waits until the shown rows no longer
  /// change.
  func settle() async {
    for editor in editors {
      await editor.session.database.waitUntilIdle(includingConsumers: true)
    }
  }

  /// A song is saved with its title, if the title has changed.
  func recordSave(_ id: Int, _ editor: Editor) {
    guard let pending = editor.pending.first(where: { $0.id == id }) else { return }
    editor.pending.removeAll { $0.id == id }
    graph.songs[id]?.title = pending.title
  }

  // MARK: Comparison

  func compare() async throws {
    await settle()
    for editor in editors {
      try await editor.session.prepare(Disc.Value.self)
      try await editor.session.prepare(Song.Value.self)
    }
    let stored = try Graph(file.connect())
    expect(stored == graph, "the file: \(stored.difference(from: graph))")
    for editor in editors {
      let session = editor.session
      let discs = try await session.fetchAll(Disc.self)
      let songs = try await session.fetchAll(Song.self)
      let labels = try await session.fetchAll(Label.self)
      try await discs.fetchAll(\.labels)
      try await discs.fetchAll(\.songs)
      try await songs.fetchAll(\.next)
      var seen = Graph()
      for disc in discs {
        seen.discs[disc.id] = Graph.PlainDisc(
          name: disc.value.name, labels: disc.labels.items.map(\.id))
        let wanted = graph.songs.filter { $0.value.disc == disc.id }.keys.sorted()
        let items = disc.songs.items.filter { !isPending($0, editor) }
        let others = wanted.filter { id in !editor.pending.contains { $0.id == id } }
        expect(
          items.map(\.id) == others,
          "disc \(disc.value.name) has \(disc.songs.items.map(\.id)), and not \(wanted)")
        expect(items.allSatisfy { $0.disc._object === disc }, "songs lead back")
      }
      for song in songs {
        guard !isPending(song, editor) else {
          // Changes of the other session are visible again after the save.
          seen.songs[song.id] = graph.songs[song.id]
          continue
        }
        seen.songs[song.id] = Graph.PlainSong(
          title: song.value.title, disc: song.disc.key, next: song.next.key)
        expect(song.next._object?.id == song.next.key, "next of \(song.id)")
      }
      for label in labels {
        seen.labels[label.id] = Graph.PlainLabel(
          name: label.value.name, parent: label.parent.key)
      }
      let name = editor === editors[0] ? "A" : "B"
      expect(seen == graph, "\(name): \(seen.difference(from: graph))")
    }
  }

  private func isPending(_ song: Song, _ editor: Editor) -> Bool {
    editor.pending.contains { $0.song === song }
  }
}

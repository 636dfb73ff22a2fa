import SQLiteCore

@testable import Relations

extension ModelRun {
  func makeDisc(_ editor: Editor) async throws {
    let disc = try await editor.session.create(Disc.self)
    let taken = graph.discs.values.map(\.name).sorted().randomElement(using: &random)
    let fails = chance(4) == 0 && taken != nil
    disc.value.name = fails ? taken ?? "" : name()
    var labels: [AutoId] = []
    for _ in 0..<chance(4) {
      guard let id = label() else { break }
      disc.labels.append([try await editor.session.fetch(Label.self, id)])
      labels.append(id)
    }
    note(editor, "makes disc \(disc.value.name) of \(labels.count), fails: \(fails)")
    do {
      try await editor.session.save(disc)
      expect(!fails, "a name was taken twice")
    } catch let error as SQLiteError {
      expect(fails && error.code == .constraintUnique, "\(error)")
      if chance(2) == 0 {
        try await editor.session.delete([disc])
        return
      }
      disc.value.name = name()
      try await editor.session.save(disc)
    }
    graph.discs[disc.id] = Graph.PlainDisc(name: disc.value.name, labels: labels)
    editor.held.append(disc)
  }

  /// A song with a key that none has had: SQLite gives that of the last one once more, where this was deleted.
  private func newSong(_ editor: Editor, isNumbered: Bool) async throws -> Song {
    if isNumbered { return try await editor.session.create(Song.self) }
    lastSong += 1
    return try await editor.session.create(Song.self, lastSong)
  }

  private var isLastThere: Bool { graph.songs.keys.max() ?? 0 == lastSong }

  private func noteKey(_ song: Song) { lastSong = max(lastSong, song.id) }

  func makeSong(_ editor: Editor) async throws {
    let isNumbered = isLastThere
    let song = try await newSong(editor, isNumbered: isNumbered)
    song.value.title = name()
    note(editor, "makes song \(song.value.title)")
    var others: [Song] = []
    var plain = Graph.PlainSong(title: song.value.title)
    if let id = disc(), chance(4) > 0 {
      let disc = try await editor.session.fetch(Disc.self, id)
      if chance(2) == 0 {
        await song.disc.setObject(disc)
      } else {
        disc.songs.append([song])
      }
      plain.disc = id
      editor.held.append(disc)
    }
    switch chance(4) {
    case 0: await song.next.setObject(song)
    case 1:
      // Two that refer to each other.
      let other = try await newSong(editor, isNumbered: isNumbered)
      other.value.title = name()
      await other.next.setObject(song)
      await song.next.setObject(other)
      others.append(other)
    case 2:
      if let id = self.song() {
        await song.next.setObject(try await editor.session.fetch(Song.self, id))
        plain.next = id
      }
    default: break
    }
    try await editor.session.save(song)
    for made in [song] + others { noteKey(made) }
    if let other = others.first {
      plain.next = other.id
      graph.songs[other.id] = Graph.PlainSong(title: other.value.title, next: song.id)
    } else if song.next._object === song {
      plain.next = song.id
    }
    graph.songs[song.id] = plain
    editor.held.append(song)
    // So that nothing is left that the list of the disc would have to write.
    if let disc = song.disc._object { try await editor.session.save(disc) }
  }

  func makeLabel(_ editor: Editor) async throws {
    let label = try await editor.session.create(Label.self)
    label.value.name = name()
    note(editor, "makes label \(label.value.name)")
    label.parent.key = chance(2) == 0 ? self.label() : nil
    try await editor.session.save(label)
    graph.labels[label.id] = Graph.PlainLabel(name: label.value.name, parent: label.parent.key)
    editor.held.append(label)
  }

  func rename(_ editor: Editor) async throws {
    guard let id = disc() else { return }
    let disc = try await editor.session.fetch(Disc.self, id)
    let former = disc.value.name
    let taken = graph.discs.filter { $0.key != id }.values.map(\.name).sorted()
    let fails = chance(3) == 0 && !taken.isEmpty
    disc.value.name = fails ? taken[chance(taken.count)] : name()
    note(editor, "renames \(former) to \(disc.value.name), fails: \(fails)")
    do {
      try await editor.session.save(disc)
      expect(!fails, "a name was taken twice")
      graph.discs[id]?.name = disc.value.name
    } catch let error as SQLiteError {
      expect(fails && error.code == .constraintUnique, "\(error)")
      disc.value.name = former
    }
    editor.held.append(disc)
  }

  func moveSong(_ editor: Editor) async throws {
    guard let id = song() else { return }
    let song = try await editor.session.fetch(Song.self, id)
    let target = chance(4) > 0 ? disc() : nil
    note(editor, "moves song \(id) to \(target.flatMap { graph.discs[$0]?.name } ?? "none")")
    if let target, chance(2) == 0 {
      await song.disc.setObject(try await editor.session.fetch(Disc.self, target))
    } else {
      song.disc.key = target
    }
    try await editor.session.save(song)
    noteSaved(song, editor)
    graph.songs[id]?.disc = target
    editor.held.append(song)
  }

  // MARK: Deleting

  func deleteSome(_ editor: Editor) async throws {
    note(
      editor, "deletes some of \(graph.discs.count), \(graph.songs.count), \(graph.labels.count)")
    for _ in 0..<8 {
      try await deleteDisc(editor)
      try await deleteSong(editor)
      try await deleteLabel(editor)
    }
  }

  func deleteDisc(_ editor: Editor) async throws {
    guard let id = disc() else { return }
    note(editor, "deletes disc \(graph.discs[id]?.name ?? "")")
    let disc = try await editor.session.fetch(Disc.self, id)
    try await editor.session.delete([disc])
    drop(editor) { $0.delete(disc: id) }
  }

  func deleteSong(_ editor: Editor) async throws {
    guard let id = song() else { return }
    note(editor, "deletes song \(id)")
    try await editor.session.delete(Song.self, [id])
    drop(editor) { $0.delete(song: id) }
  }

  func deleteLabel(_ editor: Editor) async throws {
    guard let id = label() else { return }
    let isParent = graph.labels.contains { $0.value.parent == id && $0.key != id }
    note(editor, "deletes label \(graph.labels[id]?.name ?? ""), fails: \(isParent)")
    let label = try await editor.session.fetch(Label.self, id)
    editor.held.append(label)
    do {
      try await editor.session.delete([label])
      expect(!isParent, "a parent was deleted")
      graph.delete(label: id)
    } catch let error as SQLiteError {
      expect(isParent && error.code.primary == .constraint, "\(error)")
    }
  }

  /// What this session has deleted is not to be saved by it. What the other one has deleted is missed as it is saved.
  private func drop(_ editor: Editor, _ delete: (inout Graph) -> Void) {
    let before = graph.songs
    delete(&graph)
    editor.pending.removeAll { before[$0.id] != nil && graph.songs[$0.id] == nil }
  }

  // MARK: Failing, and editing at once

  func failForeignKey(_ editor: Editor) async throws {
    guard let id = song() else { return }
    let song = try await editor.session.fetch(Song.self, id)
    note(editor, "has song \(id) refer to nothing")
    let former = song.disc.key
    song.disc.key = 1
    let error = await failure { try await editor.session.save(song) }
    expect(
      (error as? SQLiteError)?.code == .constraintForeignKey, "\(error.map { "\($0)" } ?? "none")")
    song.disc.key = former
    editor.held.append(song)
  }

  func editBoth() async throws {
    guard let id = disc(), let added = label() else { return }
    let discs = [
      try await editors[0].session.fetch(Disc.self, id),
      try await editors[1].session.fetch(Disc.self, id),
    ]
    note(editors[0], "and B edit \(graph.discs[id]?.name ?? "")")
    for disc in discs where chance(2) == 0 { try await [disc].fetchAll(\.labels) }
    discs[0].value.name = name()
    discs[0].labels.append([try await editors[0].session.fetch(Label.self, added)])
    discs[1].labels.append([try await editors[1].session.fetch(Label.self, added)])
    let song = try await newSong(editors[1], isNumbered: isLastThere)
    song.value.title = name()
    discs[1].songs.append([song])
    let first = chance(2)
    try await editors[first].session.save(discs[first])
    try await editors[1 - first].session.save(discs[1 - first])
    noteKey(song)
    graph.discs[id]?.name = discs[0].value.name
    graph.discs[id]?.labels += [added, added]
    graph.songs[song.id] = Graph.PlainSong(title: song.value.title, disc: id)
    for (editor, disc) in zip(editors, discs) { editor.held.append(disc) }
  }

  func editLater(_ editor: Editor) async throws {
    guard let id = song() else { return }
    let song = try await editor.session.fetch(Song.self, id)
    note(editor, "changes song \(id), and saves it later")
    song.value.title = name()
    editor.pending.removeAll { $0 === song }
    editor.pending.append(song)
  }

  func savePending(_ editor: Editor) async throws {
    let gone = editor.pending.filter { graph.songs[$0.id] == nil }
    note(editor, "saves \(editor.pending.count) songs, of which \(gone.count) are gone")
    // What is known to be gone is not to be saved.
    let map = editor.session.identities(of: Song.self)
    let isKnown = gone.allSatisfy { map.entry(of: $0)?.isGone ?? false }
    let error = await failure { try await editor.session.saveChanges() }
    if isKnown {
      expect(error == nil, "\(error.map { "\($0)" } ?? "")")
    } else {
      expect(
        (error as? RelationError)?.code == .missingRow, "\(error.map { "\($0)" } ?? "none")")
    }
    if !gone.isEmpty {
      try await editor.session.delete(gone)
      editor.pending.removeAll { song in gone.contains { $0 === song } }
      try await editor.session.saveChanges()
    }
    for song in editor.pending { noteSaved(song, editor) }
  }

  func reopen(_ editor: Editor) throws {
    note(editor, "opens the file anew")
    editor.held = []
    editor.pending = []
    editor.session = ModelSession(try file.open())
  }

  private func failure(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }
}

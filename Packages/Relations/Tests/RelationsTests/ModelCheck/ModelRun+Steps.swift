import Relations
import SQLiteCore

extension ModelRun {
  func makeDisc(_ editor: Editor) async throws {
    let disc = try await editor.session.create(Disc.self)
    let taken = graph.discs.values.map(\.name).sorted().randomElement(using: &random)
    let fails = chance(4) == 0 && taken != nil
    var given = fails ? taken ?? "" : name()
    disc.value.name = given
    var labels: [AutoId] = []
    for _ in 0..<chance(4) {
      guard let id = label() else { break }
      disc.labels.append([try await editor.session.fetch(Label.self, id)])
      labels.append(id)
    }
    note(editor, "makes disc \(given) of \(labels.count), fails: \(fails)")
    do {
      try await editor.session.save(disc)
      expect(!fails, "a name was taken twice")
    } catch let error as SQLiteError {
      expect(fails && error.code == .constraintUnique, "\(error)")
      if chance(2) == 0 {
        try await editor.session.delete([disc])
        return
      }
      given = name()
      disc.value.name = given
      try await editor.session.save(disc)
    }
    graph.discs[disc.id] = Graph.PlainDisc(name: given, labels: labels)
    editor.held.append(disc)
  }

  /// Creates a song with a key that has never been used: SQLite reuses the key of the last row after it was deleted.
  private func newSong(_ editor: Editor, isKeyGenerated: Bool) async throws -> Song {
    if isKeyGenerated { return try await editor.session.create(Song.self) }
    lastSong += 1
    return try await editor.session.create(Song.self, lastSong)
  }

  private var isLastThere: Bool { graph.songs.keys.max() ?? 0 == lastSong }

  private func noteKey(_ song: Song) { lastSong = max(lastSong, song.id) }

  func makeSong(_ editor: Editor) async throws {
    let isKeyGenerated = isLastThere
    let song = try await newSong(editor, isKeyGenerated: isKeyGenerated)
    let title = name()
    song.value.title = title
    note(editor, "makes song \(title)")
    var other: (song: Song, title: String)?
    var disc: Disc?
    var isItsOwnNext = false
    var plain = Graph.PlainSong(title: title)
    if let id = self.disc(), chance(4) > 0 {
      let found = try await editor.session.fetch(Disc.self, id)
      if chance(2) == 0 {
        await song.disc.setObject(found)
      } else {
        found.songs.append([song])
      }
      plain.disc = id
      disc = found
      editor.held.append(found)
    }
    switch chance(4) {
    case 0:
      await song.next.setObject(song)
      isItsOwnNext = true
    case 1:
      // Two songs that refer to each other.
      let made = try await newSong(editor, isKeyGenerated: isKeyGenerated)
      let title = name()
      made.value.title = title
      await made.next.setObject(song)
      await song.next.setObject(made)
      other = (made, title)
    case 2:
      if let id = self.song() {
        await song.next.setObject(try await editor.session.fetch(Song.self, id))
        plain.next = id
      }
    default: break
    }
    try await editor.session.save(song)
    noteKey(song)
    if let (made, title) = other {
      noteKey(made)
      plain.next = made.id
      graph.songs[made.id] = Graph.PlainSong(title: title, next: song.id)
    } else if isItsOwnNext {
      plain.next = song.id
    }
    graph.songs[song.id] = plain
    editor.held.append(song)
    // So that the disc's list has no unsaved changes left.
    if let disc { try await editor.session.save(disc) }
  }

  func makeLabel(_ editor: Editor) async throws {
    let label = try await editor.session.create(Label.self)
    let plain = Graph.PlainLabel(name: name(), parent: chance(2) == 0 ? self.label() : nil)
    label.value.name = plain.name
    label.parent.key = plain.parent
    note(editor, "makes label \(plain.name)")
    try await editor.session.save(label)
    graph.labels[label.id] = plain
    editor.held.append(label)
  }

  func rename(_ editor: Editor) async throws {
    guard let id = disc() else { return }
    let disc = try await editor.session.fetch(Disc.self, id)
    let former = graph.discs[id]?.name ?? ""
    let taken = graph.discs.filter { $0.key != id }.values.map(\.name).sorted()
    let fails = chance(3) == 0 && !taken.isEmpty
    let given = fails ? taken[chance(taken.count)] : name()
    disc.value.name = given
    note(editor, "renames \(former) to \(given), fails: \(fails)")
    do {
      try await editor.session.save(disc)
      expect(!fails, "a name was taken twice")
      graph.discs[id]?.name = given
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
    recordSave(id, editor)
    graph.songs[id]?.disc = target
    editor.held.append(song)
  }

  // MARK: Deletion

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

  /// A song that this session has deleted is not saved. A song that the other session has deleted is reported as
  /// missing by the save.
  private func drop(_ editor: Editor, _ delete: (inout Graph) -> Void) {
    let before = graph.songs
    delete(&graph)
    editor.pending.removeAll { before[$0.id] != nil && graph.songs[$0.id] == nil }
  }

  // MARK: Failures and concurrent edits

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
    let given = name()
    discs[0].value.name = given
    discs[0].labels.append([try await editors[0].session.fetch(Label.self, added)])
    discs[1].labels.append([try await editors[1].session.fetch(Label.self, added)])
    let song = try await newSong(editors[1], isKeyGenerated: isLastThere)
    let title = name()
    song.value.title = title
    discs[1].songs.append([song])
    let first = chance(2)
    try await editors[first].session.save(discs[first])
    try await editors[1 - first].session.save(discs[1 - first])
    noteKey(song)
    graph.discs[id]?.name = given
    graph.discs[id]?.labels += [added, added]
    graph.songs[song.id] = Graph.PlainSong(title: title, disc: id)
    for (editor, disc) in zip(editors, discs) { editor.held.append(disc) }
  }

  func editLater(_ editor: Editor) async throws {
    guard let id = song() else { return }
    let song = try await editor.session.fetch(Song.self, id)
    note(editor, "changes song \(id), and saves it later")
    let title = name()
    song.value.title = title
    editor.pending.removeAll { $0.song === song }
    editor.pending.append(Editor.Pending(song: song, id: id, title: title))
  }

  func savePending(_ editor: Editor) async throws {
    let gone = editor.pending.filter { graph.songs[$0.id] == nil }
    note(editor, "saves \(editor.pending.count) songs, of which \(gone.count) are gone")
    let error = await failure { try await editor.session.saveChanges() }
    // Rows that the session has recorded as deleted are skipped and the others saved; otherwise no row is saved.
    expect(
      error == nil || !gone.isEmpty && (error as? RelationError)?.code == .missingRow,
      "\(error.map { "\($0)" } ?? "none")")
    if !gone.isEmpty {
      try await editor.session.delete(gone.map(\.song))
      editor.pending.removeAll { pending in gone.contains { $0.song === pending.song } }
      try await editor.session.saveChanges()
    }
    for pending in editor.pending { recordSave(pending.id, editor) }
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

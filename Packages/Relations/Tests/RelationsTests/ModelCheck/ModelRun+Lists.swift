import Relations
import SQLiteCore

// Lists.
extension ModelRun {
  func changeList(_ editor: Editor) async throws {
    guard let id = disc(), !graph.labels.isEmpty else { return }
    let disc = try await editor.session.fetch(Disc.self, id)
    var wanted = graph.discs[id]?.labels ?? []
    // What others have committed is known here before it is looked at.
    await settle()
    note(editor, "changes the list of \(graph.discs[id]?.name ?? "") with \(wanted.count)")
    let isLoaded = chance(4) > 0
    if isLoaded {
      try await [disc].fetchAll(\.labels)
      // Indexes mean what was seen last.
      expect(disc.labels.items.map(\.id) == wanted, "the list is not what it was")
    }
    let count = 1 + chance(3)
    for _ in 0..<count {
      guard let added = label() else { break }
      let label = try await editor.session.fetch(Label.self, added)
      switch isLoaded ? (wanted.count > 30 ? 2 : chance(4)) : 0 {
      case 1:
        let place = chance(wanted.count + 1)
        disc.labels.insert([label], at: place)
        wanted.insert(added, at: place)
        log.append("  inserts at \(place)")
      case 2 where !wanted.isEmpty:
        let place = chance(wanted.count)
        disc.labels.remove(at: place)
        wanted.remove(at: place)
        log.append("  removes at \(place)")
      case 3 where !wanted.isEmpty:
        let (from, to) = (chance(wanted.count), chance(wanted.count))
        disc.labels.move(from: from, to: to)
        wanted.insert(wanted.remove(at: from), at: to)
        log.append("  moves from \(from) to \(to)")
      default:
        disc.labels.append([label])
        wanted.append(added)
        log.append("  appends")
      }
    }
    if isLoaded {
      expect(disc.labels.items.map(\.id) == wanted, "the list is not as it was changed")
    }
    try await editor.session.save(disc)
    graph.discs[id]?.labels = wanted
    editor.held.append(disc)
  }

  /// One has a list with changes that are not saved as the other changes it.
  ///
  /// Which links are which can be told if no row is there twice: those that are, are taken out before.
  func changeListsAtOnce() async throws {
    guard let id = disc(), !graph.labels.isEmpty else { return }
    let (mine, others) = chance(2) == 0 ? (editors[0], editors[1]) : (editors[1], editors[0])
    let discs = [
      try await mine.session.fetch(Disc.self, id), try await others.session.fetch(Disc.self, id),
    ]
    await settle()
    for disc in discs { try await [disc].fetchAll(\.labels) }
    note(mine, "and the other change the list of \(graph.discs[id]?.name ?? "")")
    var before = graph.discs[id]?.labels ?? []
    for disc in discs { expect(disc.labels.items.map(\.id) == before, "it is not what it was") }
    for place in before.indices.reversed() where before[..<place].contains(before[place]) {
      discs[0].labels.remove(at: place)
      before.remove(at: place)
    }
    try await mine.session.save(discs[0])
    await settle()
    for disc in discs { expect(disc.labels.items.map(\.id) == before, "some are there twice") }
    var lists = [PlainList(before), PlainList(before)]
    for (index, editor) in [mine, others].enumerated() {
      for _ in 0...chance(3) {
        try await change(&lists[index], lists, discs[index], editor)
      }
      let shown = discs[index].labels.items.map(\.id)
      expect(shown == lists[index].labels, "\(shown), and not \(lists[index].labels)")
    }
    try await others.session.save(discs[1])
    let isHeard = chance(3) > 0
    if isHeard { await settle() }
    let expected = lists[0].merged(into: lists[1].labels)
    if isHeard {
      // The list does not grow by itself.
      let seen = discs[0].labels.items.map(\.id)
      let known = Set(lists[0].labels).intersection(expected)
      expect(
        seen == expected.filter { known.contains($0) },
        "it shows \(seen), and should be \(expected)")
    }
    try await mine.session.save(discs[0])
    log.append("  \(lists[1].labels) and \(lists[0]) become \(expected)")
    graph.discs[id]?.labels = expected
    let stored = try Graph(file.connect()).discs[id]?.labels ?? []
    expect(stored == expected, "it is stored as \(stored), and should be \(expected)")
    for (editor, disc) in zip([mine, others], discs) { editor.held.append(disc) }
  }

  /// Changes a list of different labels, with one that no list has.
  private func change(
    _ list: inout PlainList, _ all: [PlainList], _ disc: Disc, _ editor: Editor
  ) async throws {
    let free = graph.labels.keys.sorted().filter { label in
      !all.contains { $0.known.contains(label) || $0.labels.contains(label) }
        && !list.labels.contains(label)
    }
    let added = free.randomElement(using: &random)
    switch chance(4) {
    case 0:
      guard let added else { return }
      disc.labels.append([try await editor.session.fetch(Label.self, added)])
      list.append(added)
      log.append("  appends \(added)")
    case 1:
      guard let added else { return }
      let place = chance(list.labels.count + 1)
      disc.labels.insert([try await editor.session.fetch(Label.self, added)], at: place)
      list.insert(added, at: place)
      log.append("  inserts \(added) at \(place)")
    case 2:
      guard !list.labels.isEmpty else { return }
      let place = chance(list.labels.count)
      disc.labels.remove(at: place)
      log.append("  removes \(list.remove(at: place))")
    default:
      guard !list.labels.isEmpty else { return }
      let (from, to) = (chance(list.labels.count), chance(list.labels.count))
      disc.labels.move(from: from, to: to)
      log.append("  moves \(list.labels[from]) to \(to)")
      list.insert(list.remove(at: from), at: to)
    }
  }
}

/// A list of different labels with changes that are not saved.
struct PlainList: CustomStringConvertible {
  /// Those that were there when the changes began.
  let known: [AutoId]
  private(set) var labels: [AutoId]
  /// Those that were added, or moved, which is to remove and insert them.
  private var added: Set<AutoId> = []
  /// Of these, those that were put behind all that there are.
  private var appended: Set<AutoId> = []

  init(_ labels: [AutoId]) {
    known = labels
    self.labels = labels
  }

  var description: String { "\(known) → \(labels)" }

  mutating func append(_ label: AutoId) {
    labels.append(label)
    added.insert(label)
    appended.insert(label)
  }

  mutating func insert(_ label: AutoId, at place: Int) {
    labels.insert(label, at: place)
    added.insert(label)
    appended.remove(label)
  }

  mutating func remove(at place: Int) -> AutoId {
    appended.remove(labels[place])
    return labels.remove(at: place)
  }

  /// What a list becomes by the changes: others have made it what it is.
  ///
  /// Each label that was added stands behind the one before it that was there and still is. From the first one on that was
  /// appended, and has none behind it that was there, they stand behind all.
  func merged(into others: [AutoId]) -> [AutoId] {
    let kept = Set(labels).subtracting(added)
    let last = labels.lastIndex { kept.contains($0) }.map { $0 + 1 } ?? 0
    let end = labels[last...].firstIndex { appended.contains($0) } ?? labels.endIndex
    var result = others.filter { kept.contains($0) || !known.contains($0) }
    // Backwards, so that each one stands before those that come after it.
    for place in (0..<end).reversed() where added.contains(labels[place]) {
      let before = labels[..<place].last { kept.contains($0) && result.contains($0) }
      let behind = before.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      result.insert(labels[place], at: behind)
    }
    return result + labels[end...]
  }
}

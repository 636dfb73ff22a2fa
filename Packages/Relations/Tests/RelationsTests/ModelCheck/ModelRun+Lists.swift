import Relations
import SQLiteCore

// Lists.
extension ModelRun {
  func changeList(_ editor: Editor) async throws {
    guard let id = disc(), !graph.labels.isEmpty else { return }
    let disc = try await editor.session.fetch(Disc.self, id)
    var wanted = graph.discs[id]?.labels ?? []
    // Commits of other sessions have been received before the list is read.
    await settle()
    note(editor, "changes the list of \(graph.discs[id]?.name ?? "") with \(wanted.count)")
    let isLoaded = chance(4) > 0
    if isLoaded {
      try await [disc].fetchAll(\.labels)
      // Indexes refer to the rows that were last read.
      expect(disc.labels.items.map(\.id) == wanted, "the list has changed")
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

  /// Changes a list in one session while it has unsaved changes in the other.
  ///
  /// Links can only be identified if no row occurs twice, so repeated rows are removed first.
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
      // The list does not grow automatically.
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

  /// Changes a list of distinct labels, using one label that no list contains.
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

/// A list of distinct labels with unsaved changes.
struct PlainList: CustomStringConvertible {
  /// The labels at the beginning of the changes.
  let known: [AutoId]
  private(set) var labels: [AutoId]
  /// The labels that were added or moved. A move removes and inserts a label.
  private var added: Set<AutoId> = []
  /// The added labels that were appended after all labels of the list.
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

  /// Returns the result of applying the changes to a list that was changed by another session.
  ///
  /// Each added label follows the nearest preceding label that was in the list before and still is. The labels from the
  /// first appended one on, if no original label follows it, are at the end.
  func merged(into others: [AutoId]) -> [AutoId] {
    let kept = Set(labels).subtracting(added)
    let last = labels.lastIndex { kept.contains($0) }.map { $0 + 1 } ?? 0
    let end = labels[last...].firstIndex { appended.contains($0) } ?? labels.endIndex
    var result = others.filter { kept.contains($0) || !known.contains($0) }
    // In reverse, so that each label precedes the labels after it.
    for place in (0..<end).reversed() where added.contains(labels[place]) {
      let before = labels[..<place].last { kept.contains($0) && result.contains($0) }
      let behind = before.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      result.insert(labels[place], at: behind)
    }
    return result + labels[end...]
  }
}

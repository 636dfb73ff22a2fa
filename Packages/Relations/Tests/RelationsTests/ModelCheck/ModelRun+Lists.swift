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
    if isLoaded { try await [disc].fetchAll(\.labels) }
    let count = 1 + chance(3)
    for _ in 0..<count {
      let known = disc.labels.items.map(\.id)
      guard let added = label() else { break }
      let label = try await editor.session.fetch(Label.self, added)
      switch isLoaded ? (wanted.count > 30 ? 2 : chance(4)) : 0 {
      case 1:
        let place = chance(wanted.count + 1)
        disc.labels.insert([label], at: place)
        wanted.insert(added, at: place)
        log.append("  inserts at \(place)")
      case 2 where !known.isEmpty:
        let place = chance(known.count)
        disc.labels.remove(at: place)
        wanted.remove(at: place)
        log.append("  removes at \(place)")
      case 3 where !known.isEmpty:
        let (from, to) = (chance(known.count), chance(known.count))
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
  func changeListsAtOnce() async throws {
    guard let id = disc(), !graph.labels.isEmpty else { return }
    let (mine, others) = chance(2) == 0 ? (editors[0], editors[1]) : (editors[1], editors[0])
    let discs = [
      try await mine.session.fetch(Disc.self, id), try await others.session.fetch(Disc.self, id),
    ]
    for disc in discs { try await [disc].fetchAll(\.labels) }
    let before = graph.discs[id]?.labels ?? []
    note(mine, "and the other change the list of \(discs[0].value.name) with \(before.count)")
    // Those that came less those that went, in both.
    var difference: [AutoId: Int] = [:]
    var removed: [AutoId: Int] = [:]
    for (editor, disc) in zip([mine, others], discs) {
      for _ in 0...chance(3) {
        guard let added = label() else { break }
        let label = try await editor.session.fetch(Label.self, added)
        let known = disc.labels.items.map(\.id)
        switch known.count > 30 ? 2 : chance(4) {
        case 0:
          disc.labels.append([label])
          difference[added, default: 0] += 1
          log.append("  appends")
        case 1:
          let place = chance(known.count + 1)
          disc.labels.insert([label], at: place)
          difference[added, default: 0] += 1
          log.append("  inserts at \(place)")
        case 2 where !known.isEmpty:
          let place = chance(known.count)
          disc.labels.remove(at: place)
          difference[known[place], default: 0] -= 1
          removed[known[place], default: 0] += 1
          log.append("  removes at \(place)")
        default:
          guard !known.isEmpty else { break }
          let (from, to) = (chance(known.count), chance(known.count))
          disc.labels.move(from: from, to: to)
          removed[known[from], default: 0] += 1
          log.append("  moves from \(from) to \(to)")
        }
      }
    }
    try await others.session.save(discs[1])
    let isHeard = chance(3) > 0
    if isHeard { await settle() }
    let seen = discs[0].labels.items.map(\.id)
    try await mine.session.save(discs[0])
    let stored = try Graph(file.connect()).discs[id]?.labels ?? []
    if isHeard {
      expect(stored.contains(inOrder: seen), "it was \(seen), and was saved as \(stored)")
      let now = discs[0].labels.items.map(\.id)
      expect(now == seen, "it was \(seen), and is \(now), and was saved as \(stored)")
    }
    for label in Set(before + stored).union(difference.keys) {
      func count(_ all: [AutoId]) -> Int { all.count { $0 == label } }
      let most = count(before) + difference[label, default: 0] + removed[label, default: 0]
      let least = count(before) + difference[label, default: 0]
      expect(
        (least...most).contains(count(stored)),
        "\(label) is there \(count(stored)) times, and not \(least)...\(most)")
    }
    graph.discs[id]?.labels = stored
    for (editor, disc) in zip([mine, others], discs) { editor.held.append(disc) }
  }
}

extension [AutoId] {
  /// Whether all of some are there, in their order.
  fileprivate func contains(inOrder others: [AutoId]) -> Bool {
    var left = others[...]
    for key in self where key == left.first { left.removeFirst() }
    return left.isEmpty
  }
}

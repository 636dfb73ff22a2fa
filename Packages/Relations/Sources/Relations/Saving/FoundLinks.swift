internal import SQLiteCore

/// Where the links that somebody knows are among those that are stored.
struct FoundLinks {
  /// The places of those that stay.
  var known: [Int?]
  /// The places of those that are given up.
  var removed: [Int?]

  var isComplete: Bool { !known.contains(nil) && !removed.contains(nil) }

  /// Finds those that are where they were.
  init(_ write: LinkWrite, in links: [LinkWrite.Known]) {
    var places: [Int64: Int] = [:]
    for (place, link) in links.enumerated() { places[link.position] = place }
    func place(_ known: LinkWrite.Known) -> Int? {
      places[known.position].flatMap { links[$0].target == known.target ? $0 : nil }
    }
    known = write.known.map(place)
    removed = write.removed.map(place)
  }

  /// Finds the others by their rows and their order, as others have changed the list.
  mutating func match(_ write: LinkWrite, _ links: [LinkWrite.Known]) {
    let taken = Set((known + removed).compactMap(\.self))
    let free = links.indices.filter { !taken.contains($0) }
    let wanted = known.indices.filter { known[$0] == nil }
    let difference = free.map { links[$0].target }
      .difference(from: wanted.map { write.known[$0].target })
    var missing: Set<Int> = []
    var others: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): missing.insert(offset)
      case .insert(let offset, _, _): others.insert(offset)
      }
    }
    let same = zip(
      wanted.indices.filter { !missing.contains($0) }, free.indices.filter { !others.contains($0) })
    for (offset, place) in same { known[wanted[offset]] = free[place] }
    // Those that were moved; and as it is not known which of several were, none that stays is given up.
    var moved: [[SQLiteValue]: [Int]] = [:]
    for offset in others.sorted(by: >) {
      moved[links[free[offset]].target, default: []].append(free[offset])
    }
    for offset in missing.sorted() {
      known[wanted[offset]] = moved[write.known[wanted[offset]].target]?.popLast()
    }
    for index in removed.indices where removed[index] == nil {
      removed[index] = moved[write.removed[index].target]?.popLast()
    }
  }
}

internal import SQLiteCore

/// The changes to write for an owner's list.
struct LinkWrite: Sendable {
  /// A link at the time when the list was read.
  struct StoredLink: Hashable, Sendable {
    let position: Int64
    let target: [SQLiteValue]
  }

  /// A new element.
  struct Element: Sendable {
    /// The element's number in the list.
    let number: Int
    /// The row's key; `nil` if ``step`` generates it.
    var key: [SQLiteValue]?
    var step: Int?
  }

  /// Elements that are inserted consecutively.
  struct Insertion: Sendable {
    /// The index in ``LinkWrite/kept`` of the element that they follow; `nil` for the list's
    /// beginning.
    let after: Int?
    var elements: [Element]
  }

  let table: LinkTable
  /// The comparison of the rows' keys.
  var collation = KeyCollation.binary
  /// The owner's key; `nil` if ``ownerStep`` generates it.
  var owner: [SQLiteValue]?
  var ownerStep: Int?
  /// The links to keep, in list order; empty if their positions are not needed.
  var kept: [StoredLink] = []
  /// The links to remove.
  var removed: [StoredLink] = []
  var insertions: [Insertion] = []
  /// The elements to append after all others.
  var appended: [Element] = []
  /// A Boolean value that indicates whether these elements are shown, and don't follow rows that
  /// are not yet fetched.
  var showsAppended = false
  /// The position of the last shown link.
  var lastShown: Int64?

  /// A Boolean value that indicates whether the stored links need not be read.
  var onlyAppends: Bool { removed.isEmpty && insertions.isEmpty }
}

/// The result of writing a list.
struct LinkChanges: Sendable {
  /// The positions of the added elements, by their numbers.
  var addedPositions: [Int: Int64] = [:]
  /// The positions of the kept links, with `nil` for each deleted link; `nil` if the links were
  /// not read.
  var keptPositions: [Int64?]?
  /// A Boolean value that indicates whether there are links that are not shown.
  var hasOthers = false
  /// A Boolean value that indicates whether links that are not shown precede the last shown link.
  var hasOthersBefore = false
}

/// The indexes of a list's links among the stored links.
struct LinkMatching {
  /// The indexes of the links to keep.
  var kept: [Int?]
  /// The indexes of the links to remove.
  var removed: [Int?]

  var isComplete: Bool { !kept.contains(nil) && !removed.contains(nil) }

  /// Finds the links whose positions have not changed.
  init(_ write: LinkWrite, in links: [LinkWrite.StoredLink]) {
    var indexes: [Int64: Int] = [:]
    for (index, link) in links.enumerated() { indexes[link.position] = index }
    func index(_ link: LinkWrite.StoredLink) -> Int? {
      indexes[link.position].flatMap { links[$0].target == link.target ? $0 : nil }
    }
    kept = write.kept.map(index)
    removed = write.removed.map(index)
  }

  /// Finds the other links by their rows and order, after another connection has changed the list.
  mutating func match(_ write: LinkWrite, _ links: [LinkWrite.StoredLink]) {
    let matched = Set((kept + removed).compactMap(\.self))
    let free = links.indices.filter { !matched.contains($0) }
    let wanted = kept.indices.filter { kept[$0] == nil }
    let difference = free.map { links[$0].target }
      .difference(from: wanted.map { write.kept[$0].target })
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
    for (offset, place) in same { kept[wanted[offset]] = free[place] }
    // Moved links. If several occurrences of a row may have moved, links to keep are matched first,
    // so that none of them is removed.
    var moved: [[SQLiteValue]: [Int]] = [:]
    for offset in others.sorted(by: >) {
      moved[links[free[offset]].target, default: []].append(free[offset])
    }
    for offset in missing.sorted() {
      kept[wanted[offset]] = moved[write.kept[wanted[offset]].target]?.popLast()
    }
    for index in removed.indices where removed[index] == nil {
      removed[index] = moved[write.removed[index].target]?.popLast()
    }
  }
}

internal import SQLiteCore

/// The changes to write for an owner's list.
struct LinkWrite: Sendable {
  /// A link at the time when the list was read.
  struct Known: Hashable, Sendable {
    let position: Int64
    let target: [SQLiteValue]
  }

  /// A new element.
  struct Element: Sendable {
    /// The element's number in the list.
    let number: Int
    /// The row's key; `nil` if the step ``write`` generates it.
    var key: [SQLiteValue]?
    var write: Int?
  }

  /// Elements that are inserted consecutively.
  struct Insertion: Sendable {
    /// The index in ``LinkWrite/known`` of the element that they follow; `nil` for the list's
    /// beginning.
    let after: Int?
    var elements: [Element]
  }

  let table: LinkTable
  /// The comparison of the rows' keys.
  var collation = KeyCollation.binary
  /// The owner's key; `nil` if the step ``ownerWrite`` generates it.
  var owner: [SQLiteValue]?
  var ownerWrite: Int?
  /// The links to keep, in list order; empty if their positions are not needed.
  var known: [Known] = []
  /// The links to remove.
  var removed: [Known] = []
  var runs: [Insertion] = []
  /// The elements to append after all others.
  var last: [Element] = []
  /// A Boolean value that indicates whether these elements are shown, and don't follow rows that
  /// are not yet fetched.
  var showsLast = false
  /// The position of the last shown link.
  var lastShown: Int64?

  /// A Boolean value that indicates whether the stored links need not be read.
  var onlyAppends: Bool { removed.isEmpty && runs.isEmpty }
}

/// The result of writing a list.
struct LinkChanges: Sendable {
  /// The positions of the added elements, by their numbers.
  var added: [Int: Int64] = [:]
  /// The positions of the known links, with `nil` for each deleted link; `nil` if the links were
  /// not read.
  var known: [Int64?]?
  /// A Boolean value that indicates whether there are links that are not shown.
  var hasOthers = false
  /// A Boolean value that indicates whether links that are not shown precede the last shown link.
  var hasOthersBefore = false
}

/// The indexes of known links among the stored links.
struct LinkMatching {
  /// The indexes of the links to keep.
  var known: [Int?]
  /// The indexes of the links to remove.
  var removed: [Int?]

  var isComplete: Bool { !known.contains(nil) && !removed.contains(nil) }

  /// Finds the links whose positions have not changed.
  init(_ write: LinkWrite, in links: [LinkWrite.Known]) {
    var places: [Int64: Int] = [:]
    for (place, link) in links.enumerated() { places[link.position] = place }
    func place(_ known: LinkWrite.Known) -> Int? {
      places[known.position].flatMap { links[$0].target == known.target ? $0 : nil }
    }
    known = write.known.map(place)
    removed = write.removed.map(place)
  }

  /// Finds the other links by their rows and order, after another connection has changed the list.
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
    // Moved links. If several occurrences of a row may have moved, links to keep are matched first,
    // so that none of them is removed.
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

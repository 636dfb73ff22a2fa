internal import SQLiteCore

/// What is changed of an owner's list.
struct LinkWrite: Sendable {
  /// A link as it was when the list was read.
  struct Known: Hashable, Sendable {
    let position: Int64
    let target: [SQLiteValue]
  }

  /// An element that is new.
  struct Element: Sendable {
    /// Which of the list's elements it is.
    let number: Int
    /// The key; `nil` where ``write`` makes it.
    var key: [SQLiteValue]?
    var write: Int?
  }

  /// Elements that are added one behind the other.
  struct Run: Sendable {
    /// The element that they stand behind, by its place in ``LinkWrite/known``; `nil` for the list's beginning.
    let behind: Int?
    var elements: [Element]
  }

  let table: LinkTable
  /// The comparison of the rows' keys.
  var collation = KeyCollation.binary
  /// The owner's key; `nil` where ``ownerWrite`` makes it.
  var owner: [SQLiteValue]?
  var ownerWrite: Int?
  /// The elements that stay, in the order in which they are shown; none where their places don't matter.
  var known: [Known] = []
  /// Those that are given up.
  var removed: [Known] = []
  var runs: [Run] = []
  /// Those that are added behind all.
  var last: [Element] = []
  /// Whether these are shown, and not behind others that are yet to be fetched.
  var showsLast = false
  /// The position of the last one that is shown.
  var lastShown: Int64?

  /// Whether nothing has to be known of what is there.
  var onlyAppends: Bool { removed.isEmpty && runs.isEmpty }
}

/// What has become of a list.
struct LinkChanges: Sendable {
  /// The positions of those that were added, by their numbers.
  var added: [Int: Int64] = [:]
  /// The positions of those that were known, `nil` for each that is gone; `nil` where it was not looked for them.
  var known: [Int64?]?
  /// Whether there are others behind those that are shown, or between them.
  var hasOthers = false
  /// Whether there are some before the last one that is shown.
  var hasOthersBefore = false
}

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

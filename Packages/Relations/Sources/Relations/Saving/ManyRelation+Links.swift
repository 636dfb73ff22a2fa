internal import SQLiteCore

/// A list of links as it is saved.
struct SavedList<Target: TableModel>: Sendable {
  /// The numbers of the elements that had links.
  let known: [Int]
  /// Those that get them, by their numbers.
  let added: [Int: Target.ID]
  /// What makes their keys.
  let writes: [Int: Int]
  /// How many were removed.
  let removedCount: Int
  /// Whether a link that is not here is one that could be fetched.
  let isChecked: Bool

  /// - Parameter writes: What makes the keys of elements, by their numbers.
  init(_ state: ManyRelation<Target>.State, _ writes: [Int: Int], isChecked: Bool) {
    let added = (state.elements + state.tail).filter { $0.position == nil }
    known = state.elements.filter { $0.position != nil }.map(\.number)
    self.added = Dictionary(
      added.map { ($0.number, $0.object.id) }, uniquingKeysWith: { first, _ in first })
    self.writes = writes
    removedCount = state.removed.count
    self.isChecked = isChecked
  }
}

extension LinkWrite {
  /// - Parameter writes: What makes the keys of elements, by their numbers.
  init<Target>(
    _ state: ManyRelation<Target>.State, _ table: LinkTable, _ owner: ListOwner,
    _ writes: [Int: Int]
  ) {
    let collation = owner.owner.session.keyCollation(of: Target.Row.self)
    func known(_ position: Int64, _ id: Target.ID) -> Known {
      Known(position: position, target: collation.folded(id.keyValues))
    }
    self.init(
      table: table, collation: collation, owner: owner.key, ownerWrite: owner.write)
    func element(_ element: ManyRelation<Target>.Element) -> Element {
      let id = element.object.id
      return id.isUnset
        ? Element(number: element.number, write: writes[element.number])
        : Element(number: element.number, key: id.keyValues)
    }
    removed = state.removed.map { known($0.position, $0.id) }
    // Those at the end that were appended are behind all that there are.
    let end = state.firstAppended
    last = (state.elements[end...] + state.tail).map(element)
    showsLast = !state.elements[end...].isEmpty
    lastShown = state.elements.compactMap(\.position).max()
    var behind: Int?
    var count = 0
    for new in state.elements[..<end] {
      if new.position != nil {
        behind = count
        count += 1
      } else if let place = runs.indices.last, runs[place].behind == behind {
        runs[place].elements.append(element(new))
      } else {
        runs.append(Run(behind: behind, elements: [element(new)]))
      }
    }
    if onlyAppends { return }
    self.known = state.elements.compactMap { element in
      element.position.map { known($0, element.object.id) }
    }
  }
}

extension ManyRelation.State {
  /// Gives numbers to elements that have none, by which they are known after the save.
  mutating func numberElements() {
    for place in elements.indices where elements[place].number == 0 {
      lastNumber += 1
      elements[place].number = lastNumber
    }
    for place in tail.indices where tail[place].number == 0 {
      lastNumber += 1
      tail[place].number = lastNumber
    }
  }

  /// What was appended behind others that are yet to be fetched is found there. What was appended since is yet to be saved.
  mutating func noteSavedTail(_ numbers: Set<Int>) {
    let count = tail.count
    tail.removeAll { numbers.contains($0.number) }
    if tail.count < count { hasUnfetched = true }
  }

  mutating func noteWhetherChanged() {
    isChanged =
      !tail.isEmpty || !removed.isEmpty || !removedLinks.isEmpty
      || elements.contains { $0.position == nil }
  }

  /// Takes the positions that elements have by now.
  mutating func take(
    _ saved: SavedList<Target>, _ changes: LinkChanges, _ result: SaveResult
  ) {
    noteSavedTail(Set(saved.added.keys))
    var positions: [Int: Int64?] = [:]
    for (number, position) in changes.added { positions[number] = position }
    if let known = changes.known {
      for (number, position) in zip(saved.known, known) {
        positions.updateValue(position, forKey: number)
      }
    }
    // Others have taken it out.
    elements.removeAll { positions[$0.number] == .some(nil) }
    // Of those that were removed while it was saved, some may be gone, and others elsewhere.
    removed = removed.dropFirst(saved.removedCount).compactMap { removed in
      guard let position = positions[removed.number] else { return removed }
      return position.map {
        ManyRelation<Target>.Removed(position: $0, id: removed.id, number: removed.number)
      }
    }
    for place in elements.indices {
      guard let position = positions[elements[place].number] else { continue }
      elements[place].position = position
      elements[place].isAppended = false
      elements[place].object = Self.keyed(
        elements[place].object, saved.writes[elements[place].number].flatMap { result.keys[$0] })
    }
    noteRemoved(saved, changes, result)
    if saved.isChecked, changes.hasOthers { hasUnfetched = true }
    life.hasUnshown = changes.hasOthersBefore || changes.known == nil && life.hasUnshown
    // Others may have changed the order.
    if !elements.contains(where: { $0.position == nil }) {
      elements.sort { ($0.position ?? 0, $0.number) < ($1.position ?? 0, $1.number) }
    }
    let last = elements.compactMap(\.position).max()
    if metadata.isLoaded { cursor = last.map { [.integer($0)] } }
  }

  /// Those that were removed here while they were saved are links by now, which are to go.
  private mutating func noteRemoved(
    _ saved: SavedList<Target>, _ changes: LinkChanges, _ result: SaveResult
  ) {
    let left = Set(elements.map(\.number))
    for (number, position) in changes.added.sorted(by: { $0.key < $1.key })
    where !left.contains(number) && removedNumbers.contains(number) {
      guard var id = saved.added[number] else { continue }
      if id.isUnset {
        guard let key = saved.writes[number].flatMap({ result.keys[$0] }),
          let made = Target.ID(madeBySQLite: key)
        else { continue }
        id = made
      }
      removed.append(
        ManyRelation<Target>.Removed(position: position, id: id, number: number))
    }
    removedNumbers.subtract(changes.added.keys)
  }

  /// A value with the key that SQLite has made for it.
  private static func keyed(_ object: Target, _ rowID: Int64?) -> Target {
    guard !(object is any Model), object.id.isUnset, let rowID,
      let id = Target.ID(madeBySQLite: rowID)
    else { return object }
    var row = object.row
    row.id = id
    return Target(row: row)
  }
}

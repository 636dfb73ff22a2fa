internal import SQLiteCore

/// A list of links at the time when its save was planned.
struct SavedList<Target: TableModel>: Sendable {
  /// The numbers of the elements that had links.
  let linked: [Int]
  /// The rows of the elements to link, by element number.
  let added: [Int: Target.ID]
  /// The steps that generate their keys, by element number.
  let steps: [Int: Int]
  /// The number of removed links.
  let removedCount: Int
  /// A Boolean value that indicates whether links that are not shown can be fetched.
  let isChecked: Bool

  /// - Parameter steps: The steps that generate the keys of elements, by element number.
  init(_ state: ManyRelation<Target>.State, _ steps: [Int: Int], isChecked: Bool) {
    let added = (state.elements + state.tail).filter { $0.position == nil }
    linked = state.elements.filter { $0.position != nil }.map(\.number)
    self.added = Dictionary(
      added.map { ($0.number, $0.object.id) }, uniquingKeysWith: { first, _ in first })
    self.steps = steps
    removedCount = state.removed.count
    self.isChecked = isChecked
  }
}

extension LinkWrite {
  /// - Parameter steps: The steps that generate the keys of elements, by element number.
  init<Target>(
    _ state: ManyRelation<Target>.State, _ table: LinkTable, _ owner: ListOwner,
    _ steps: [Int: Int]
  ) {
    let collation = owner.owner.session.keyCollation(of: Target.Row.self)
    func link(_ position: Int64, _ id: Target.ID) -> StoredLink {
      StoredLink(position: position, target: collation.folded(id.keyValues))
    }
    self.init(
      table: table, collation: collation, owner: owner.key, ownerStep: owner.step)
    func element(_ element: ManyRelation<Target>.Element) -> Element {
      let id = element.object.id
      return id.isUnset
        ? Element(number: element.number, step: steps[element.number])
        : Element(number: element.number, key: id.keyValues)
    }
    removed = state.removed.map { link($0.position, $0.id) }
    // Elements appended at the end follow all stored links.
    let end = state.firstAppended
    appended = (state.elements[end...] + state.tail).map(element)
    showsAppended = !state.elements[end...].isEmpty
    lastShown = state.elements.compactMap(\.position).max()
    var after: Int?
    var count = 0
    for new in state.elements[..<end] {
      if new.position != nil {
        after = count
        count += 1
      } else if let place = insertions.indices.last, insertions[place].after == after {
        insertions[place].elements.append(element(new))
      } else {
        insertions.append(Insertion(after: after, elements: [element(new)]))
      }
    }
    if onlyAppends { return }
    kept = state.elements.compactMap { element in
      element.position.map { link($0, element.object.id) }
    }
  }
}

extension ManyRelation.State {
  /// Assigns numbers to elements without one, which identify them after the save.
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

  /// Removes saved elements that were appended after rows that are not yet fetched; a fetch will
  /// return them. Elements appended since are still unsaved.
  mutating func removeSavedTail(_ numbers: Set<Int>) {
    let count = tail.count
    tail.removeAll { numbers.contains($0.number) }
    if tail.count < count { hasUnfetched = true }
  }

  mutating func updateIsChanged() {
    isChanged =
      !tail.isEmpty || !removed.isEmpty || !removedLinks.isEmpty
      || elements.contains { $0.position == nil }
  }

  /// Stores the current positions of the elements.
  mutating func applySavedPositions(
    _ saved: SavedList<Target>, _ changes: LinkChanges, _ result: FlushResult
  ) {
    removeSavedTail(Set(saved.added.keys))
    var positions: [Int: Int64?] = [:]
    for (number, position) in changes.addedPositions { positions[number] = position }
    if let keptPositions = changes.keptPositions {
      for (number, position) in zip(saved.linked, keptPositions) {
        positions.updateValue(position, forKey: number)
      }
    }
    // Another connection has removed these elements.
    elements.removeAll { positions[$0.number] == .some(nil) }
    // Links that were removed during the save may have been deleted or moved.
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
        elements[place].object, saved.steps[elements[place].number].flatMap { result.keys[$0] })
    }
    recordRemoval(saved, changes, result)
    if saved.isChecked, changes.hasOthers { hasUnfetched = true }
    hasUnshownRows =
      changes.hasOthersBefore || changes.keptPositions == nil && hasUnshownRows
    // Another connection may have changed the order.
    if !elements.contains(where: { $0.position == nil }) {
      elements.sort { ($0.position ?? 0, $0.number) < ($1.position ?? 0, $1.number) }
    }
    let last = elements.compactMap(\.position).max()
    if metadata.isLoaded { cursor = last.map { [.integer($0)] } }
  }

  /// Records that elements that were removed during the save now have links, which must be deleted.
  private mutating func recordRemoval(
    _ saved: SavedList<Target>, _ changes: LinkChanges, _ result: FlushResult
  ) {
    let remaining = Set(elements.map(\.number))
    for (number, position) in changes.addedPositions.sorted(by: { $0.key < $1.key })
    where !remaining.contains(number) && removedNumbers.contains(number) {
      guard var id = saved.added[number] else { continue }
      if id.isUnset {
        guard let key = saved.steps[number].flatMap({ result.keys[$0] }),
          let newID = Target.ID(generatedBySQLite: key)
        else { continue }
        id = newID
      }
      removed.append(
        ManyRelation<Target>.Removed(position: position, id: id, number: number))
    }
    removedNumbers.subtract(changes.addedPositions.keys)
  }

  /// Returns a value with the key that SQLite has generated for it.
  private static func keyed(_ object: Target, _ rowID: Int64?) -> Target {
    guard !(object is any Model), object.id.isUnset, rowID != nil else { return object }
    return Target(row: object.row.withKey(rowID))
  }
}

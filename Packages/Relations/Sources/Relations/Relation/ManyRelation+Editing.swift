extension ManyRelation {
  /// Adds rows at the end.
  ///
  /// A list of links has them behind all others, whether these were fetched or not. Rows of an owner that they refer to refer to
  /// this one from now on. They are saved with the owner, if they are new or refer to it only now.
  public func append(_ objects: [Target]) {
    change { $0.append(objects.map { Element(object: $0, isAppended: true) }) }
  }

  /// Adds a row at the end, with the row that is to be its link.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` where the list's links are no rows of that type.
  public func append<Link: Table>(_ object: Target, link: Link) throws(RelationError) {
    guard case .path(_, _, let links?) = kind, links.type == Link.self else {
      throw RelationError(
        .schemaMismatch, "the list has no links in \(Link.tableName)", table: Target.Row.tableName)
    }
    change { $0.append([Element(object: object, newLink: link, isAppended: true)]) }
  }

  /// Inserts rows before the one at an index of ``items``.
  ///
  /// - Parameters:
  ///   - objects: The rows.
  ///   - index: An index of the array that ``items`` returned last, with the edits since. If the rows are others by now, the new
  ///     ones follow the row that was shown before them. An index beyond either end means that end.
  public func insert(_ objects: [Target], at index: Int) {
    change { $0.insert(objects, at: index) }
  }

  /// Removes the row at an index of ``items`` from the list. The row is not deleted.
  ///
  /// - Parameter index: An index of the array that ``items`` returned last, with the edits since. Nothing is removed if there is
  ///   no such row, or if the row that was shown there is no longer in the list.
  public func remove(at index: Int) {
    change { $0.remove(at: index, hasPositions: hasPositions) }
  }

  /// Moves the row at an index of ``items`` to another index.
  ///
  /// ```swift
  /// // items are a, b, c, d
  /// parent.children.move(from: 0, to: 2)
  /// // items are b, c, a, d
  /// ```
  ///
  /// The order of a list of links is saved with the owner. Other lists have the order that their rows or links have, and show
  /// another one only until they are loaded again.
  ///
  /// - Parameters:
  ///   - source: An index of the array that ``items`` returned last, with the edits since. Nothing is moved if there is no such
  ///     row.
  ///   - destination: The index that the row has afterwards. It is not an offset into the array before the move, as that of
  ///     SwiftUI's `move(fromOffsets:toOffset:)` is. An index beyond either end means that end.
  public func move(from source: Int, to destination: Int) {
    change { $0.move(from: source, to: destination, hasPositions: hasPositions) }
  }

  /// Edits the rows that were shown last. What has arrived since is merged with the edit when somebody looks.
  private func change(_ body: (inout State) -> [Move]) {
    var (moves, owner): ([Move], RelationOwner?) = ([], nil)
    mutate {
      (moves, owner) = with { state -> ([Move], RelationOwner?) in
        let moves = body(&state)
        if !moves.isEmpty { state.isChanged = true }
        return (moves, state.metadata.owner)
      }
    }
    if moves.isEmpty { return }
    if case .inverse(let inverse, _) = kind {
      for move in moves {
        inverse.setOwner(of: move.object, move.isAdded ? owner : nil, isNew: true)
      }
    }
    owner?.noteLoaded()
    owner?.noteChange()
  }
}

// Indexes mean the rows that were shown last. As long as the rows are just these, `shown` is not needed.
extension ManyRelation.State {
  typealias Element = ManyRelation<Target>.Element
  typealias Move = ManyRelation<Target>.Move

  var hasMore: Bool { hasUnfetched || hasAppended }

  /// The rows, which edits count in from now on.
  mutating func look() -> [Target] {
    shown = nil
    isShown = true
    return elements.map(\.object)
  }

  /// Keeps which rows were shown last, before anything but an edit changes them.
  mutating func keepShown() {
    guard isShown else { return }
    numberElements()
    shown = elements.map(\.number)
    isShown = false
  }

  // MARK: Edits

  mutating func append(_ added: [Element]) -> [Move] {
    if added.isEmpty { return [] }
    if metadata.isLoaded, !hasUnfetched {
      let numbered = numbered(added)
      elements += numbered
      shown?.append(contentsOf: numbered.map(\.number))
    } else {
      tail += added
    }
    hasAppended = true
    return added.map { Move(object: $0.object, isAdded: true) }
  }

  mutating func insert(_ objects: [Target], at index: Int) -> [Move] {
    put(objects.map { Element(object: $0) }, at: index)
    return objects.map { Move(object: $0, isAdded: true) }
  }

  mutating func remove(at index: Int, hasPositions: Bool) -> [Move] {
    guard (0..<shownCount).contains(index) else { return [] }
    let place = place(ofShown: index)
    if shown?.remove(at: index) == nil { isShown = true }
    guard let place else { return [] }
    let element = elements.remove(at: place)
    noteRemoved(element, hasPositions: hasPositions)
    return [Move(object: element.object, isAdded: false)]
  }

  mutating func move(from source: Int, to destination: Int, hasPositions: Bool) -> [Move] {
    guard (0..<shownCount).contains(source) else { return [] }
    let place = place(ofShown: source)
    let number = shown?.remove(at: source)
    guard let place else {
      // Others have removed it: indexes go on to count it.
      let index = clamped(destination)
      if let number { shown?.insert(number, at: index) }
      return []
    }
    let element = elements.remove(at: place)
    guard hasPositions, element.position != nil || schedule.isSaving else {
      var moved = element
      moved.isAppended = false
      put([moved], at: destination)
      return []
    }
    noteRemoved(element, hasPositions: true)
    return insert([element.object], at: destination)
  }

  /// Notes what is to be written, now or after the save that runs, since an element is no longer in the list.
  private mutating func noteRemoved(_ element: Element, hasPositions: Bool) {
    if element.position == nil, schedule.isSaving { removedNumbers.insert(element.number) }
    if !element.link.isEmpty {
      removedLinks.append(element.link)
    } else if hasPositions, let position = element.position {
      removed.append(
        ManyRelation<Target>.Removed(
          position: position, id: element.object.id, number: element.number))
    }
  }

  // MARK: Places

  private var shownCount: Int { shown?.count ?? elements.count }

  private func clamped(_ index: Int) -> Int { Swift.min(Swift.max(index, 0), shownCount) }

  /// The place of the row that is shown at an index; `nil` if it is no longer in the list.
  private func place(ofShown index: Int) -> Int? {
    guard let shown else { return index }
    return elements.firstIndex { $0.number == shown[index] }
  }

  /// Puts elements at an index of those that are shown, behind the one before it that is still in the list.
  private mutating func put(_ added: [Element], at index: Int) {
    let index = clamped(index)
    guard let shown else {
      elements.insert(contentsOf: added, at: index)
      isShown = true
      return
    }
    var place = 0
    for number in shown[..<index].reversed() {
      guard let before = elements.firstIndex(where: { $0.number == number }) else { continue }
      place = before + 1
      break
    }
    let numbered = numbered(added)
    elements.insert(contentsOf: numbered, at: place)
    self.shown?.insert(contentsOf: numbered.map(\.number), at: index)
  }

  /// New elements, with numbers if they are needed to find them.
  private mutating func numbered(_ added: [Element]) -> [Element] {
    guard shown != nil else { return added }
    return added.map { element in
      guard element.number == 0 else { return element }
      var element = element
      lastNumber += 1
      element.number = lastNumber
      return element
    }
  }
}

extension ManyRelation {
  /// Appends rows to the list.
  ///
  /// A list of links stores them after all its other rows, including rows that have not been
  /// fetched. In an inverse list, the rows then refer to this owner. The rows are saved with the
  /// owner if they are new or their reference has changed.
  public func append(_ objects: [Target]) {
    change { $0.append(objects.map { Element(object: $0, isAppended: true) }) }
  }

  /// Appends a row together with its link row.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the list has no
  ///   links of type `Link`.
  public func append<Link: Table>(_ object: Target, link: Link) throws(RelationError) {
    guard case .path(_, _, let links?) = kind, links.type == Link.self else {
      throw RelationError(
        .schemaMismatch, "the list has no links of \(Link.tableName)", table: Target.Row.tableName)
    }
    change { $0.append([Element(object: object, newLink: link, isAppended: true)]) }
  }

  /// Inserts rows before the row at an index of ``items``.
  ///
  /// - Parameters:
  ///   - objects: The rows.
  ///   - index: An index into the array that ``items`` last returned, adjusted by the edits since.
  ///     If the list's rows have changed, the new rows follow the row that preceded `index` in that
  ///     array. An index out of bounds is clamped.
  public func insert(_ objects: [Target], at index: Int) {
    change { $0.insert(objects, at: index) }
  }

  /// Removes the row at an index of ``items`` from the list. The row is not deleted.
  ///
  /// - Parameter index: An index into the array that ``items`` last returned, adjusted by the edits
  ///   since. The call has no effect if the index is out of bounds or the row at the index is no
  ///   longer in the list.
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
  /// The order of a list of links is saved with the owner. Other lists are ordered by their rows or
  /// links; a move changes their order only until they are loaded again.
  ///
  /// - Parameters:
  ///   - source: An index into the array that ``items`` last returned, adjusted by the edits since.
  ///     The call has no effect if the index is out of bounds.
  ///   - destination: The row's index after the move. Unlike the offset of SwiftUI's
  ///     `move(fromOffsets:toOffset:)`, it does not refer to the array before the move. An index
  ///     out of bounds is clamped.
  public func move(from source: Int, to destination: Int) {
    change { $0.move(from: source, to: destination, hasPositions: hasPositions) }
  }

  /// Edits the rows that were last shown. Changes received since are merged when the list is next
  /// read.
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
    owner?.relationDidLoad()
    owner?.markChanged()
  }
}

// Indexes refer to the rows that were last shown. As long as the list's rows are exactly these,
// `shown` is `nil`.
extension ManyRelation.State {
  typealias Element = ManyRelation<Target>.Element
  typealias Move = ManyRelation<Target>.Move

  var hasMore: Bool { hasUnfetched || hasAppended }

  /// Returns the rows and makes them the reference for the indexes of later edits.
  mutating func rowsForDisplay() -> [Target] {
    shown = nil
    isShown = true
    return elements.map(\.object)
  }

  /// Records which rows were last shown, before a change other than an edit.
  mutating func preserveShownOrder() {
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
    return added.map { (object: $0.object, isAdded: true) }
  }

  mutating func insert(_ objects: [Target], at index: Int) -> [Move] {
    put(objects.map { Element(object: $0) }, at: index)
    return objects.map { (object: $0, isAdded: true) }
  }

  mutating func remove(at index: Int, hasPositions: Bool) -> [Move] {
    guard (0..<shownCount).contains(index) else { return [] }
    let elementIndex = elementIndex(ofShown: index)
    if shown?.remove(at: index) == nil { isShown = true }
    guard let elementIndex else { return [] }
    let element = elements.remove(at: elementIndex)
    recordRemoval(element, hasPositions: hasPositions)
    return [(object: element.object, isAdded: false)]
  }

  mutating func move(from source: Int, to destination: Int, hasPositions: Bool) -> [Move] {
    guard (0..<shownCount).contains(source) else { return [] }
    let elementIndex = elementIndex(ofShown: source)
    let number = shown?.remove(at: source)
    guard let elementIndex else {
      // Another change has removed the row, but indexes still count it.
      let index = clamped(destination)
      if let number { shown?.insert(number, at: index) }
      return []
    }
    let element = elements.remove(at: elementIndex)
    guard hasPositions, element.position != nil || schedule.isSaving else {
      var moved = element
      moved.isAppended = false
      put([moved], at: destination)
      return []
    }
    recordRemoval(element, hasPositions: true)
    return insert([element.object], at: destination)
  }

  /// Records the writes that the removal of an element requires, now or after the running save.
  private mutating func recordRemoval(_ element: Element, hasPositions: Bool) {
    if element.position == nil, schedule.isSaving { removedNumbers.insert(element.number) }
    if !element.link.isEmpty {
      removedLinks.append(element.link)
    } else if hasPositions, let position = element.position {
      removed.append(
        ManyRelation<Target>.Removed(
          position: position, id: element.object.id, number: element.number))
    }
  }

  // MARK: Indexes

  private var shownCount: Int { shown?.count ?? elements.count }

  private func clamped(_ index: Int) -> Int { Swift.min(Swift.max(index, 0), shownCount) }

  /// The index of the element shown at `index`; `nil` if it is no longer in the list.
  private func elementIndex(ofShown index: Int) -> Int? {
    guard let shown else { return index }
    return elements.firstIndex { $0.number == shown[index] }
  }

  /// Inserts elements at an index of the shown rows, after the nearest preceding row that is still
  /// in the list.
  private mutating func put(_ added: [Element], at index: Int) {
    let index = clamped(index)
    guard let shown else {
      elements.insert(contentsOf: added, at: index)
      isShown = true
      return
    }
    var elementIndex = 0
    for number in shown[..<index].reversed() {
      guard let before = elements.firstIndex(where: { $0.number == number }) else { continue }
      elementIndex = before + 1
      break
    }
    let numbered = numbered(added)
    elements.insert(contentsOf: numbered, at: elementIndex)
    self.shown?.insert(contentsOf: numbered.map(\.number), at: index)
  }

  /// Returns the new elements, numbered if numbers are needed to find them.
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

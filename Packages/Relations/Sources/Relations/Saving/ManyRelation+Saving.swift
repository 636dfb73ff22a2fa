internal import SQLiteCore

/// Lists whatever their rows are.
protocol AnyManyRelation: AnyRelation {
  /// The models that were added and are not saved.
  var addedModels: [any Model] { get }

  /// What is to be written of the links; `nil` for a list that has none.
  ///
  /// - Parameters:
  ///   - owner: The owner's key; `nil` where a write makes it.
  ///   - ownerWrite: That write.
  ///   - places: The writes of models.
  func save(
    _ owner: SQLiteValue?, _ ownerWrite: Int?, _ places: [ObjectIdentifier: Int]
  ) throws -> (write: LinkWrite, completion: ([(position: Int64, target: SQLiteValue)]) -> Void)?

  /// Notes that all was saved.
  func noteSaved()

  /// Notes that the owner is new: it has no rows.
  func noteNewOwner()
}

extension ManyRelation: AnyManyRelation {
  var addedModels: [any Model] {
    let objects = with { state in
      state.elements.filter { $0.position == nil }.map(\.object) + state.tail
    }
    return objects.compactMap { $0 as? any Model }
  }

  func save(
    _ owner: SQLiteValue?, _ ownerWrite: Int?, _ places: [ObjectIdentifier: Int]
  ) throws -> (write: LinkWrite, completion: ([(position: Int64, target: SQLiteValue)]) -> Void)? {
    guard case .links(let rules) = kind, let (of, property) = ownerAndProperty else { return nil }
    let table = LinkTable(
      owner: try TableShape.of(of.type), property: property, target: Target.Row.self, rules: rules)
    let (elements, tail, removed) = with { ($0.elements, $0.tail, $0.removed) }
    var runs: [LinkWrite.Run] = []
    var run: [LinkWrite.Element] = []
    for element in elements {
      if let position = element.position {
        if !run.isEmpty { runs.append(LinkWrite.Run(before: position, elements: run)) }
        run = []
      } else {
        run.append(Self.link(to: element.object, places))
      }
    }
    run += tail.map { Self.link(to: $0, places) }
    if !run.isEmpty { runs.append(LinkWrite.Run(before: nil, elements: run)) }
    let write = LinkWrite(
      table: table, owner: owner, ownerWrite: ownerWrite, removed: removed, runs: runs)
    return (write, { links in self.noteSaved(links, elements, removed: removed) })
  }

  private var ownerAndProperty: (RelationOwner, String)? {
    with { state in state.owner.flatMap { owner in state.property.map { (owner, $0) } } }
  }

  private static func link(to object: Target, _ places: [ObjectIdentifier: Int])
    -> LinkWrite.Element
  {
    guard object.id.isUnset, let model = object as? any Model else {
      return LinkWrite.Element(key: object.id.keyValues.first)
    }
    return LinkWrite.Element(write: places[ObjectIdentifier(model)])
  }

  func noteNewOwner() { with { $0.isLoaded = true } }

  func noteSaved() {
    with { state in
      state.isChanged = false
      // They are found behind those that are yet to be fetched.
      state.tail = []
      state.elements = state.elements.map { Element(position: 0, object: $0.object) }
    }
  }

  /// Takes the positions that elements have by now. What others have added between them is left to the next fetch.
  private func noteSaved(
    _ links: [(position: Int64, target: SQLiteValue)], _ saved: [Element], removed: [Int64]
  ) {
    with { state in
      let isAsSaved =
        state.elements.count == saved.count
        && zip(state.elements, saved).allSatisfy {
          $0.position == $1.position && $0.object.id == $1.object.id
        }
      var next = 0
      var last: Int64?
      state.elements = state.elements.map { element in
        guard let key = element.object.id.keyValues.first,
          let place = links[next...].firstIndex(where: { $0.target == key })
        else { return element }
        next = place + 1
        last = links[place].position
        return Element(position: links[place].position, object: element.object)
      }
      let gone = Set(removed)
      state.removed.removeAll { gone.contains($0) }
      if state.isLoaded { state.lastPosition = last ?? state.lastPosition }
      if !state.tail.isEmpty {
        state.tail = []
        state.hasUnfetched = true
      }
      state.isChanged = !isAsSaved
    }
  }
}

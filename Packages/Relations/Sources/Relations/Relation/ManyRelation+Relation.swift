internal import SQLiteCore

extension ManyRelation: AnyRelation {
  var relationKind: RelationKind {
    switch kind {
    case .links(let rules): .links(target: Target.Row.self, rules)
    case .inverse: .inverse(target: Target.Row.self)
    case .path(let steps, _, _):
      .path(tables: steps.flatMap { [$0.property.owner, $0.property.target] })
    }
  }

  func fresh(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) -> any AnyRelation {
    ManyRelation(kind, initial: initial, limit: limit)
  }

  func attach(_ owner: RelationOwner, _ property: String) { attach(owner, .none, property) }

  /// Says whose property it is, and which.
  ///
  /// - Parameter key: The owner's key, where others share what tells of it.
  @usableFromInline
  func attach(_ owner: RelationOwner, _ key: StoredKey, _ property: String) {
    if core.attach(owner, key, property) { return }
    with { state in
      state.metadata.owner = key == .none ? owner : RelationOwner(owner, key: key)
      state.metadata.property = property
    }
  }

  func takeOver(_ former: any AnyRelation) {
    // One may be put back in the place of the one that took its place.
    guard let former = former as? ManyRelation, former.last !== self, last !== former else {
      return
    }
    let taken = former.with { state -> State in
      let taken = state
      state = State()
      state.successor = self
      return taken
    }
    with { state in
      let owner = state.metadata.owner ?? taken.metadata.owner
      state = taken
      state.metadata.owner = owner
    }
    taken.follower?.replace(former, by: self)
  }

  /// The one that is the property by now.
  private var last: ManyRelation {
    var last = self
    while let next = last.successor { last = next }
    return last
  }

  @usableFromInline var isChanged: Bool { quietly { _ in false } ?? with(\.isChanged) }
}

extension ManyRelation: Hashable {
  /// A list is no part of its owner's row: all are equal.
  public static func == (a: ManyRelation, b: ManyRelation) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

extension ManyRelation: Codable {
  /// Reads nothing: a list is no part of its owner's row.
  public convenience init(from decoder: any Decoder) throws { self.init() }

  /// Writes nothing but `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

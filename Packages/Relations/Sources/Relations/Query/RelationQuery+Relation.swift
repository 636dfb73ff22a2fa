internal import SQLiteCore

extension RelationQuery: AnyRelation {
  var relationKind: RelationKind { .none }

  func fresh(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) -> any AnyRelation {
    RelationQuery(text.sql, arguments: arguments, initial: initial, limit: limit)
  }

  func attach(_ owner: RelationOwner, _ property: String) { with { $0.owner = owner } }

  func takeOver(_ former: any AnyRelation) {
    guard let former = former as? RelationQuery, former !== self else { return }
    let taken = former.with { state -> State in
      let taken = state
      state = State()
      state.successor = self
      return taken
    }
    with { state in
      let owner = state.owner ?? taken.owner
      state = taken
      state.owner = owner
    }
  }

  var isChanged: Bool { false }
}

extension RelationQuery: Hashable {
  /// A query is no part of its owner's row: all are equal.
  public static func == (a: RelationQuery, b: RelationQuery) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

extension RelationQuery: Codable {
  /// Reads nothing: a query is code, and no part of its owner's row.
  public convenience init(from decoder: any Decoder) throws { self.init() }

  /// Writes nothing but `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

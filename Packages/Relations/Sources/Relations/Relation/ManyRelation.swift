internal import SQLiteCore

/// Many rows that a row leads to: an ordered list that is the owner's, or the rows whose to-one relation is the owner.
///
/// ```swift
/// struct Value: Table {
///   var id: AutoId = 0
///   var children = ManyRelation<Child>()          // a list of its own, in any order, by a table of links
///   var pictures = ManyRelation<Picture>(\.album) // those whose `album` is this one
/// }
/// try await parent.children.fetch()               // the first 150
/// for child in parent.children.items { print(child.value.name) }
/// parent.children.append([child])                 // parent has changes now
/// parent.saveChangesLater()
/// ```
///
/// Nothing is fetched before it is asked for. ``items`` are those that were fetched: ``isLoaded`` tells none from not fetched,
/// ``hasMore`` whether there are others.
public final class ManyRelation<Target: TableModel>: Sendable {
  enum Kind: Sendable {
    case links(LinkRules)
    case inverse(any InverseRelation<Target>, order: String?)
    case path([RelationStep], order: String?, LinkRows<Target>?)
  }

  let kind: Kind
  /// How many are fetched at first, and then each time.
  let initial: Int
  let limit: Int
  @usableFromInline let core: ListCore
  /// Whether it stands for a list that is there, as long as somebody works with that.
  private let isBorrowed: Bool

  /// An ordered list of rows, of which one may be there several times.
  ///
  /// - Parameters:
  ///   - initial: How many ``fetch()`` fetches at first.
  ///   - limit: How many it fetches each time from then on.
  ///   - onDeleteTarget: What becomes of the links to a row that is deleted: they go too.
  public convenience init(
    initial: Int = 150, limit: Int = 50, onDeleteTarget: ForeignKeyAction = .cascade
  ) {
    self.init(
      .links(LinkRules(onDeleteTarget: onDeleteTarget)), initial: initial, limit: limit)
  }

  /// The rows whose to-one relation is the owner.
  ///
  /// - Parameters:
  ///   - inverse: That relation.
  ///   - order: The order, as `ORDER BY` says it; rows that it leaves alike, and all where it is `nil`, follow by their keys.
  ///   - initial: How many ``fetch()`` fetches at first.
  ///   - limit: How many it fetches each time from then on.
  public convenience init<Owner: TableModel>(
    _ inverse: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable,
    orderedBy order: String? = nil,
    initial: Int = 150, limit: Int = 50
  ) {
    self.init(
      .inverse(InverseProperty(path: inverse), order: order), initial: initial, limit: limit)
  }

  /// The rows that the owner is linked with by rows of another table, which has columns of its own.
  ///
  /// ```swift
  /// struct Enrolment: Table {
  ///   var id = 0
  ///   var student = OneRelation<Student>(isRequired: true, onDelete: .cascade)
  ///   var course = OneRelation<Course>(isRequired: true, onDelete: .cascade)
  ///   var grade: Int?
  /// }
  /// struct Student: Table {
  ///   var id = 0
  ///   var courses = ManyRelation<Course>(through: \Enrolment.student, \Enrolment.course)
  /// }
  /// student.courses.append([course])                            // an enrolment is made as the student is saved
  /// try student.courses.append(other, link: Enrolment(grade: 2))
  /// let enrolments = try await student.courses.links(Enrolment.self)
  /// ```
  ///
  /// - Parameters:
  ///   - owner: The relation of the links that is the list's owner.
  ///   - target: The one that leads to the list's rows.
  ///   - order: The order, as `ORDER BY` says it; rows that it leaves alike, and all where it is `nil`, follow by the keys of their
  ///     links.
  ///   - initial: How many ``fetch()`` fetches at first.
  ///   - limit: How many it fetches each time from then on.
  public convenience init<Link: Table, Owner: TableModel>(
    through owner: any KeyPath<Link, OneRelation<Owner>> & Sendable,
    _ target: any KeyPath<Link, OneRelation<Target>> & Sendable,
    orderedBy order: String? = nil, initial: Int = 150, limit: Int = 50
  ) {
    let steps: [RelationStep] = [.inverse(ToOneProperty(owner)), .to(ToOneProperty(target))]
    self.init(
      .path(steps, order: order, LinkRows(owner, target)), initial: initial, limit: limit)
  }

  /// The rows that the owner leads to by way of others: only read, each of them once.
  ///
  /// ```swift
  /// var teachers = ManyRelation<Teacher>(via: RelationPath(\Enrolment.student).to(\.course).to(\.teacher))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The way from the owner.
  ///   - order: As of the other lists.
  ///   - initial: How many ``fetch()`` fetches at first.
  ///   - limit: How many it fetches each time from then on.
  public convenience init(
    via path: RelationPath<Target.Row>, orderedBy order: String? = nil,
    initial: Int = 150, limit: Int = 50
  ) {
    self.init(.path(path.steps, order: order, nil), initial: initial, limit: limit)
  }

  init(_ kind: Kind, initial: Int, limit: Int) {
    self.kind = kind
    self.initial = Swift.max(1, initial)
    self.limit = Swift.max(1, limit)
    core = ListCore()
    isBorrowed = false
  }

  /// A list that is there, for those who follow it: what it knows, and no more.
  init(borrowing core: ListCore) {
    kind = .links(LinkRules(onDeleteTarget: .cascade))
    (initial, limit) = (1, 1)
    self.core = core
    isBorrowed = true
  }

  deinit { if !isBorrowed { core.release() } }

  // MARK: What is there

  /// The rows that were fetched, and those that were added behind them.
  ///
  /// A list that was fetched follows every commit: what others have taken out of it or moved is so here too, from when it
  /// is asked for. It does not grow by itself: ``hasMore`` tells of rows that are new, and ``fetch()`` shows them. What was
  /// changed here stays.
  ///
  /// Indexes of edits count in the array that was returned last, with the edits since: what arrives later is merged with them.
  public var items: [Target] {
    access()
    absorb()
    // They are read after the lock is released.
    if let rows = quietly(\.rows) { return Self.rows(of: rows) }
    return with { $0.look() }
  }

  /// The rows that are known by now, for others than whoever uses the list.
  var objects: [Target] {
    if let rows = quietly(\.rows) { return Self.rows(of: rows) }
    return with { $0.elements.map(\.object) }
  }

  /// Whether any were fetched, or the owner is new, and so has none.
  public var isLoaded: Bool { metadata(\.isLoaded) }

  /// The rows that were fetched, and those that were added behind them: ``items``, where any were fetched.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/notLoaded`` where none were fetched: a list that is empty is none
  ///   that was not asked for.
  public func loaded() throws(RelationError) -> [Target] {
    if isLoaded { return items }
    throw RelationError(
      .notLoaded, "the list was not fetched", table: Target.Row.tableName,
      column: metadata(\.property))
  }

  /// Whether there are rows that are not in ``items``: as far as is known, and after ``append(_:)`` until the next
  /// ``fetch()``.
  public var hasMore: Bool {
    access()
    absorb()
    return quietly { _ in false } ?? with(\.hasMore)
  }

  /// Whether its rows are linked by positions.
  var hasPositions: Bool {
    if case .links = kind { true } else { false }
  }

  /// Whether its rows refer to the owner themselves.
  var isInverse: Bool {
    if case .inverse = kind { true } else { false }
  }

  /// Whether rows of it are changed by way of others, and so not by it.
  var isReadOnly: Bool {
    if case .path(_, _, nil) = kind { true } else { false }
  }

  struct Move: Sendable {
    let object: Target
    let isAdded: Bool
  }
}

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

internal import SQLiteCore

/// A to-many relation: an ordered list that belongs to the owner, or the rows whose to-one relation
/// refers to the owner.
///
/// ```swift
/// struct Value: Table {
///   var id: AutoId = 0
///   var children = ManyRelation<Child>()          // an ordered list, stored in a link table
///   var pictures = ManyRelation<Picture>(\.album) // the pictures whose `album` is this row
/// }
/// try await parent.children.fetch()               // the first 150
/// for child in parent.children.items { print(child.value.name) }
/// parent.children.append([child])                 // parent has changes now
/// parent.saveChangesLater()
/// ```
///
/// Rows are fetched only on request. ``items`` contains the fetched rows. ``isLoaded``
/// distinguishes an empty list from one that was not fetched; ``hasMore`` indicates whether there
/// are rows that were not fetched.
public final class ManyRelation<Target: TableModel>: Sendable {
  enum Kind: Sendable {
    case links(onDeleteTarget: ForeignKeyAction)
    case inverse(any InverseRelation<Target>, order: String?)
    case path([RelationStep], order: String?, LinkRows<Target>?)
  }

  let kind: Kind
  /// The number of rows that the first fetch and each later fetch return.
  let initial: Int
  let limit: Int
  @usableFromInline let core: ListCore
  /// A Boolean value that indicates whether this object temporarily wraps the core of another list.
  private let isBorrowed: Bool

  /// Creates an ordered list of rows, which may contain the same row several times.
  ///
  /// - Parameters:
  ///   - initial: The number of rows that the first ``fetch()`` fetches.
  ///   - limit: The number of rows that each later ``fetch()`` fetches.
  ///   - onDeleteTarget: The action for the links to a row that is deleted; by default they are
  ///     deleted too.
  public convenience init(
    initial: Int = 150, limit: Int = 50, onDeleteTarget: ForeignKeyAction = .cascade
  ) {
    self.init(.links(onDeleteTarget: onDeleteTarget), initial: initial, limit: limit)
  }

  /// Creates the list of rows whose to-one relation refers to the owner.
  ///
  /// - Parameters:
  ///   - inverse: The to-one relation.
  ///   - order: The terms of an `ORDER BY` clause. Ties, or all rows if it is `nil`, are ordered by
  ///     key.
  ///   - initial: The number of rows that the first ``fetch()`` fetches.
  ///   - limit: The number of rows that each later ``fetch()`` fetches.
  public convenience init<Owner: TableModel>(
    _ inverse: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable,
    orderedBy order: String? = nil,
    initial: Int = 150, limit: Int = 50
  ) {
    self.init(
      .inverse(InverseProperty(path: inverse), order: order), initial: initial, limit: limit)
  }

  /// Creates the list of rows that are linked to the owner through rows of another table, which may
  /// have further columns.
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
  /// student.courses.append([course])                            // saving the student inserts an enrolment
  /// try student.courses.append(other, link: Enrolment(grade: 2))
  /// let enrolments = try await student.courses.links(Enrolment.self)
  /// ```
  ///
  /// - Parameters:
  ///   - owner: The link's relation to the list's owner.
  ///   - target: The link's relation to the list's row.
  ///   - order: The terms of an `ORDER BY` clause. Ties, or all rows if it is `nil`, are ordered by
  ///     the key of the link.
  ///   - initial: The number of rows that the first ``fetch()`` fetches.
  ///   - limit: The number of rows that each later ``fetch()`` fetches.
  public convenience init<Link: Table, Owner: TableModel>(
    through owner: any KeyPath<Link, OneRelation<Owner>> & Sendable,
    _ target: any KeyPath<Link, OneRelation<Target>> & Sendable,
    orderedBy order: String? = nil, initial: Int = 150, limit: Int = 50
  ) {
    let steps: [RelationStep] = [.inverse(ToOneProperty(owner)), .to(ToOneProperty(target))]
    self.init(
      .path(steps, order: order, LinkRows(owner, target)), initial: initial, limit: limit)
  }

  /// Creates a read-only list of the rows that the owner reaches through other tables, each row
  /// once.
  ///
  /// ```swift
  /// var teachers = ManyRelation<Teacher>(via: RelationPath(\Enrolment.student).to(\.course).to(\.teacher))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path from the owner.
  ///   - order: The terms of an `ORDER BY` clause. Ties, or all rows if it is `nil`, are ordered by
  ///     key.
  ///   - initial: The number of rows that the first ``fetch()`` fetches.
  ///   - limit: The number of rows that each later ``fetch()`` fetches.
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

  /// Wraps the core of an existing list for a subscription. Only the list's state is available.
  init(borrowing core: ListCore) {
    kind = .links(onDeleteTarget: .cascade)
    (initial, limit) = (1, 1)
    self.core = core
    isBorrowed = true
  }

  deinit { if !isBorrowed { core.release() } }

  // MARK: Rows

  /// The fetched rows, followed by appended rows.
  ///
  /// A fetched list follows every commit: rows that other connections removed or moved are removed
  /// or moved here too, when the property is read. The list does not grow automatically:
  /// ``hasMore`` indicates new rows, and ``fetch()`` shows them. Unsaved edits are kept.
  ///
  /// The indexes of edits refer to the array that was last returned, adjusted by the edits since.
  /// Changes received later are merged with the edits.
  public var items: [Target] {
    access()
    applyPendingRefresh()
    // The rows are converted after the lock is released.
    if let rows = withCompactState(\.rows) { return Self.rows(of: rows) }
    return with { $0.rowsForDisplay() }
  }

  /// The current rows, without applying received changes.
  var objects: [Target] {
    if let rows = withCompactState(\.rows) { return Self.rows(of: rows) }
    return with { $0.elements.map(\.object) }
  }

  /// A Boolean value that indicates whether rows were fetched, or the owner is new and has no rows.
  public var isLoaded: Bool { metadata(\.isLoaded) }

  /// The fetched rows, followed by appended rows: ``items``, if the list was fetched.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/notLoaded`` if the list was not
  ///   fetched. An empty list is not an error.
  public func loaded() throws(RelationError) -> [Target] {
    if isLoaded { return items }
    throw RelationError(
      .notLoaded, "the list was not fetched", table: Target.Row.tableName,
      column: metadata(\.property))
  }

  /// A Boolean value that indicates whether there are rows that ``items`` does not contain, as of
  /// the last fetch or commit. After ``append(_:)`` it is `true` until the next ``fetch()``.
  public var hasMore: Bool {
    access()
    applyPendingRefresh()
    return withCompactState { _ in false } ?? with(\.hasMore)
  }

  /// A Boolean value that indicates whether the list is stored as links with positions.
  var hasPositions: Bool {
    if case .links = kind { true } else { false }
  }

  /// A Boolean value that indicates whether the list's rows refer to the owner.
  var isInverse: Bool {
    if case .inverse = kind { true } else { false }
  }

  /// A row that an edit has added to the list or removed from it.
  typealias Move = (object: Target, isAdded: Bool)
}

extension ManyRelation: AnyRelation {
  var relationKind: RelationKind {
    switch kind {
    case .links(let action): .links(target: Target.Row.self, onDeleteTarget: action)
    case .inverse: .inverse(target: Target.Row.self)
    case .path(let steps, _, _):
      .path(tables: steps.flatMap { [$0.property.owner, $0.property.target] })
    }
  }

  func instantiate(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) -> any AnyRelation {
    ManyRelation(kind, initial: initial, limit: limit)
  }

  func attach(_ owner: RelationOwner, _ property: String) { attach(owner, .none, property) }

  /// Sets the list's owner and the name of its property.
  ///
  /// - Parameter key: The owner's key, if several rows share `owner`.
  @usableFromInline
  func attach(_ owner: RelationOwner, _ key: StoredKey, _ property: String) {
    if core.attach(owner, key, property) { return }
    with { state in
      state.metadata.owner = key == .none ? owner : RelationOwner(owner, key: key)
      state.metadata.property = property
    }
  }

  func adoptState(_ former: any AnyRelation) {
    // The replaced list may be the one that replaced this list before.
    guard let former = former as? ManyRelation, former.last !== self, last !== former else {
      return
    }
    let transferred = former.with { state -> State in
      let transferred = state
      state = State()
      state.successor = self
      return transferred
    }
    with { state in
      let owner = state.metadata.owner ?? transferred.metadata.owner
      state = transferred
      state.metadata.owner = owner
    }
    transferred.subscription?.replace(former, by: self)
  }

  /// The list that is currently the property.
  private var last: ManyRelation {
    var last = self
    while let next = last.successor { last = next }
    return last
  }

  @usableFromInline var isChanged: Bool { withCompactState { _ in false } ?? with(\.isChanged) }
}

extension ManyRelation: Hashable {
  /// All lists are equal, because a list is not part of its owner's row.
  public static func == (a: ManyRelation, b: ManyRelation) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

extension ManyRelation: Codable {
  /// Decodes nothing, because a list is not part of its owner's row.
  public convenience init(from decoder: any Decoder) throws { self.init() }

  /// Encodes `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

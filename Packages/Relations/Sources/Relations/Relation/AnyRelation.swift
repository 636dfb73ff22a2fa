public import SQLiteCore

/// A property of a row that refers to other rows.
protocol AnyRelation: AnyObject, Encodable, Sendable {
  /// The relation's representation in its owner's table.
  var relationKind: RelationKind { get }

  /// Creates a relation with the same declaration and the key stored in `column`, or in the columns
  /// whose names begin with `property`.
  func instantiate(
    from row: borrowing SQLiteCore.Row, _ column: ColumnIndex?, _ property: String
  ) throws(SQLiteError) -> any AnyRelation

  /// Marks the relation as read from the database: its key is the row's stored key.
  func markRead()

  /// Sets the relation's owner and the name of its property.
  func attach(_ owner: RelationOwner, _ property: String)

  /// Moves the state of the property's previous relation, except its column value, to this
  /// relation.
  func adoptState(_ former: any AnyRelation)

  /// A Boolean value that indicates whether the relation has unsaved changes.
  var isChanged: Bool { get }

  /// A Boolean value that indicates whether the relation depends on other values of its owner's row.
  var readsOwnerRow: Bool { get }

  /// Updates the relation from the owner's current row, if it depends on the row.
  func updateOwnerRow(_ row: any Table, isUnsaved: Bool)

  // These are requirements, not conditional casts: a save reads them for each row, and a dynamic
  // cast would dominate its cost.

  /// This relation, if it is a to-one relation.
  var asToOneRelation: (any AnyOneRelation)? { get }
  /// This relation, if it is a list.
  var asToManyRelation: (any AnyManyRelation)? { get }
}

extension AnyRelation {
  func markRead() {}
  var readsOwnerRow: Bool { false }
  func updateOwnerRow(_ row: any Table, isUnsaved: Bool) {}
  var asToOneRelation: (any AnyOneRelation)? { nil }
  var asToManyRelation: (any AnyManyRelation)? { nil }
}

extension [any AnyRelation] {
  /// Sets the owner of the relations, which are in encoding order.
  func attach(_ owner: RelationOwner) {
    // The metadata was created when the row was fetched.
    guard !isEmpty, let metadata = try? TableMetadata.of(owner.type) else { return }
    for (relation, property) in zip(self, metadata.relationNames) {
      relation.attach(owner, property)
    }
  }

  /// Updates the relations that depend on their owner's row.
  func updateOwnerRow(_ row: any Table, isUnsaved: Bool) {
    for relation in self { relation.updateOwnerRow(row, isUnsaved: isUnsaved) }
  }
}

extension Table {
  /// Returns the relations of the row, in encoding order.
  func relations() throws -> [any AnyRelation] {
    let metadata = try TableMetadata.of(Self.self)
    if metadata.relations.isEmpty { return [] }
    if let accessors = metadata.accessors(Self.self) { return accessors.relations(of: self) }
    return try RowEncoder.Properties(of: self).all.compactMap { $0.value as? any AnyRelation }
  }
}

extension ModelSession {
  /// Updates the relations of a model that depend on its row.
  func updateOwnerRow(_ model: some Model) {
    let row = model.value
    guard let metadata = try? TableMetadata.of(type(of: row)),
      metadata.relations.values.contains(where: \.readsOwnerRow),
      let relations = try? row.relations()
    else { return }
    relations.updateOwnerRow(row, isUnsaved: isNew(model))
  }
}

/// The representation of a relation in its owner's table.
enum RelationKind: Sendable {
  /// A foreign key.
  case one(target: any Table.Type, ForeignKeyRules)
  /// Ordered rows of a link table.
  case links(target: any Table.Type, onDeleteTarget: ForeignKeyAction)
  /// Rows whose foreign key refers to the owner.
  case inverse(target: any Table.Type)
  /// Rows reached through other tables.
  case path(tables: [any Table.Type])
  /// No column and no table.
  case none
}

/// The to-one relation of a list's rows that refers back to the list's owner.
protocol InverseRelation<Target>: Sendable {
  associatedtype Target: TableModel

  /// The table of the list's owner.
  var ownerTable: any Table.Type { get }

  /// The columns of the list's rows that hold the owner's key.
  func columns() throws -> [String]

  /// Returns the to-one relation of a row.
  func relation(of row: Target.Row) -> any AnyOneRelation

  /// Makes `owner` the owner of a row, or removes the row's owner if `owner` is `nil`.
  func setOwner(of target: Target, _ owner: RelationOwner?, isNew: Bool)

  /// Adds fetched rows to an owner's list.
  ///
  /// - Returns: The rows that belong to the list. Rows that were moved to another owner in memory
  ///   are omitted.
  func addFetched(_ targets: [Target], toListOf owner: RelationOwner) -> [Target]
}

/// An inverse relation identified by its key path.
///
/// A list is created for each row, so it stores only the key path.
struct InverseProperty<Target: TableModel, Owner: TableModel>: InverseRelation {
  let path: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable

  var ownerTable: any Table.Type { Owner.Row.self }

  func columns() throws -> [String] { try ToOneProperty(path).columns() }

  func relation(of row: Target.Row) -> any AnyOneRelation { row[keyPath: path] }

  func setOwner(of target: Target, _ owner: RelationOwner?, isNew: Bool) {
    // A fetched value already has its owner's key.
    if let owner, owner.model == nil, !isNew { return }
    target.row[keyPath: path].setListOwner(owner, isNew: isNew)
  }

  func addFetched(_ targets: [Target], toListOf owner: RelationOwner) -> [Target] {
    // A fetched value already has its owner's key.
    guard Target.self is any Model.Type else { return targets }
    let key = owner.currentStoredKey
    let model = owner.model == nil ? nil : owner
    var collation = KeyCollation.binary
    if case .other = key { collation = owner.session.keyCollation(of: owner.type) }
    let others = targets.indices.filter {
      !targets[$0].row[keyPath: path].addToList(of: model, key, collation)
    }
    if others.isEmpty { return targets }
    let excluded = Set(others)
    return targets.indices.filter { !excluded.contains($0) }.map { targets[$0] }
  }
}

/// The owner of a row's relations; all relations of a row share one.
///
/// If a type with ``Table/properties`` has only to-one relations and lists, its values share one
/// owner, which then identifies only their session.
@usableFromInline
final class RelationOwner: Sendable {
  let session: ModelSession
  /// The model instance; `nil` for a value.
  var model: (any Model)? { weakModel.model }
  private let weakModel: WeakModel
  /// The owner's table.
  let type: any Table.Type
  /// The key of the owner's row; `.none` if several rows share this owner.
  private let key: StoredKey
  /// A Boolean value that indicates whether the owner was created for a model instance, even if
  /// that instance has been released.
  private let isInstance: Bool

  @usableFromInline
  init(
    session: ModelSession, type: any Table.Type, key: StoredKey, model: (any Model)? = nil
  ) {
    self.session = session
    self.type = type
    self.key = key
    weakModel = WeakModel(model: model)
    isInstance = model != nil
  }

  /// Creates the owner of a single value from the owner that values of its type share.
  @usableFromInline
  convenience init(_ other: RelationOwner, key: StoredKey) {
    self.init(session: other.session, type: other.type, key: key)
  }

  /// Returns the owner to assign to the relations of the row being read.
  ///
  /// - Returns: `nil` if no session is reading the row, or if the relations are attached later.
  @usableFromInline
  static func reading(_ row: borrowing SQLiteCore.Row) -> RelationOwner? {
    row.context as? RelationOwner
  }

  /// The key of a value, which never changes; `nil` if the owner is an instance.
  var valueKey: StoredKey? { isInstance ? nil : key }

  /// The current key. A new row may get its key only when it is saved.
  var currentStoredKey: StoredKey { instance.map { key(of: $0) } ?? key }
  var currentKey: [SQLiteValue] { currentStoredKey.values ?? [] }

  /// The owner's current row; `nil` if the owner is not an instance.
  var row: (any Table)? {
    func row(of model: some Model) -> any Table { model.value }
    return model.map { row(of: $0) }
  }

  /// Records that a relation of the owner refers to instances.
  func relationDidLoad() { instance.map { session.relationDidLoad($0) } }

  /// Marks the owner as changed.
  func markChanged() { instance.map { session.markChanged(of: $0) } }

  /// A Boolean value that indicates whether the owner is an instance without a row.
  var isUnsaved: Bool { instance.map { session.isNew($0) } ?? false }

  /// The instance, if the owner is one and it has not been released.
  private var instance: (any Model)? { isInstance ? model : nil }

  /// Returns the key of the saved row, if there is one: the model's `id` may have been changed.
  private func key(of model: some Model) -> StoredKey {
    let identity = session.identities(of: Swift.type(of: model)).identity(of: model)
    let saved = identity?.with(\.savedKey) ?? .none
    return saved == .none ? StoredKey(model.value.id) : saved
  }
}

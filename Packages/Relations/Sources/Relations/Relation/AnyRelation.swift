public import SQLiteCore

/// A property of a row that leads to other rows.
protocol AnyRelation: AnyObject, Encodable, Sendable {
  /// What it is in the table.
  var relationKind: RelationKind { get }

  /// Another one that is declared alike, with what its column says, or the columns that begin with its property's name.
  func fresh(
    from row: borrowing SQLiteCore.Row, _ column: ColumnIndex?, _ property: String
  ) throws(SQLiteError) -> any AnyRelation

  /// Notes that it was made of a row as that is in the database.
  func noteRead()

  /// Says whose property it is, and which.
  func attach(_ owner: RelationOwner, _ property: String)

  /// Takes the place of the one that was the property before, with all that is not in the column.
  func takeOver(_ former: any AnyRelation)

  /// Whether it is to be saved.
  var isChanged: Bool { get }

  // Asked for each row that is saved, where looking whether it conforms to a protocol would take longer than all else.

  /// This, where it is a to-one relation.
  var asOne: (any AnyOneRelation)? { get }
  /// This, where it is a list.
  var asList: (any AnyManyRelation)? { get }
}

extension AnyRelation {
  func noteRead() {}
  var asOne: (any AnyOneRelation)? { nil }
  var asList: (any AnyManyRelation)? { nil }
}

/// What a relation is in its owner's table.
enum RelationKind: Sendable {
  /// A foreign key.
  case one(target: any Table.Type, ForeignKeyRules)
  /// Rows of a table of links, in an order.
  case links(target: any Table.Type, LinkRules)
  /// Rows whose foreign key refers to the owner.
  case inverse(target: any Table.Type)
  /// Rows that are reached by others.
  case path(tables: [any Table.Type])
  /// Nothing.
  case none
}

/// How a table of links is declared.
struct LinkRules: Hashable, Sendable {
  var onDeleteTarget: ForeignKeyAction
}

/// The to-one relation of a list's rows that leads back to the list's owner.
protocol InverseRelation<Target>: Sendable {
  associatedtype Target: TableModel

  /// The table of the list's owner.
  var ownerTable: any Table.Type { get }

  /// The columns of the rows that have the owner's key.
  func columns() throws -> [String]

  /// The relation of a row.
  func relation(of row: Target.Row) -> any AnyOneRelation

  /// Has a row be in the list of an owner, or in none.
  func setOwner(of target: Target, _ owner: RelationOwner?, isNew: Bool)

  /// Has rows that were read be in the list of an owner.
  ///
  /// - Returns: Those that are in it, and were not taken elsewhere here.
  func admit(_ targets: [Target], to owner: RelationOwner) -> [Target]
}

/// The same by its key path: a list is made for each row, and keeps no more of it than this.
struct InverseProperty<Target: TableModel, Owner: TableModel>: InverseRelation {
  let path: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable

  var ownerTable: any Table.Type { Owner.Row.self }

  func columns() throws -> [String] { try ToOneProperty(path).columns() }

  func relation(of row: Target.Row) -> any AnyOneRelation { row[keyPath: path] }

  func setOwner(of target: Target, _ owner: RelationOwner?, isNew: Bool) {
    // A value that was fetched has its owner's key.
    if let owner, owner.model == nil, !isNew { return }
    target.row[keyPath: path].setListOwner(owner, isNew: isNew)
  }

  func admit(_ targets: [Target], to owner: RelationOwner) -> [Target] {
    // A value that was fetched has its owner's key.
    guard Target.self is any Model.Type else { return targets }
    let key = owner.currentStoredKey
    let model = owner.model == nil ? nil : owner
    var collation = KeyCollation.binary
    if case .other = key { collation = owner.session.keyCollation(of: owner.type) }
    let others = targets.indices.filter {
      !targets[$0].row[keyPath: path].isAdmitted(to: model, key, collation)
    }
    if others.isEmpty { return targets }
    let left = Set(others)
    return targets.indices.filter { !left.contains($0) }.map { targets[$0] }
  }
}

/// Whose properties relations are: one for all those of a row.
///
/// Rows of a type with ``Table/properties`` that are values share one where their relations are to-one or lists: it tells their session alone.
@usableFromInline
final class RelationOwner: Sendable {
  let session: ModelSession
  /// The instance; `nil` for a value.
  var model: (any Model)? { weakModel.model }
  private let weakModel: WeakModel
  /// Its table.
  let type: any Table.Type
  /// The key of its row; none where rows share this.
  private let key: StoredKey
  /// Whether it is, or was, an instance.
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

  /// That of a value, whose others are of the same session.
  @usableFromInline
  convenience init(_ other: RelationOwner, key: StoredKey) {
    self.init(session: other.session, type: other.type, key: key)
  }

  /// The owner of the relations of a row that a session is reading; `nil` if somebody else reads the row, or the relations get
  /// their owner afterwards.
  @usableFromInline
  static func reading(_ row: borrowing SQLiteCore.Row) -> RelationOwner? {
    row.context as? RelationOwner
  }

  /// The key of a value, which stays what it is; `nil` for that of an instance.
  var lastingKey: StoredKey? { isInstance ? nil : key }

  /// The key as it is now: a row that is new gets it as it is saved.
  var currentStoredKey: StoredKey { instance.map { key(of: $0) } ?? key }
  var currentKey: [SQLiteValue] { currentStoredKey.values ?? [] }

  /// Notes that the relation leads to instances.
  func noteLoaded() { instance.map { session.noteLoaded($0) } }

  /// Marks the owner as changed.
  func noteChange() { instance.map { session.noteChange(of: $0) } }

  /// Whether the owner is an instance that has no row yet.
  var isUnsaved: Bool { instance.map { session.isNew($0) } ?? false }

  /// The instance, where it is one and is there.
  private var instance: (any Model)? { isInstance ? model : nil }

  /// That of the row, where there is one: a model's own may have been changed by hand.
  private func key(of model: some Model) -> StoredKey {
    let identity = session.identities(of: Swift.type(of: model)).identity(of: model)
    let saved = identity?.with(\.savedKey) ?? .none
    return saved == .none ? StoredKey(model.value.id) : saved
  }
}

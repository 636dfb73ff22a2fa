public import SQLiteCore

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

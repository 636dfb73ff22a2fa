internal import Observation
public import SQLiteCore

#if !THREAD_SANITIZER
  public import Primitives
#endif

/// A to-one relation: a foreign key to a row of another table, and that row once it is fetched.
///
/// ```swift
/// struct Value: Table {
///   var id: AutoId = 0
///   var album = OneRelation<Album>()
/// }
/// let album = try await art.album.object  // fetched once
/// art.album._object                       // the fetched row, or nil
/// await art.album.setObject(other)        // art has changes now
/// try await arts.fetchAll(\.album)        // one statement for all arts
/// ```
///
/// The relation holds a strong reference to its target. If two fetched rows refer to each other,
/// the relation that was loaded second holds a weak reference, so that both can be released. It
/// fetches the target again if the target has been released.
///
/// A relation is a reference type: it can be read and set through a get-only property, and copies
/// of a row share it. Two relations are equal if their keys are equal.
public final class OneRelation<Target: TableModel>: Sendable {
  @usableFromInline let state: Mutex<ToOneState>
  @usableFromInline let rules: ForeignKeyRules

  /// Creates a relation.
  ///
  /// - Parameters:
  ///   - key: The target's key.
  ///   - isRequired: Whether the relation must have a target; the column is then NOT NULL.
  ///   - onDelete: The action when the target is deleted. By default, the relation is set to NULL;
  ///     if a target is required, the deletion is refused.
  ///   - onUpdate: The action when the target's key changes.
  ///   - isIndexed: Whether the column has an index. Deleting targets, and finding the rows that
  ///     refer to a target, need one.
  @inlinable
  public init(
    _ key: Target.ID? = nil, isRequired: Bool = false, onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction = .cascade, isIndexed: Bool = true
  ) {
    state = Mutex(ToOneState(key: StoredKey(key)))
    rules = ForeignKeyRules(
      onDelete: onDelete ?? (isRequired ? .restrict : .setNull), onUpdate: onUpdate,
      isRequired: isRequired, isIndexed: isIndexed)
  }

  /// Creates a relation that was read from a row and is declared with default rules.
  @inlinable
  init(read key: StoredKey, of owner: RelationOwner?) {
    state = Mutex(ToOneState(savedKey: key, owner))
    rules = ForeignKeyRules(
      onDelete: .setNull, onUpdate: .cascade, isRequired: false, isIndexed: true)
  }

  init(_ key: Target.ID?, _ rules: ForeignKeyRules) {
    state = Mutex(ToOneState(savedKey: StoredKey(key)))
    self.rules = rules
  }

  /// Calls `body` with the state of the relation that is currently the property.
  @inline(__always)
  func with<Result: Sendable>(_ body: (inout ToOneState) -> Result) -> Result {
    let (result, successor) = state.withLock { state -> (Result?, (any AnyOneRelation)?) in
      if let successor = state.successor { return (nil, successor) }
      return (body(&state), nil)
    }
    if let result { return result }
    // Either `result` or `successor` is non-nil.
    return successor.map { $0.withState(body) } ?? with(body)
  }

  func withState<Result: Sendable>(_ body: (inout ToOneState) -> Result) -> Result { with(body) }

  /// The target's key; `nil` if there is no target. Setting it marks the owner as changed.
  public var key: Target.ID? {
    get {
      access()
      return currentKey
    }
    set {
      let new = StoredKey(newValue)
      if with({ $0.key == new }) { return }
      let owner = mutate { state -> RelationOwner? in
        state.key = new
        state.removeTarget()
        return state.owner
      }
      owner?.markChanged()
    }
  }

  var currentKey: Target.ID? { storedKey.key(as: Target.ID.self) }
  var storedKey: StoredKey { unresolvedKey ?? with { $0.currentKey } }

  /// The key, if the state consists of the key only.
  var unresolvedKey: StoredKey? { state.withLock { $0.hasOnlyKey ? $0.key : nil } }

  /// The target, if it was fetched or set. Reading it does not access the database.
  public var _object: Target? {
    access()
    return loadedObject
  }

  var loadedObject: Target? { with { $0.object } as? Target }

  /// A Boolean value that indicates whether the target is known: it was fetched or set, there is
  /// none, or its row is missing.
  public var isLoaded: Bool { _object != nil || key == nil || with { $0.isMissing } }

  /// The fetched or set target; `nil` if there is none. Calling it does not access the database.
  ///
  /// ```swift
  /// try await tracks.fetchAll(\.album)
  /// for track in tracks { print(try track.album.loaded()?.name ?? "no album") }
  /// ```
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/notLoaded`` if the target was not
  ///   fetched, with ``RelationError/Code/missingRow`` if a fetch found no row.
  public func loaded() throws(RelationError) -> Target? {
    if let existing = _object { return existing }
    guard let key else { return nil }
    let isMissing = with { $0.isMissing }
    throw RelationError(
      isMissing ? .missingRow : .notLoaded,
      isMissing ? "there is no row with the key" : "the relation's target was not fetched",
      table: Target.Row.tableName, key: key.literal)
  }

  /// The target, fetched if necessary.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noTarget`` if there is no target,
  ///   with ``RelationError/Code/missingRow`` if its row is missing; `SQLiteError`.
  public var object: Target {
    get async throws {
      guard let object = try await fetch() else {
        throw RelationError(.noTarget, "the relation has no target", table: Target.Row.tableName)
      }
      return object
    }
  }

  /// Returns the target, fetched if necessary; `nil` if there is no target.
  ///
  /// - Throws: The same errors as ``object``, except `noTarget`.
  @discardableResult
  public func fetch() async throws -> Target? {
    if let existing = _object { return existing }
    let (key, owner) = (key, with { $0.owner })
    guard let key else { return nil }
    let session =
      try owner?.session.owningSession(of: Target.Row.self)
      ?? ModelSession.current(for: Target.Row.autoDBSettings)
    let object = try await session.fetch(Target.self, key)
    setLoaded(object, for: StoredKey(key), mayBeRetained: mayBeRetained)
    return object
  }

  /// Sets the target, or removes it if `object` is `nil`, and marks the owner as changed.
  ///
  /// A new target is saved with the owner.
  public func setObject(_ object: Target?) async { set(object) }

  func set(_ object: Target?) {
    let key = StoredKey(object?.id)
    let (owner, isSame) = mutate { state -> (RelationOwner?, Bool) in
      let isSame = state.key == key && (key == .none || !key.isUnset)
      state.key = key
      // The relation holds no strong reference to a target whose list contains this row.
      if let object, let listOwner = state.listOwner, listOwner === object as AnyObject {
        return (state.owner, isSame)
      }
      let isItself = object.map { $0 as AnyObject === state.owner?.model } ?? false
      state.setTarget(isItself ? nil : object, listOwner: isItself ? object as? any Model : nil)
      return (state.owner, isSame)
    }
    if object != nil { owner?.relationDidLoad() }
    if !isSame { owner?.markChanged() }
  }

  /// Sets the target to a list's owner, without a strong reference; `nil` removes the target.
  ///
  /// - Parameter isNew: Whether the row was not in the owner's list before. The row then has
  ///   changes.
  func setListOwner(_ listOwner: RelationOwner?, isNew: Bool) {
    let key = listOwner?.currentStoredKey ?? .none
    let isModel = listOwner?.model != nil
    let owner = mutate { state -> RelationOwner? in
      state.key = key
      if let listOwner, isModel {
        state.setTarget(listOwner: listOwner)
      } else {
        state.setTarget(nil)
      }
      return isNew ? state.owner : nil
    }
    owner?.markChanged()
  }

  /// Adds a fetched row to its owner's list, unless the relation now has another target: the row
  /// was moved in memory, or has unsaved changes and was not refreshed.
  ///
  /// - Parameters:
  ///   - owner: The owner; `nil` if the owner is a value.
  ///   - key: The owner's key.
  ///   - collation: The comparison of keys.
  /// - Returns: Whether the row is in the list.
  func addToList(
    of owner: RelationOwner?, _ key: StoredKey, _ collation: KeyCollation
  ) -> Bool {
    let (isInList, isObserved) = with { state -> (Bool, Bool) in
      let isKey = collation.areEqual(state.key, key)
      guard state.currentKey == state.savedKey, isKey else { return (isKey, false) }
      let isObserved = state.registrar != nil
      if let owner, !isObserved { state.setTarget(listOwner: owner) }
      return (true, isObserved)
    }
    if isObserved, let owner { setListOwner(owner, isNew: false) }
    return isInList
  }

  /// Marks the relation as fetched and sets its owner.
  @usableFromInline
  func markFetched(_ owner: RelationOwner) {
    state.withLock { state in
      state.markRead()
      state.owner = owner
    }
  }

  /// Binds the key, which has one column.
  @usableFromInline
  func bindKey(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch storedKey {
    case .none: try statement.bindNull(at: index)
    case .integer(let key): try statement.bindInteger(key, at: index)
    case .other(let key): try (key.keyValues.first ?? .null).bind(to: statement, at: index)
    }
  }

  @usableFromInline var columnValue: SQLiteValue { storedKey.column }

  /// Stores the target fetched for a key, unless the relation's key has changed.
  ///
  /// - Parameter mayBeRetained: Whether the target's type has relations that may refer back to the
  ///   owner.
  func setLoaded(_ object: (any TableModel)?, for key: StoredKey, mayBeRetained: Bool) {
    let isRetained = mayBeRetained && isRetained(by: object)
    let owner = mutate { state -> RelationOwner? in
      guard state.key == key else { return nil }
      state.setTarget(
        isRetained ? nil : object, isMissing: object == nil,
        listOwner: isRetained ? object as? any Model : state.listOwner)
      return object == nil ? nil : state.owner
    }
    owner?.relationDidLoad()
  }

  /// Stores the target fetched for a key, if the state holds only that key. The target must not
  /// refer back to the owner.
  ///
  /// - Returns: Whether the target was stored.
  func setFetchedTarget(_ target: TargetBox, for key: StoredKey) -> Bool {
    let (isStored, instance) = state.withLock { state -> (Bool, RelationOwner?) in
      guard state.hasOnlyKey, state.key == key, let owner = state.owner else { return (false, nil) }
      state.setTarget(target)
      return (true, owner.valueKey == nil ? owner : nil)
    }
    instance?.relationDidLoad()
    return isStored
  }
}

extension OneRelation {
  /// A Boolean value that indicates whether rows of the target's type have to-one relations to the
  /// owner's type.
  var mayBeRetained: Bool {
    guard Target.self is any Model.Type, let owner = with(\.owner)?.type,
      let metadata = try? TableMetadata.of(Target.Row.self)
    else { return false }
    return metadata.references.contains { $0.target == owner }
  }

  /// Returns whether the target is the owner or holds a strong reference to it.
  private func isRetained(by object: (any TableModel)?) -> Bool {
    guard let other = object as? any Model, let owner = with(\.owner),
      let model = owner.model
    else { return false }
    return other === model
      || owner.session.relations(of: other).contains { relation in
        (relation as? any AnyOneRelation)?.retainedModel === model
      }
  }
}

extension ModelSession {
  /// The relations of a model's row.
  fileprivate func relations(of model: some Model) -> [any AnyRelation] {
    identities(of: type(of: model)).entry(of: model)?.relations ?? []
  }
}

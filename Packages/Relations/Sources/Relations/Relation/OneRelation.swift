internal import Observation
public import SQLiteCore

#if !THREAD_SANITIZER
  public import Primitives
#endif

/// A row of another table that a row refers to: a foreign key, and what it leads to as soon as that is asked for.
///
/// ```swift
/// struct Value: Table {
///   var id: AutoId = 0
///   var album = OneRelation<Album>()
/// }
/// let album = try await art.album.object  // fetched once
/// art.album._object                       // what was fetched, or nil
/// await art.album.setObject(other)        // art has changes now
/// try await arts.fetchAll(\.album)        // all at once
/// ```
///
/// It holds the other; but where two that were fetched lead to each other, the one that got its object later does not, so that both are
/// let go: it has to be fetched anew where nobody else holds the other any longer.
///
/// It is a reference, so that it can be asked and set through a property that is only read: copies of a row share it. Two are
/// equal where their keys are.
public final class OneRelation<Target: TableModel>: Sendable {
  @usableFromInline let state: Mutex<OneState>
  @usableFromInline let rules: ForeignKeyRules

  /// - Parameters:
  ///   - key: The other's key.
  ///   - isRequired: Whether there always is one: the column is NOT NULL then.
  ///   - onDelete: What becomes of the row when the other is deleted: it refers to none, unless one is required, and then
  ///     deleting is refused.
  ///   - onUpdate: What becomes of the row when the other gets another key.
  ///   - isIndexed: Whether the column has an index, which deleting the others and finding the rows of one of them needs.
  @inlinable
  public init(
    _ key: Target.ID? = nil, isRequired: Bool = false, onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction = .cascade, isIndexed: Bool = true
  ) {
    state = Mutex(OneState(key: StoredKey(key)))
    rules = ForeignKeyRules(
      onDelete: onDelete ?? (isRequired ? .restrict : .setNull), onUpdate: onUpdate,
      isRequired: isRequired, isIndexed: isIndexed)
  }

  /// One that was read, and declared without more.
  @inlinable
  init(read key: StoredKey, of owner: RelationOwner?) {
    state = Mutex(OneState(savedKey: key, owner))
    rules = ForeignKeyRules(
      onDelete: .setNull, onUpdate: .cascade, isRequired: false, isIndexed: true)
  }

  init(_ key: Target.ID?, _ rules: ForeignKeyRules) {
    state = Mutex(OneState(savedKey: StoredKey(key)))
    self.rules = rules
  }

  /// Runs `body` with the state of the one that is the property by now.
  @inline(__always)
  func with<Result: Sendable>(_ body: (inout OneState) -> Result) -> Result {
    let (result, successor) = state.withLock { state -> (Result?, (any AnyOneRelation)?) in
      if let successor = state.successor { return (nil, successor) }
      return (body(&state), nil)
    }
    if let result { return result }
    // There is one or the other.
    return successor.map { $0.withState(body) } ?? with(body)
  }

  func withState<Result: Sendable>(_ body: (inout OneState) -> Result) -> Result { with(body) }

  /// The other's key; `nil` where there is none. Setting it marks the owner as changed.
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
        state.forget()
        return state.owner
      }
      owner?.noteChange()
    }
  }

  var currentKey: Target.ID? { storedKey.key(as: Target.ID.self) }
  var storedKey: StoredKey { plainKey ?? with { $0.currentKey } }

  /// The key, where that is all that is known.
  var plainKey: StoredKey? { state.withLock { $0.isPlain ? $0.key : nil } }

  /// The other, if it was fetched or set; asks for nothing.
  public var _object: Target? {
    access()
    return loadedObject
  }

  var loadedObject: Target? { with { $0.object } as? Target }

  /// Whether it is known what the relation leads to: it was fetched or set, or there is none, or it is gone.
  public var isLoaded: Bool { _object != nil || key == nil || with { $0.isMissing } }

  /// The other as it was fetched or set; `nil` where there is none. Asks for nothing.
  ///
  /// ```swift
  /// try await tracks.fetchAll(\.album)
  /// for track in tracks { print(try track.album.loaded()?.name ?? "no album") }
  /// ```
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/notLoaded`` where it was not fetched, with
  ///   ``RelationError/Code/missingRow`` where it was found to be gone.
  public func loaded() throws(RelationError) -> Target? {
    if let known = _object { return known }
    guard let key else { return nil }
    let isMissing = with { $0.isMissing }
    throw RelationError(
      isMissing ? .missingRow : .notLoaded,
      isMissing ? "there is no row with the key" : "what the relation leads to was not fetched",
      table: Target.Row.tableName, key: key.literal)
  }

  /// The other, which is fetched where it was not yet.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noTarget`` where there is none, with
  ///   ``RelationError/Code/missingRow`` where it is gone; `SQLiteError`.
  public var object: Target {
    get async throws {
      guard let object = try await fetch() else {
        throw RelationError(.noTarget, "the relation has no target", table: Target.Row.tableName)
      }
      return object
    }
  }

  /// Fetches the other, where it was not yet; `nil` where there is none.
  ///
  /// - Throws: As ``object``, but for `noTarget`.
  @discardableResult
  public func fetch() async throws -> Target? {
    if let known = _object { return known }
    let (key, owner) = (key, with { $0.owner })
    guard let key else { return nil }
    let session =
      try owner?.session.home(of: Target.Row.self)
      ?? ModelSession.current(for: Target.Row.autoDBSettings)
    let object = try await session.fetch(Target.self, key)
    setLoaded(object, for: StoredKey(key), mayBeHeld: mayBeHeld)
    return object
  }

  /// Sets the other, or `nil` for none, and marks the owner as changed.
  ///
  /// One that is new is saved with the owner.
  public func setObject(_ object: Target?) async { set(object) }

  func set(_ object: Target?) {
    let key = StoredKey(object?.id)
    let (owner, isSame) = mutate { state -> (RelationOwner?, Bool) in
      let isSame = state.key == key && (key == .none || !key.isUnset)
      state.key = key
      // One whose list holds this row is not held by it.
      if let object, let listOwner = state.listOwner, listOwner === object as AnyObject {
        return (state.owner, isSame)
      }
      let isItself = object.map { $0 as AnyObject === state.owner?.model } ?? false
      state.take(isItself ? nil : object, listOwner: isItself ? object as? any Model : nil)
      return (state.owner, isSame)
    }
    if object != nil { owner?.noteLoaded() }
    if !isSame { owner?.noteChange() }
  }

  /// Has the row be in the list of an owner, which it does not hold, or in none.
  ///
  /// - Parameter isNew: Whether the row was not in it: then it has changes.
  func setListOwner(_ listOwner: RelationOwner?, isNew: Bool) {
    let key = listOwner?.currentStoredKey ?? .none
    let isModel = listOwner?.model != nil
    let owner = mutate { state -> RelationOwner? in
      state.key = key
      if let listOwner, isModel { state.enter(listOf: listOwner) } else { state.take(nil) }
      return isNew ? state.owner : nil
    }
    owner?.noteChange()
  }

  /// Has the row, which was read, be in the list of its owner, unless it leads elsewhere here: it was taken there, or has changes
  /// of its own, and so stayed as it was when it was read before.
  ///
  /// - Parameters:
  ///   - owner: The owner; `nil` where that is a value.
  ///   - key: Its key.
  ///   - collation: How keys like it are compared.
  /// - Returns: Whether it is in the list.
  func isAdmitted(
    to owner: RelationOwner?, _ key: StoredKey, _ collation: KeyCollation
  ) -> Bool {
    let (isIn, isWatched) = with { state -> (Bool, Bool) in
      let isKey = collation.areEqual(state.key, key)
      guard state.currentKey == state.savedKey, isKey else { return (isKey, false) }
      let isWatched = state.registrar != nil
      if let owner, !isWatched { state.enter(listOf: owner) }
      return (true, isWatched)
    }
    if isWatched, let owner { setListOwner(owner, isNew: false) }
    return isIn
  }

  /// Notes that the row was read, and whose property this is.
  @usableFromInline
  func noteFetched(_ owner: RelationOwner) {
    state.withLock { state in
      state.noteRead()
      state.owner = owner
    }
  }

  /// Binds the key, which is one column.
  @usableFromInline
  func bindKey(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch storedKey {
    case .none: try statement.bindNull(at: index)
    case .integer(let key): try statement.bindInteger(key, at: index)
    case .other(let key): try (key.keyValues.first ?? .null).bind(to: statement, at: index)
    }
  }

  @usableFromInline var columnValue: SQLiteValue { storedKey.column }

  /// Keeps what was fetched for a key, unless the relation has another one by now.
  ///
  /// - Parameter mayBeHeld: Whether the other's type has relations that may lead back.
  func setLoaded(_ object: (any TableModel)?, for key: StoredKey, mayBeHeld: Bool) {
    let isHeld = mayBeHeld && isHeld(by: object)
    let owner = mutate { state -> RelationOwner? in
      guard state.key == key else { return nil }
      state.take(
        isHeld ? nil : object, isMissing: object == nil,
        listOwner: isHeld ? object as? any Model : state.listOwner)
      return object == nil ? nil : state.owner
    }
    owner?.noteLoaded()
  }

  /// Keeps what was fetched for a key, and is no instance that may lead back, where nothing else is known.
  ///
  /// - Returns: Whether that was so.
  func take(_ held: HeldObject, for key: StoredKey) -> Bool {
    let (isTaken, instance) = state.withLock { state -> (Bool, RelationOwner?) in
      guard state.isPlain, state.key == key, let owner = state.owner else { return (false, nil) }
      state.take(held)
      return (true, owner.lastingKey == nil ? owner : nil)
    }
    instance?.noteLoaded()
    return isTaken
  }
}

extension OneRelation {
  /// Whether rows of the other's type have to-one relations to the owner's.
  var mayBeHeld: Bool {
    guard Target.self is any Model.Type, let owner = with(\.owner)?.type,
      let shape = try? TableMetadata.of(Target.Row.self)
    else { return false }
    return shape.references.contains { $0.target == owner }
  }

  /// Whether the other is the owner, or holds it.
  private func isHeld(by object: (any TableModel)?) -> Bool {
    guard let other = object as? any Model, let owner = with(\.owner),
      let model = owner.model
    else { return false }
    return other === model
      || owner.session.relations(of: other).contains { relation in
        (relation as? any AnyOneRelation)?.heldModel === model
      }
  }
}

extension ModelSession {
  /// The relations of a model's row.
  fileprivate func relations(of model: some Model) -> [any AnyRelation] {
    identities(of: type(of: model)).entry(of: model)?.relations ?? []
  }
}

internal import Observation
public import SQLiteCore
public import Synchronization

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
/// It is a reference, so that it can be asked and set through a property that is only read: copies of a row share it. Two are
/// equal where their keys are.
public final class OneRelation<Target: TableModel>: Sendable {
  @usableFromInline
  struct State: Sendable {
    @usableFromInline var key: Target.ID?
    /// The key that the row has in the database.
    @usableFromInline var savedKey: Target.ID?
    @usableFromInline var owner: RelationOwner?
    /// What it leads to, and who looks at it.
    @usableFromInline var more = Rare<More>()

    @inlinable
    init(key: Target.ID?, savedKey: Target.ID?) {
      self.key = key
      self.savedKey = savedKey
    }

    // One field after the other: a copy of all would copy a weak reference.

    /// The other, where it is here.
    var object: Target? {
      guard more.isThere else { return nil }
      if let object = more.held[0].object { return object }
      return more.held[0].listOwner.flatMap { $0 as? Target }
    }
    var isMissing: Bool { more.isThere && more.held[0].isMissing }
    var successor: OneRelation? { more.isThere ? more.held[0].successor : nil }
    var registrar: ObservationRegistrar? { more.isThere ? more.held[0].registrar : nil }

    /// The key; that of one that is new is known when that is saved.
    var currentKey: Target.ID? {
      mutating get {
        if let key, !key.isUnset { return key }
        if let object, !object.id.isUnset { key = object.id }
        return key
      }
    }

    /// Forgets the other.
    mutating func forget() {
      if more.isThere { set(nil) }
    }

    /// Sets the other, and forgets what was known of it.
    mutating func set(_ object: Target?, isMissing: Bool = false, listOwner: (any Model)? = nil) {
      more[or: More()].object = object
      more[or: More()].isMissing = isMissing
      more[or: More()].listOwner = listOwner
    }
  }

  @usableFromInline
  struct More: Sendable {
    var object: Target?
    /// Whether the other was asked for, and is gone.
    var isMissing = false
    /// The other, where it is the owner of a list that this one's row is in: it holds the list, and is not held by it.
    weak var listOwner: (any Model)?
    /// Another one that has taken the place of this one as a property.
    var successor: OneRelation?
    var registrar: ObservationRegistrar?
  }

  @usableFromInline let state: Mutex<State>
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
    state = Mutex(State(key: key, savedKey: nil))
    rules = ForeignKeyRules(
      onDelete: onDelete ?? (isRequired ? .restrict : .setNull), onUpdate: onUpdate,
      isRequired: isRequired, isIndexed: isIndexed)
  }

  init(_ key: Target.ID?, _ rules: ForeignKeyRules) {
    state = Mutex(State(key: key, savedKey: key))
    self.rules = rules
  }

  /// Runs `body` with the state of the one that is the property by now.
  @inline(__always)
  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    var current = self
    while true {
      var successor: OneRelation?
      let result = current.state.withLock { state -> Result? in
        successor = state.successor
        return successor == nil ? body(&state) : nil
      }
      if let result { return result }
      // There is one or the other.
      if let successor { current = successor }
    }
  }

  /// The other's key; `nil` where there is none. Setting it marks the owner as changed.
  public var key: Target.ID? {
    get {
      access()
      return currentKey
    }
    set {
      if with({ $0.key == newValue }) { return }
      let owner = mutate { state -> RelationOwner? in
        state.key = newValue
        state.forget()
        return state.owner
      }
      owner?.noteChange()
    }
  }

  var currentKey: Target.ID? {
    with { $0.currentKey }
  }

  /// The other, if it was fetched or set; asks for nothing.
  public var _object: Target? {
    access()
    return loadedObject
  }

  var loadedObject: Target? { with(\.object) }

  /// Whether it is known what the relation leads to: it was fetched or set, or there is none, or it is gone.
  public var isLoaded: Bool { _object != nil || key == nil || with(\.isMissing) }

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
    let isMissing = with(\.isMissing)
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
    let (key, owner) = (key, with(\.owner))
    guard let key else { return nil }
    let session =
      try owner?.session.home(of: Target.Row.self)
      ?? ModelSession.current(for: Target.Row.autoDBSettings)
    let object = try await session.fetch(Target.self, key)
    setLoaded(object, for: key)
    return object
  }

  /// Sets the other, or `nil` for none, and marks the owner as changed.
  ///
  /// One that is new is saved with the owner.
  public func setObject(_ object: Target?) async { set(object) }

  func set(_ object: Target?) {
    let (owner, isSame) = mutate { state -> (RelationOwner?, Bool) in
      let isSame = state.key == object?.id && !(object?.id.isUnset ?? false)
      state.key = object?.id
      // One whose list holds this row is not held by it.
      if let object, state.more.isThere, let listOwner = state.more.held[0].listOwner,
        listOwner === object as AnyObject
      {
        return (state.owner, isSame)
      }
      state.set(object)
      return (state.owner, isSame)
    }
    if object != nil { owner?.noteLoaded() }
    if !isSame { owner?.noteChange() }
  }

  /// Has the row be in the list of an owner, which it does not hold.
  ///
  /// - Parameter isNew: Whether the row was not in it: then it has changes.
  func setListOwner(_ model: (any Model)?, key: Target.ID?, isNew: Bool) {
    let owner = mutate { state -> RelationOwner? in
      state.key = key
      state.set(nil, listOwner: model)
      return isNew ? state.owner : nil
    }
    owner?.noteChange()
  }

  /// Has the row, which was read, be in the list of its owner, unless it leads elsewhere here: it was taken there, or has changes
  /// of its own, and so stayed as it was when it was read before.
  ///
  /// - Parameter model: The owner; `nil` where that is a value.
  /// - Returns: Whether it is in the list.
  func isAdmitted(to model: (any Model)?, _ key: Target.ID?) -> Bool {
    let (isIn, isWatched) = with { state -> (Bool, Bool) in
      guard state.currentKey == state.savedKey, state.key == key else {
        return (state.key == key, false)
      }
      let isWatched = state.registrar != nil
      if let model, !isWatched { state.set(nil, listOwner: model) }
      return (true, isWatched)
    }
    if isWatched, let model { setListOwner(model, key: key, isNew: false) }
    return isIn
  }

  /// Notes that the row was read, and whose property this is.
  @inlinable
  func noteFetched(_ owner: RelationOwner) {
    state.withLock { state in
      state.savedKey = state.key
      state.owner = owner
    }
  }

  /// Binds the key, which is one column.
  @inlinable
  func bindKey(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try columnValue.bind(to: statement, at: index)
  }

  @usableFromInline var columnValue: SQLiteValue { currentKey?.keyValues.first ?? .null }

  /// Keeps what was fetched for a key, unless the relation has another one by now.
  func setLoaded(_ object: Target?, for key: Target.ID) {
    let owner = mutate { state -> RelationOwner? in
      guard state.key == key else { return nil }
      state.more[or: More()].object = object
      state.more[or: More()].isMissing = object == nil
      return object == nil ? nil : state.owner
    }
    owner?.noteLoaded()
  }
}

/// To-one relations whatever their targets.
protocol AnyOneRelation: AnyRelation {
  /// The key as the row's columns hold it: one, or those of a ``CompositeKey``.
  var columnValues: [SQLiteValue] { get }
  /// The key as the row had it when it was fetched or saved.
  var savedColumnValues: [SQLiteValue] { get }
  /// The session of the row.
  var session: ModelSession? { get }
  /// The other, if it is a model that is here.
  var loadedModel: (any Model)? { get }
  /// What notes that the row was saved with the key as it is now, once that is committed.
  func noteWhenSaved() -> () -> Void
  /// Notes that a row of a table has another key.
  func noteKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey)
}

extension OneRelation: AnyOneRelation {
  var relationKind: RelationKind { .one(target: Target.Row.self, rules) }

  func fresh(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) throws(SQLiteError) -> any AnyRelation {
    guard Target.ID.columnTypes.count > 1 else {
      guard let column, try !row.isNull(at: column) else { return OneRelation(nil, rules) }
      return OneRelation(try Target.ID(from: row, columns: [column]), rules)
    }
    let names = row.columnNames
    var columns: [ColumnIndex] = []
    for part in Target.Row.keyColumns {
      let name = Self.column(property, part)
      guard let place = names.firstIndex(where: { SQLName.isSame($0, name) }),
        try !row.isNull(at: ColumnIndex(place))
      else { return OneRelation(nil, rules) }
      columns.append(ColumnIndex(place))
    }
    return OneRelation(try Target.ID(from: row, columns: columns), rules)
  }

  /// The column of a part of the key.
  static func column(_ property: String, _ part: String) -> String { "\(property)_\(part)" }

  func attach(_ owner: RelationOwner, _ property: String) { with { $0.owner = owner } }

  func takeOver(_ former: any AnyRelation) {
    guard let former = former as? OneRelation, former !== self else { return }
    let taken = former.with { state -> State in
      let taken = state
      state.more[or: More()].successor = self
      state.more[or: More()].object = nil
      state.owner = nil
      return taken
    }
    state.withLock { state in
      state.owner = taken.owner ?? state.owner
      guard taken.more.isThere else { return }
      let more = taken.more.held[0]
      if state.key == taken.key {
        state.set(more.object, isMissing: more.isMissing, listOwner: more.listOwner)
      }
      state.more[or: More()].registrar = more.registrar
    }
    if taken.key != with(\.key) { mutate { _ in } }
  }

  var isChanged: Bool {
    let key = currentKey
    return with { $0.savedKey != key }
  }

  var columnValues: [SQLiteValue] { Self.columnValues(currentKey) }
  var savedColumnValues: [SQLiteValue] { Self.columnValues(with(\.savedKey)) }
  var loadedModel: (any Model)? { loadedObject as? any Model }

  private static func columnValues(_ key: Target.ID?) -> [SQLiteValue] {
    key?.keyValues ?? [SQLiteValue](repeating: .null, count: Target.ID.columnTypes.count)
  }

  func noteWhenSaved() -> () -> Void {
    let (key, object) = (currentKey, loadedObject)
    return { [self] in
      // One that is new has its key by now.
      let written = key.flatMap { $0.isUnset ? object?.id : $0 }
      with { $0.savedKey = written }
    }
  }
}

extension OneRelation: Hashable {
  public static func == (a: OneRelation, b: OneRelation) -> Bool {
    a === b || a.currentKey == b.currentKey
  }

  /// All are alike to a hash, since a key may change while the relation is in a set.
  public func hash(into hasher: inout Hasher) {}
}

extension OneRelation: Codable {
  /// Reads the other's key.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(container.decodeNil() ? nil : try container.decode(Target.ID.self))
  }

  /// Writes the other's key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let key { try container.encode(key) } else { try container.encodeNil() }
  }
}

internal import Primitives
public import SQLiteCore

/// A to-one relation of any target type.
protocol AnyOneRelation: AnyRelation {
  /// The key as stored in the row's columns: one value, or the values of a ``CompositeKey``.
  var columnValues: [SQLiteValue] { get }
  /// The key that the row had when it was fetched or saved.
  var savedColumnValues: [SQLiteValue] { get }
  /// The session of the row.
  var session: ModelSession? { get }
  /// The target, if it is a model that is loaded.
  var loadedModel: (any Model)? { get }
  /// The target, if the relation holds a strong reference to it.
  var retainedModel: (any Model)? { get }
  /// Returns a closure that marks the current key as saved; call it after the commit.
  func savedKeyHandler() -> () -> Void
  func withState<Result: Sendable>(_ body: (inout ToOneState) -> Result) -> Result
  /// Updates the key after a referenced row got another key.
  func applyKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey)
}

extension OneRelation: AnyOneRelation {
  var asToOneRelation: (any AnyOneRelation)? { self }
  var relationKind: RelationKind { .one(target: Target.Row.self, rules) }

  func instantiate(
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

  /// Returns the column for a part of the target's key.
  static func column(_ property: String, _ part: String) -> String { "\(property)_\(part)" }

  func markRead() { with { $0.markRead() } }

  func attach(_ owner: RelationOwner, _ property: String) { with { $0.owner = owner } }

  func adoptState(_ former: any AnyRelation) {
    // The replaced relation may be the one that replaced this relation before.
    guard let former = former as? OneRelation, former.last !== self, last !== former else { return }
    let transferred = former.with { $0.transferState(to: self) }
    state.withLock { $0.inheritState(from: transferred) }
    if transferred.key != with({ $0.key }) { mutate { _ in } }
  }

  /// The relation that is currently the property.
  private var last: OneRelation {
    var last = self
    while let next = last.state.withLock(\.successor) as? OneRelation { last = next }
    return last
  }

  @usableFromInline var isChanged: Bool {
    state.withLock { $0.hasOnlyKey ? $0.isChanged : nil }
      ?? with { $0.currentKey != $0.savedKey }
  }

  var columnValues: [SQLiteValue] { Self.columnValues(storedKey) }
  var savedColumnValues: [SQLiteValue] { Self.columnValues(with { $0.savedKey }) }
  var loadedModel: (any Model)? { loadedObject as? any Model }
  var retainedModel: (any Model)? {
    with(\.retainedObject) as? any Model
  }

  private static func columnValues(_ key: StoredKey) -> [SQLiteValue] {
    key.values ?? [SQLiteValue](repeating: .null, count: Target.ID.columnTypes.count)
  }

  func savedKeyHandler() -> () -> Void {
    let (key, object) = (storedKey, loadedObject)
    return { [self] in
      // A new target has received its key in the meantime.
      let written = key != .none && key.isUnset ? StoredKey(object?.id) : key
      with { $0.savedKey = written }
    }
  }
}

extension OneRelation: Hashable {
  public static func == (a: OneRelation, b: OneRelation) -> Bool {
    a === b || a.storedKey == b.storedKey
  }

  /// All relations have the same hash value, since a key may change while the relation is in a set.
  public func hash(into hasher: inout Hasher) {}
}

extension OneRelation: Codable {
  /// Decodes the target's key.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(container.decodeNil() ? nil : try container.decode(Target.ID.self))
  }

  /// Encodes the target's key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let key { try container.encode(key) } else { try container.encodeNil() }
  }
}

/// A relation as a column type, for rows that are not read by `Codable`: generated rows, or rows of
/// a type with ``Table/properties``.
///
/// If the column is NULL, the relation has no target.
extension OneRelation: SQLiteReadable, SQLiteBindable {
  /// Reads the target's key.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` if the key has several columns; the
  ///   errors of the key's type.
  @inlinable
  public convenience init(
    from row: borrowing SQLiteCore.Row, at index: ColumnIndex
  ) throws(SQLiteError) {
    let key = try Target.ID.optionalKey(from: row, at: index)
    if let owner = RelationOwner.reading(row) {
      self.init(read: StoredKey(key), of: owner)
    } else {
      self.init(key)
    }
  }

  /// The target's key; NULL if the relation has no target.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` if the key has several columns.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      try requireOneColumn()
      return columnValue
    }
  }

  /// Binds the target's key.
  ///
  /// - Throws: The same errors as ``sqliteValue``.
  public func bind(
    to statement: Statement, at index: ParameterIndex
  ) throws(SQLiteError) {
    try requireOneColumn()
    try bindKey(to: statement, at: index)
  }

  private func requireOneColumn() throws(SQLiteError) {
    guard Target.ID.columnTypes.count == 1 else {
      throw SQLiteError(
        code: .columnTypeMismatch,
        message:
          "the key of \(Target.Row.tableName) has several columns and can't be stored in one")
    }
  }
}

extension OneRelation {
  /// Applies a change of a referenced row's key, as the foreign key's `ON UPDATE` action does.
  func applyKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey) {
    guard table == Target.Row.self, case .one(_, let rules) = relationKind else { return }
    let new: StoredKey
    switch rules.onUpdate {
    case .cascade: new = StoredKey(key as? Target.ID)
    case .setNull: new = .none
    // The next fetch reads the result, or the change was refused.
    case .setDefault, .restrict, .noAction: return
    }
    with { state in
      if state.key.values == former {
        state.key = new
        if new == .none { state.removeTarget() }
      }
      if state.savedKey.values == former { state.savedKey = new }
    }
  }
}

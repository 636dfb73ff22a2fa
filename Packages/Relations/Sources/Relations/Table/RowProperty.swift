public import SQLiteCore

/// A column or a relation of a table whose rows are read, compared and written without `Codable`: see
/// ``Table/properties``.
public struct RowProperty<Row: Table>: Sendable {
  /// The name by which the type encodes the property.
  @usableFromInline let name: String
  /// Whether the property is a column: a list and a full-text column are none.
  @usableFromInline let isColumn: Bool
  /// The value of the column; `nil` if encoding the row has to report that there is none.
  @usableFromInline let value: @Sendable (Row) -> SQLiteValue?
  /// Finds whether the column has changed: adds it then, with its place.
  ///
  /// It says no where a relation was changed, or only `Codable` knows what the column holds. It gets rows as objects, which need
  /// not be copied to be handed on.
  @usableFromInline
  let findChange: @Sendable (KeptRow<Row>, KeptRow<Row>, Int, inout ColumnChanges) -> Bool
  /// The relation; `nil` for a column.
  @usableFromInline let relation: RelationAccess<Row>?
  /// Says whose property the relation of a row is that was fetched, and its name; and the row's key, where rows share the owner.
  @usableFromInline let setOwner: (@Sendable (Row, RelationOwner, StoredKey, String) -> Void)?
  /// Whether it is a to-one relation.
  @usableFromInline let isOne: Bool
  /// Whether ``RowDecodable/init(row:)`` reads the relation from its column, so that it knows its owner.
  @usableFromInline let isRead: Bool
  /// Whether rows may share the owner.
  @usableFromInline let sharesOwner: Bool

  @inlinable
  init(
    _ name: String, isColumn: Bool, value: @escaping @Sendable (Row) -> SQLiteValue?,
    findChange: @escaping @Sendable (KeptRow<Row>, KeptRow<Row>, Int, inout ColumnChanges) -> Bool,
    relation: RelationAccess<Row>? = nil,
    setOwner: (@Sendable (Row, RelationOwner, StoredKey, String) -> Void)? = nil,
    isOne: Bool = false, isRead: Bool = false, sharesOwner: Bool = true
  ) {
    self.name = name
    self.isColumn = isColumn
    self.value = value
    self.findChange = findChange
    self.relation = relation
    self.setOwner = setOwner
    self.isOne = isOne
    self.isRead = isRead
    self.sharesOwner = sharesOwner
  }

  /// A column.
  @inlinable
  public init<Value: SQLiteBindable & Equatable & Sendable>(
    column name: String, _ value: @escaping @Sendable (Row) -> Value
  ) {
    self.init(
      name, isColumn: true, value: { SQLiteValue(column: value($0)) },
      findChange: { row, former, place, changes in
        let now = value(row.row)
        if isStoredAlike(now, value(former.row)) { return true }
        guard let stored = SQLiteValue(column: now) else { return false }
        changes.add(stored, at: place)
        return true
      })
  }

  /// A column that may be NULL.
  @inlinable
  public init<Value: SQLiteBindable & Equatable & Sendable>(
    column name: String, _ value: @escaping @Sendable (Row) -> Value?
  ) {
    self.init(
      name, isColumn: true,
      value: { row in value(row).map { SQLiteValue(column: $0) } ?? .null },
      findChange: { row, former, place, changes in
        let now = value(row.row)
        switch (now, value(former.row)) {
        case (nil, nil): return true
        case (let now?, let former?): if isStoredAlike(now, former) { return true }
        default: break
        }
        guard let stored = now.map({ SQLiteValue(column: $0) }) ?? .null else { return false }
        changes.add(stored, at: place)
        return true
      })
  }

  /// A column whose type has no conversion to SQLite of its own: a list or a struct, which is stored as JSON.
  ///
  /// Its values are encoded to be compared, since values that are equal may be encoded differently.
  @_disfavoredOverload
  public init<Value: Encodable & Sendable>(
    column name: String, _ value: @escaping @Sendable (Row) -> Value
  ) {
    let encode: @Sendable (Row) -> SQLiteValue? = { try? RowEncoder().encodeColumn(value($0)) }
    self.init(
      name, isColumn: true, value: encode,
      findChange: { row, former, place, changes in
        guard let now = encode(row.row), let before = encode(former.row) else { return false }
        if now != before { changes.add(now, at: place) }
        return true
      })
  }

  /// A to-one relation.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - isRead: Whether `init(row:)` reads the relation from the row's column, as `try row.decode(at: 3)`, and does
  ///     not create it from a key.
  ///   - value: The relation of a row.
  @inlinable
  public init<Target>(
    column name: String, isRead: Bool,
    _ value: @escaping @Sendable (Row) -> OneRelation<Target>
  ) {
    self.init(
      name, isColumn: true, value: { value($0).columnValue },
      findChange: { row, former, _, _ in
        let relation = value(row.row)
        return relation === value(former.row) && !relation.isChanged
      },
      relation: RelationAccess(value),
      setOwner: { row, owner, _, _ in value(row).noteFetched(owner) }, isOne: true, isRead: isRead)
  }

  /// A to-one relation that `init(row:)` reads from the row's column.
  @inlinable
  public init<Target>(
    column name: String, _ value: @escaping @Sendable (Row) -> OneRelation<Target>
  ) {
    self.init(column: name, isRead: true, value)
  }

  /// A list.
  @inlinable
  public init<Target>(
    relation name: String, _ value: @escaping @Sendable (Row) -> ManyRelation<Target>
  ) {
    self.init(
      name, isColumn: false, value: { _ in nil },
      findChange: { row, former, _, _ in
        let relation = value(row.row)
        return relation === value(former.row) && !relation.isChanged
      },
      relation: RelationAccess(value),
      setOwner: { row, owner, key, name in value(row).attach(owner, key, name) })
  }

  /// A query relation.
  public init<Target>(
    relation name: String, _ value: @escaping @Sendable (Row) -> RelationQuery<Target>
  ) {
    self.init(name, other: value)
  }

  /// A full-text column.
  public init<Target>(
    relation name: String, _ value: @escaping @Sendable (Row) -> FTSColumn<Target>
  ) {
    self.init(name, other: value)
  }

  /// No column: the property's declaration does not show the macro that it is a relation.
  @available(*, unavailable, message: "declare the property's type as ManyRelation<…>")
  public init<Target>(
    column name: String, _ value: @escaping @Sendable (Row) -> ManyRelation<Target>
  ) {
    self.init(relation: name, value)
  }

  /// No column: the property's declaration does not show the macro that it is a relation.
  @available(*, unavailable, message: "declare the property's type as RelationQuery<…>")
  public init<Target>(
    column name: String, _ value: @escaping @Sendable (Row) -> RelationQuery<Target>
  ) {
    self.init(relation: name, value)
  }

  /// No column: the property's declaration does not show the macro that it is a relation.
  @available(*, unavailable, message: "declare the property's type as FTSColumn<…>")
  public init<Target>(
    column name: String, _ value: @escaping @Sendable (Row) -> FTSColumn<Target>
  ) {
    self.init(relation: name, value)
  }

  private init(_ name: String, other value: @escaping @Sendable (Row) -> some AnyRelation) {
    self.init(
      name, isColumn: false, value: { _ in nil },
      findChange: { row, former, _, _ in
        let relation = value(row.row)
        return relation === value(former.row) && !relation.isChanged
      },
      relation: RelationAccess { value($0) },
      setOwner: { row, owner, _, name in value(row).attach(owner, name) }, sharesOwner: false)
  }
}

extension SQLiteValue {
  /// The value that a column stores; `nil` if the value can't be stored, which encoding the row reports: a NaN,
  /// for example.
  @inlinable
  init?(column value: some SQLiteBindable) {
    if let number = value as? Double, number.isNaN { return nil }
    if let number = value as? Float, number.isNaN { return nil }
    guard let value = try? value.sqliteValue else { return nil }
    self = value
  }
}

/// Whether a column stores the same for two values.
///
/// Values that are equal in Swift may be stored differently: texts that differ in the normalization of their
/// characters, or values of a type whose `==` ignores a part of them.
@inlinable
func isStoredAlike<Value: SQLiteBindable & Equatable>(_ a: Value, _ b: Value) -> Bool {
  guard a == b else { return false }
  if a is Int || a is Int64 || a is Bool || a is Double || a is AutoId { return true }
  if let a = a as? String, let b = b as? String { return a.utf8.elementsEqual(b.utf8) }
  guard let a = try? a.sqliteValue, let b = try? b.sqliteValue else { return true }
  return a == b
}

/// Reads a relation of a row.
@usableFromInline
struct RelationAccess<Row: Table>: Sendable {
  let relation: @Sendable (Row) -> any AnyRelation

  init(_ relation: @escaping @Sendable (Row) -> any AnyRelation) { self.relation = relation }

  @usableFromInline
  init<Target>(_ relation: @escaping @Sendable (Row) -> OneRelation<Target>) {
    self.relation = { relation($0) }
  }

  @usableFromInline
  init<Target>(_ relation: @escaping @Sendable (Row) -> ManyRelation<Target>) {
    self.relation = { relation($0) }
  }

  func callAsFunction(_ row: Row) -> any AnyRelation { relation(row) }
}

/// The functions that read rows of a table with ``Table/properties``: they are created where the type is known, so that the
/// loops are specialized for it.
public struct RowReading<Row: Table>: Sendable {
  @usableFromInline
  let fetchAll: @Sendable (Connection, SQL, [any SQLiteBindable]) throws -> [Row]
  @usableFromInline
  let fetchFirst: @Sendable (Connection, SQL, [any SQLiteBindable]) throws -> [Row]
  /// Reads rows whose owners are told by a column; where their own relations have an owner, these are told of it.
  @usableFromInline
  let fetchRuns:
    @Sendable (
      Connection, SQL, [any SQLiteBindable], ColumnIndex, RelationOwner?, KeyRange?
    ) throws -> RowRuns<Row>
  /// Says whose the relations of rows are: rows share the owner, or each has one of its own that is made like it.
  @usableFromInline
  let attach: @Sendable ([Row], RelationOwner, _ isShared: Bool, _ names: [String]) -> Void
  @usableFromInline
  let forEach:
    @Sendable (
      Connection, SQL, [any SQLiteBindable], (Row, borrowing SQLiteCore.Row) throws -> Void
    ) throws -> Void
}

extension RowReading {
  @inlinable
  public init() {
    fetchAll = { connection, sql, arguments in
      try connection.fetchAll(Row.self, sql, values: arguments)
    }
    fetchFirst = { connection, sql, arguments in
      try connection.fetchOne(Row.self, sql, values: arguments).map { [$0] } ?? []
    }
    let relations = Row.properties.compactMap(\.setOwner)
    fetchRuns = { connection, sql, arguments, column, owner, range in
      var runs = RowRuns<Row>(range)
      try connection.withRowContext(owner) {
        try connection.forEach(sql, values: arguments) { row in
          if try runs.turn(to: row, column) { runs.rows.append(try Row(row: row)) }
        }
      }
      runs.end()
      return runs
    }
    attach = { rows, owner, isShared, names in
      for row in rows {
        let key = StoredKey(row.id)
        let own = isShared ? owner : RelationOwner(owner, key: key)
        for place in relations.indices {
          relations[place](row, own, isShared ? key : .none, names[place])
        }
      }
    }
    forEach = { connection, sql, arguments, body in
      try connection.forEachRow(Row.self, sql, values: arguments, body: body)
    }
  }
}

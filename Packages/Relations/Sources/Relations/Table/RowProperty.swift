public import SQLiteCore

/// A column or a relation of a table whose rows are read, compared and written without `Codable`:
/// see ``Table/properties``.
public struct RowProperty<Row: Table>: Sendable {
  /// The name by which the type encodes the property.
  @usableFromInline let name: String
  /// A Boolean value that indicates whether the property is a column. Lists, queries and full-text
  /// columns are not.
  @usableFromInline let isColumn: Bool
  /// Returns the value of the column; `nil` if encoding the row must report that there is none.
  @usableFromInline let value: @Sendable (Row) -> SQLiteValue?
  /// Adds the column and its index to the changes, if the column has changed.
  ///
  /// It returns `false` if a relation has changed, or if only `Codable` can compare the column. The
  /// rows are passed as objects, so that they are not copied.
  @usableFromInline
  let findChange: @Sendable (RowSnapshot<Row>, RowSnapshot<Row>, Int, inout ColumnChanges) -> Bool
  /// The relation; `nil` for a column.
  @usableFromInline let relation: RelationAccess<Row>?
  /// Sets the owner and name of a fetched row's relation, and the row's key if rows share the
  /// owner.
  @usableFromInline let setOwner: (@Sendable (Row, RelationOwner, StoredKey, String) -> Void)?
  /// A Boolean value that indicates whether the property is a to-one relation.
  @usableFromInline let isToOne: Bool
  /// A Boolean value that indicates whether ``RowDecodable/init(row:)`` reads the relation from its
  /// column, which sets its owner.
  @usableFromInline let isRead: Bool
  /// A Boolean value that indicates whether rows may share the owner.
  @usableFromInline let sharesOwner: Bool

  @inlinable
  init(
    _ name: String, isColumn: Bool, value: @escaping @Sendable (Row) -> SQLiteValue?,
    findChange:
      @escaping @Sendable (RowSnapshot<Row>, RowSnapshot<Row>, Int, inout ColumnChanges) -> Bool,
    relation: RelationAccess<Row>? = nil,
    setOwner: (@Sendable (Row, RelationOwner, StoredKey, String) -> Void)? = nil,
    isToOne: Bool = false, isRead: Bool = false, sharesOwner: Bool = true
  ) {
    self.name = name
    self.isColumn = isColumn
    self.value = value
    self.findChange = findChange
    self.relation = relation
    self.setOwner = setOwner
    self.isToOne = isToOne
    self.isRead = isRead
    self.sharesOwner = sharesOwner
  }

  /// Creates a column.
  @inlinable
  public init<Value: SQLiteBindable & Equatable & Sendable>(
    column name: String, _ value: @escaping @Sendable (Row) -> Value
  ) {
    self.init(
      name, isColumn: true, value: { SQLiteValue(column: value($0)) },
      findChange: { row, former, place, changes in
        let now = value(row.row)
        if isStoredIdentically(now, value(former.row)) { return true }
        guard let stored = SQLiteValue(column: now) else { return false }
        changes.add(stored, at: place)
        return true
      })
  }

  /// Creates a column that may be NULL.
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
        case (let now?, let former?): if isStoredIdentically(now, former) { return true }
        default: break
        }
        guard let stored = now.map({ SQLiteValue(column: $0) }) ?? .null else { return false }
        changes.add(stored, at: place)
        return true
      })
  }

  /// Creates a column whose type has no conversion to SQLite: an array or a struct, which is stored
  /// as JSON.
  ///
  /// Its values are encoded for comparison, since equal values may be encoded differently.
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

  /// Creates a to-one relation.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - isRead: Whether `init(row:)` reads the relation from the row's column, as in
  ///     `try row.read(at: 3)`, instead of creating it from a key.
  ///   - value: Returns the relation of a row.
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
      setOwner: { row, owner, _, _ in value(row).markFetched(owner) }, isToOne: true, isRead: isRead
    )
  }

  /// Creates a to-one relation that `init(row:)` reads from the row's column.
  @inlinable
  public init<Target>(
    column name: String, _ value: @escaping @Sendable (Row) -> OneRelation<Target>
  ) {
    self.init(column: name, isRead: true, value)
  }

  /// Creates a list.
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

  /// Creates a query relation.
  public init<Target>(
    relation name: String, _ value: @escaping @Sendable (Row) -> RelationQuery<Target>
  ) {
    self.init(name, other: value)
  }

  /// Creates a full-text column.
  public init<Target>(
    relation name: String, _ value: @escaping @Sendable (Row) -> FTSColumn<Target>
  ) {
    self.init(name, other: value)
  }

  /// Unavailable: the macro can't determine from the property's declaration that it is a relation.
  @available(*, unavailable, message: "declare the property's type as ManyRelation<…>")
  public init<Target>(
    column name: String, _ value: @escaping @Sendable (Row) -> ManyRelation<Target>
  ) {
    self.init(relation: name, value)
  }

  /// Unavailable: the macro can't determine from the property's declaration that it is a relation.
  @available(*, unavailable, message: "declare the property's type as RelationQuery<…>")
  public init<Target>(
    column name: String, _ value: @escaping @Sendable (Row) -> RelationQuery<Target>
  ) {
    self.init(relation: name, value)
  }

  /// Unavailable: the macro can't determine from the property's declaration that it is a relation.
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
  /// Creates the value that a column stores; `nil` if the value can't be stored, such as a NaN,
  /// which encoding the row reports.
  @inlinable
  init?(column value: some SQLiteBindable) {
    if let number = value as? Double, number.isNaN { return nil }
    if let number = value as? Float, number.isNaN { return nil }
    guard let value = try? value.sqliteValue else { return nil }
    self = value
  }
}

/// Returns whether a column stores two values identically.
///
/// Values that are equal in Swift may be stored differently: strings with different Unicode
/// normalization, or values of a type whose `==` ignores a part of them.
@inlinable
func isStoredIdentically<Value: SQLiteBindable & Equatable>(_ a: Value, _ b: Value) -> Bool {
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

/// The functions that read rows of a table with ``Table/properties``. ``Table/reading`` creates
/// them in the type's own module, so that the loops are specialized for it.
public struct RowReading<Row: Table>: Sendable {
  @usableFromInline
  let fetchAll: @Sendable (Connection, SQL, [any SQLiteBindable]) throws -> [Row]
  @usableFromInline
  let fetchFirst: @Sendable (Connection, SQL, [any SQLiteBindable]) throws -> [Row]
  /// Reads rows and groups them by an owner column. If the rows' own relations have an owner, sets
  /// it.
  @usableFromInline
  let fetchGroupedRows:
    @Sendable (
      Connection, SQL, [any SQLiteBindable], ColumnIndex, RelationOwner?, KeyRange?
    ) throws -> OwnerGroupedRows<Row>
  /// Sets the owners of rows' relations: either all rows share the owner, or each has its own copy.
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
    fetchGroupedRows = { connection, sql, arguments, column, owner, range in
      var groups = OwnerGroupedRows<Row>(range)
      try connection.withRowContext(owner) {
        try connection.forEach(sql, values: arguments) { row in
          if try groups.advance(to: row, column) { groups.rows.append(try Row(row: row)) }
        }
      }
      groups.end()
      return groups
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

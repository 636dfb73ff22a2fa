public import SQLiteCore

/// A table whose rows are read, compared and written property by property, without `Codable`: as fast as code by hand.
///
/// Everything works as for other tables. The type says twice what its columns are, in the order in which its properties are
/// declared, which is that of the columns; lists have none.
///
/// ```swift
/// struct Track: DirectTable {
///   var id = 0
///   var title = ""
///   var album = OneRelation<Album>()
///   var writers = ManyRelation<Writer>()
///
///   init() {}
///   init(row: borrowing Row) throws(SQLiteError) {
///     id = try row.read(at: 0)
///     title = try row.read(at: 1)
///     album = try row.read(at: 2)
///   }
///   static var properties: [RowProperty<Track>] {
///     [.init { $0.id }, .init { $0.title }, .init { $0.album }, .init { $0.writers }]
///   }
/// }
/// ```
///
/// A relation that is read from the row, as here, learns at once whose it is; one that is made of a key, as
/// `OneRelation(key)`, is told afterwards. A property that `init(row:)` sets anyway is best declared without a value of its own,
/// which would be made for each row first. In a ``Model``, `Row` is the model's own: write `borrowing SQLiteCore.Row`.
///
/// What ``properties`` says is held against how the type encodes itself when its table is first used: another number of
/// properties, or one that is written otherwise, is a ``RelationError`` with code ``RelationError/Code/schemaMismatch``.
public protocol DirectTable: Table, RowDecodable {
  /// The properties, in the order in which they are declared.
  static var properties: [RowProperty<Self>] { get }

  /// How rows are read. There is one for every type.
  static var reading: RowReading<Self> { get }
}

extension DirectTable {
  @inlinable public static var reading: RowReading<Self> { RowReading() }
}

/// A property of a ``DirectTable``: a column, or a relation.
public struct RowProperty<Row: Table>: Sendable {
  @usableFromInline
  let bind: (@Sendable (Row, Statement, ParameterIndex) throws(SQLiteError) -> Void)?
  /// Whether ``bind`` is not `nil`, which can't be compared on systems before macOS 15: it throws a type.
  @inlinable var isBound: Bool { if case .some = bind { true } else { false } }
  /// What the column holds; `nil` where only ``bind`` knows.
  @usableFromInline let value: (@Sendable (Row) -> SQLiteValue?)?
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
  /// Whether rows may share the owner.
  @usableFromInline let sharesOwner: Bool

  /// A column.
  @inlinable
  public init<Value: SQLiteBindable & Equatable & Sendable>(
    _ value: @escaping @Sendable (Row) -> Value
  ) {
    bind = { row, statement, index throws(SQLiteError) in
      try value(row).bind(to: statement, at: index)
    }
    self.value = { SQLiteValue(column: value($0)) }
    findChange = { row, former, place, changes in
      let now = value(row.row)
      if isStoredAlike(now, value(former.row)) { return true }
      guard let stored = SQLiteValue(column: now) else { return false }
      changes.add(stored, at: place)
      return true
    }
    (relation, setOwner, isOne, sharesOwner) = (nil, nil, false, true)
  }

  /// A column that may be NULL.
  @inlinable
  public init<Value: SQLiteBindable & Equatable & Sendable>(
    _ value: @escaping @Sendable (Row) -> Value?
  ) {
    bind = { row, statement, index throws(SQLiteError) in
      try value(row).bind(to: statement, at: index)
    }
    self.value = { row in value(row).map { SQLiteValue(column: $0) } ?? .null }
    findChange = { row, former, place, changes in
      let now = value(row.row)
      switch (now, value(former.row)) {
      case (nil, nil): return true
      case (let now?, let former?): if isStoredAlike(now, former) { return true }
      default: break
      }
      guard let stored = now.map({ SQLiteValue(column: $0) }) ?? .null else { return false }
      changes.add(stored, at: place)
      return true
    }
    (relation, setOwner, isOne, sharesOwner) = (nil, nil, false, true)
  }

  /// A to-one relation.
  @inlinable
  public init<Target>(_ value: @escaping @Sendable (Row) -> OneRelation<Target>) {
    bind = { row, statement, index throws(SQLiteError) in
      try value(row).bindKey(to: statement, at: index)
    }
    self.value = { value($0).columnValue }
    findChange = { row, former, _, _ in
      let relation = value(row.row)
      return relation === value(former.row) && !relation.isChanged
    }
    relation = RelationAccess(value)
    setOwner = { row, owner, _, _ in value(row).noteFetched(owner) }
    (isOne, sharesOwner) = (true, true)
  }

  /// A list.
  @inlinable
  public init<Target>(_ value: @escaping @Sendable (Row) -> ManyRelation<Target>) {
    (bind, self.value) = (nil, nil)
    findChange = { row, former, _, _ in
      let relation = value(row.row)
      return relation === value(former.row) && !relation.isChanged
    }
    relation = RelationAccess(value)
    setOwner = { row, owner, key, name in value(row).attach(owner, key, name) }
    (isOne, sharesOwner) = (false, true)
  }

  /// A query relation.
  public init<Target>(_ value: @escaping @Sendable (Row) -> RelationQuery<Target>) {
    self.init(other: value)
  }

  /// A full-text column.
  public init<Target>(_ value: @escaping @Sendable (Row) -> FTSColumn<Target>) {
    self.init(other: value)
  }

  private init(other value: @escaping @Sendable (Row) -> some AnyRelation) {
    (bind, self.value) = (nil, nil)
    findChange = { row, former, _, _ in
      let relation = value(row.row)
      return relation === value(former.row) && !relation.isChanged
    }
    relation = RelationAccess { value($0) }
    setOwner = { row, owner, _, name in value(row).attach(owner, name) }
    (isOne, sharesOwner) = (false, false)
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

/// How the rows of a ``DirectTable`` are read: made where the type is known, so that its code is compiled into the loops.
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

extension RowReading where Row: DirectTable {
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

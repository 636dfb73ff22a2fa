public import SQLiteCore

/// Asynchronous variants, which do not block the calling thread.
extension DataProvider {
  /// Creates the table of a type, and the tables of all types that it refers to, if they do not
  /// exist.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func registerTableSchema<Table: DataTable>(_ type: Table.Type) async throws {
    try await write { try ObjectStore($0).register(type) }
  }

  /// Drops the table of a type with all its rows, and the tables of its ``CrossReference``s.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func dropTable<Table: DataTable>(_ type: Table.Type) async throws {
    try await write { try ObjectStore($0).drop(type) }
  }

  /// Returns the number of rows in a type's table that satisfy a filter.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func rowCount<Table: DataTable>(
    forType type: Table.Type, filteredBy filter: SQL = "",
    withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> Int {
    try await read {
      try ObjectStore($0).count(type, filter: filter, parameters.map(SQLiteValue.bindable))
    }
  }

  /// Returns whether a type's table has a row with a key.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func hasRow<Table: DataTable>(
    forType type: Table.Type, matchingPrimaryKey key: any SQLiteBindable & Sendable
  ) async throws -> Bool {
    try await read { try ObjectStore($0).hasRow(type, key: key) }
  }

  /// Reads rows of a type's table.
  ///
  /// The objects are created on another thread and belong only to the caller: they need not be
  /// `Sendable`.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  public func getRows<Table: DataTable>(
    ofType type: Table.Type, filteredBy filter: SQL = "", orderedBy order: SQL = "",
    startingAt start: Int = 0, limitedTo limit: Int = 0,
    withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> sending [Table] {
    let clauses = SQL.clauses(filter: filter, order: order, start: start, limit: limit)
    return try await read {
      UncheckedTransfer(
        try ObjectStore($0).rows(type, clauses, parameters.map(SQLiteValue.bindable)))
    }.value
  }

  /// Reads the rows of a statement as objects of a type.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  public func getRows<Table: DataTable>(
    ofType type: Table.Type, matchingSQL sql: SQL,
    withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> sending [Table] {
    try await read {
      UncheckedTransfer(
        try ObjectStore($0).rows(type, sql: sql, parameters.map(SQLiteValue.bindable)))
    }.value
  }

  /// Returns the row with a key; `nil` if the row does not exist.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  public func getRow<Table: DataTable>(
    ofType type: Table.Type, forPrimaryKeyValue key: any SQLiteBindable & Sendable
  ) async throws -> sending Table? {
    try await read { UncheckedTransfer(try ObjectStore($0).row(type, key: key)) }.value
  }

  /// Returns the row with a key of the type's `Key` type; `nil` if the row does not exist.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  public func getRow<Table: KeyedDataTable>(
    ofType type: Table.Type, forKey key: Table.Key
  ) async throws -> sending Table? {
    try await read { UncheckedTransfer(try ObjectStore($0).row(type, key: key)) }.value
  }

  /// Returns the row at an index among the rows that satisfy a filter, counting from 0; `nil` if
  /// there are fewer rows.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  public func getRow<Table: DataTable>(
    ofType type: Table.Type, atIndex index: Int, filteredBy filter: SQL = "",
    orderedBy order: SQL = "",
    withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> sending Table? {
    guard index >= 0 else { return nil }
    let clauses = SQL.clauses(filter: filter, order: order, start: index, limit: 1)
    return try await read {
      UncheckedTransfer(
        try ObjectStore($0).rows(type, clauses, parameters.map(SQLiteValue.bindable)).first)
    }.value
  }

  /// Creates an object with the next key of its table.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func make<Table: DataTable>(_ type: Table.Type) async throws -> sending Table {
    try await read { UncheckedTransfer(try ObjectStore($0).make(type)) }.value
  }

  /// Returns the next key of a table: an `Int`, a `String`, or `nil` if the application provides
  /// the keys.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func makeID<Table: DataTable>(_ type: Table.Type) async throws -> (any Sendable)? {
    try await read { connection -> (any Sendable)? in
      try ObjectStore(connection).makeID(type)
    }
  }

  /// Saves an object: inserts its row, or updates the one with its key.
  ///
  /// The object is encoded on the caller's thread and written on another: it need not be
  /// `Sendable`.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled, in which case no object is saved.
  @discardableResult
  public func save<Table: DataTable>(_ object: Table) async throws -> Record.Key {
    try await save([object])[0]
  }

  /// Saves an object, and returns its key with its static type.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled, in which case no object is saved.
  @discardableResult
  public func save<Table: KeyedDataTable>(_ object: Table) async throws -> Table.Key {
    let encoder = try ObjectGraphEncoder([object])
    let graph = encoder.graph
    let keyed = KeyedObjects(encoder.originals)
    let types = keyed.types
    let (written, key) = try await write { connection in
      let store = ObjectStore(connection)
      let written = try store.write(graph, types)
      return (written, try store.typedKey(written.keys[0], of: Table.self))
    }
    keyed.writeBack(written.typed)
    return key
  }

  /// Saves an object, and writes its key back into it.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled, in which case no object is saved.
  @discardableResult
  public func save<Table: KeyedDataTable>(_ object: inout Table) async throws -> Table.Key {
    let value = object
    let key: Table.Key = try await save(value)
    object.primaryKeyValue = key
    return key
  }

  /// Saves objects in one transaction: all of them, or none.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled, in which case no object is saved.
  @discardableResult
  public func save<Table: DataTable>(_ objects: [Table]) async throws -> [Record.Key] {
    let encoder = try ObjectGraphEncoder(objects)
    let graph = encoder.graph
    let keyed = KeyedObjects(encoder.originals)
    let types = keyed.types
    let written = try await write { try ObjectStore($0).write(graph, types) }
    keyed.writeBack(written.typed)
    return written.keys
  }

  /// Deletes the row of an object, and its links.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  @discardableResult
  public func delete<Table: DataTable>(_ object: Table) async throws -> Bool {
    try await delete([object]) > 0
  }

  /// Deletes the rows of objects in one transaction: all of them, or none.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  @discardableResult
  public func delete<Table: DataTable>(_ objects: [Table]) async throws -> Int {
    let mapping = try TableMapping.of(Table.self)
    let keys = try objects.map { try mapping.key(of: $0) }
    return try await write { try ObjectStore($0).delete(keys, mapping) }
  }
}

/// A value that one thread creates, and another one uses afterwards.
//
// Unchecked: only one thread at a time uses the value.
struct UncheckedTransfer<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

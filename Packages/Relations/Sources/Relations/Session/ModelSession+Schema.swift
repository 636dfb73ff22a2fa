public import SQLiteCore

extension ModelSession {
  /// Makes the tables of a type, and of all that it leads to, what the types say, unless that was done before.
  ///
  /// Whoever fetches or saves does it; call it yourself where it should be done at another time.
  ///
  /// - Throws: As `prepare(_:)`.
  public func prepare(_ type: any Table.Type) async throws {
    if isPrepared(type) { return }
    try await prepare([type])
  }

  /// Makes the tables of types, and of all that they lead to, what the types say, in one transaction.
  ///
  /// - A column that is new has for the rows that are there what `init()`'s row has.
  /// - What ``Table/renamedColumns`` and ``Table/formerTableName`` say is renamed, with all that refers to it.
  /// - A column whose type is another keeps its values.
  /// - A column that no property has stays, as it may be a newer program's, unless ``ModelSession/SchemaPolicy/automaticWithLosses`` has
  ///   it dropped.
  /// - A unique index that rows contradict is an error that names some of them; no row is ever deleted.
  /// - Tables, indexes, views and triggers of others stay as they are.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/lossyChange`` where something would be lost, with
  ///   ``RelationError/Code/schemaMismatch`` where a type can't be a table, and of a session whose policy is
  ///   ``ModelSession/SchemaPolicy/explicit`` where the database lacks a table or column, of one whose policy is
  ///   ``ModelSession/SchemaPolicy/verified`` where they differ from the types, with
  ///   ``RelationError/Code/foreignKeysOff`` where the database does not heed foreign keys; `SQLiteError` where rows contradict a
  ///   new constraint. Then nothing has changed.
  public func prepare(_ types: [any Table.Type]) async throws {
    let shapes = try Self.reachable(types)
    let policy = schema
    let settings = types.first?.autoDBSettings ?? .regular
    let collations = try await database.writeWithoutTransaction { connection in
      if try connection.value(Bool.self, "PRAGMA foreign_keys") != true,
        let shape = shapes.first(where: \.refersToOthers)
      {
        throw RelationError(
          .foreignKeysOff, "the database does not heed foreign keys", table: shape.table)
      }
      if !policy.makesTables {
        try connection.requireTables(of: shapes)
        if policy == .verified { for shape in shapes { try connection.verifyTable(of: shape) } }
      } else {
        var maker = SchemaMaker(connection: connection, settings: settings)
        maker.dropsColumns = policy == .automaticWithLosses
        try maker.run(shapes)
      }
      return try shapes.map { try connection.keyCollation(of: $0) }
    }
    notePrepared(shapes.map(\.type), collations)
  }

  /// What `prepare(_:)` would do, whatever the policy: nothing is done.
  ///
  /// - Throws: As that, but for what would be lost, which the result says.
  public func schemaChange(for types: [any Table.Type]) async throws -> SchemaDiff {
    let shapes = try Self.reachable(types)
    let drops = schema == .automaticWithLosses
    let settings = types.first?.autoDBSettings ?? .regular
    return try await database.read { connection in
      var maker = SchemaMaker(connection: connection, settings: settings)
      maker.dropsColumns = drops
      return try maker.difference(shapes)
    }
  }

  private static func reachable(_ types: [any Table.Type]) throws -> [TableMetadata] {
    var shapes: [TableMetadata] = []
    for type in types {
      for shape in try TableMetadata.reachable(from: type)
      where !shapes.contains(where: { $0.type == shape.type }) {
        shapes.append(shape)
      }
    }
    return shapes
  }
}

extension SchemaMaker {
  /// Changes the schema, in one transaction: all of it, or nothing.
  fileprivate func run(_ shapes: [TableMetadata]) throws {
    if try connection.transaction(.deferred, { try isAsWanted(shapes) }) { return }
    try connection.withSchemaChange {
      do {
        try change(shapes)
      } catch let error as SQLiteError where error.code == .brokenSchema {
        // Full-text indexes name the tables and their columns, as they were.
        guard try dropFullTextIndexes(of: shapes) else { throw error }
        try change(shapes)
      }
      try connection.makeFullTextIndexes(of: shapes)
    }
  }

  private func isAsWanted(_ shapes: [TableMetadata]) throws -> Bool {
    do {
      guard try difference(shapes).isEmpty else { return false }
    } catch let error as SQLiteError where error.code == .brokenSchema {
      return false
    }
    return try shapes.flatMap(\.fullTextColumns).allSatisfy {
      try $0.index.isCurrent(in: connection)
    }
  }

  private func change(_ shapes: [TableMetadata]) throws {
    let diff = try difference(shapes)
    if !dropsColumns, !diff.losses.isEmpty {
      let losses = diff.losses.map(\.description).joined(separator: ", ")
      throw RelationError(
        .lossyChange, "the change would lose \(losses)", table: shapes.first?.table)
    }
    try connection.apply(diff, allowing: dropsColumns ? .everything : .nothing)
  }

  /// Takes the indexes of tables away that full-text columns have made: they are made again.
  ///
  /// - Returns: Whether there were any.
  private func dropFullTextIndexes(of shapes: [TableMetadata]) throws -> Bool {
    var isFound = false
    let tables = try connection.tables().filter { $0.module?.name == "fts5" }.map(\.name.name)
    for name in shapes.flatMap({ [$0.table] + ($0.type.formerTableName.map { [$0] } ?? []) }) {
      for index in tables where index.hasPrefix("\(name)_") && index.hasSuffix("_search") {
        try FullTextIndex(index, on: TableName(name), columns: []).drop(in: connection)
        isFound = true
      }
    }
    return isFound
  }
}

extension Connection {
  /// - Throws: Where there is no table for one of the types, or a column is not in it.
  fileprivate func requireTables(of shapes: [TableMetadata]) throws {
    for shape in shapes {
      try require(shape.columns.map(\.name), in: shape.table)
      for links in shape.links {
        try require(links.ownerColumns + ["position"] + links.targetColumns, in: links.name)
      }
    }
  }

  private func require(_ columns: [String], in table: String) throws {
    let present = try self.columns(of: table).map(\.name)
    if present.isEmpty {
      throw RelationError(.schemaMismatch, "the database has no such table", table: table)
    }
    for column in columns where !present.contains(where: { SQLName.isSame($0, column) }) {
      throw RelationError(
        .schemaMismatch, "the table has no such column", table: table, column: column)
    }
  }
}

extension TableMetadata {
  /// Whether its rows have foreign keys.
  fileprivate var refersToOthers: Bool { !targets.isEmpty }
}

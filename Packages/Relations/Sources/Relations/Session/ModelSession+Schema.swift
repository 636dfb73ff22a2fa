public import SQLiteCore

extension ModelSession {
  /// Creates or migrates the tables of a type and of all types that it refers to, unless this has
  /// been done before.
  ///
  /// Fetching and saving call this automatically. Call it to prepare the tables at another time.
  ///
  /// - Throws: The same errors as `prepare(_:)`.
  public func prepare(_ type: any Table.Type) async throws {
    if isPrepared(type) { return }
    try await prepare([type])
  }

  /// Creates or migrates the tables of types and of all types that they refer to, in one
  /// transaction.
  ///
  /// - A new column has the value of `init()`'s row in existing rows.
  /// - Columns and tables in ``Table/renamedColumns`` and ``Table/formerTableName`` are renamed,
  ///   including all references to them.
  /// - A column whose type changes keeps its values.
  /// - A column without a property is kept, since it may belong to a newer version of the program,
  ///   unless ``ModelSession/SchemaPolicy/automaticAllowingDataLoss`` drops it.
  /// - A unique index that existing rows violate is an error that lists some of the rows; no row is
  ///   deleted.
  /// - Tables, indexes, views and triggers that do not belong to the types are kept.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/lossyChange`` if data would be
  ///   lost, with ``RelationError/Code/schemaMismatch`` if a type can't be a table, with
  ///   ``RelationError/Code/foreignKeysOff`` if the database does not enforce foreign keys. With
  ///   the policy ``ModelSession/SchemaPolicy/explicit``, a missing table or column is a
  ///   ``RelationError/Code/schemaMismatch``; with ``ModelSession/SchemaPolicy/verified``, any
  ///   difference from the types is. `SQLiteError` if rows violate a new constraint. After an
  ///   error, the schema is unchanged.
  public func prepare(_ types: [any Table.Type]) async throws {
    let allMetadata = try Self.reachable(types)
    let policy = schema
    let settings = types.first?.autoDBSettings ?? .regular
    let collations = try await database.writeWithoutTransaction { connection in
      if try connection.value(Bool.self, "PRAGMA foreign_keys") != true,
        let metadata = allMetadata.first(where: \.refersToOthers)
      {
        throw RelationError(
          .foreignKeysOff, "the database does not enforce foreign keys", table: metadata.table)
      }
      if !policy.makesTables {
        try connection.requireTables(of: allMetadata)
        if policy == .verified {
          for metadata in allMetadata { try connection.verifyTable(of: metadata) }
        }
      } else {
        var builder = SchemaBuilder(connection: connection, settings: settings)
        builder.dropsColumns = policy == .automaticAllowingDataLoss
        try builder.run(allMetadata)
      }
      return try allMetadata.map { try connection.keyCollation(of: $0) }
    }
    markPrepared(allMetadata.map(\.type), collations)
  }

  /// Returns the schema changes that `prepare(_:)` would make, regardless of the policy, without
  /// making them.
  ///
  /// - Throws: The same errors as `prepare(_:)`, except for losses, which the result contains.
  public func schemaChange(for types: [any Table.Type]) async throws -> SchemaDiff {
    let allMetadata = try Self.reachable(types)
    let drops = schema == .automaticAllowingDataLoss
    let settings = types.first?.autoDBSettings ?? .regular
    return try await database.read { connection in
      var builder = SchemaBuilder(connection: connection, settings: settings)
      builder.dropsColumns = drops
      return try builder.difference(allMetadata)
    }
  }

  private static func reachable(_ types: [any Table.Type]) throws -> [TableMetadata] {
    var allMetadata: [TableMetadata] = []
    for type in types {
      for metadata in try TableMetadata.reachable(from: type)
      where !allMetadata.contains(where: { $0.type == metadata.type }) {
        allMetadata.append(metadata)
      }
    }
    return allMetadata
  }
}

extension SchemaBuilder {
  /// Changes the schema in one transaction.
  fileprivate func run(_ allMetadata: [TableMetadata]) throws {
    if try connection.transaction(.deferred, { try isCurrentSchema(allMetadata) }) { return }
    try connection.withSchemaChange {
      do {
        try change(allMetadata)
      } catch let error as SQLiteError where error.code == .brokenSchema {
        // Full-text triggers refer to the tables and columns by their former names.
        guard try dropFullTextIndexes(of: allMetadata) else { throw error }
        try change(allMetadata)
      }
      try connection.makeFullTextIndexes(of: allMetadata)
    }
  }

  private func isCurrentSchema(_ allMetadata: [TableMetadata]) throws -> Bool {
    do {
      guard try difference(allMetadata).isEmpty else { return false }
    } catch let error as SQLiteError where error.code == .brokenSchema {
      return false
    }
    return try allMetadata.flatMap(\.fullTextColumns).allSatisfy {
      try $0.index.isCurrent(in: connection)
    }
  }

  private func change(_ allMetadata: [TableMetadata]) throws {
    let diff = try difference(allMetadata)
    if !dropsColumns, !diff.losses.isEmpty {
      let losses = diff.losses.map(\.description).joined(separator: ", ")
      throw RelationError(
        .lossyChange, "the change would lose \(losses)", table: allMetadata.first?.table)
    }
    try connection.apply(diff, allowing: dropsColumns ? .everything : .nothing)
  }

  /// Drops the indexes of full-text columns, which are created again later.
  ///
  /// - Returns: Whether there were any.
  private func dropFullTextIndexes(of allMetadata: [TableMetadata]) throws -> Bool {
    var isFound = false
    let tables = try connection.tables().filter { $0.module?.name == "fts5" }.map(\.name.name)
    for name in allMetadata.flatMap({ [$0.table] + ($0.type.formerTableName.map { [$0] } ?? []) }) {
      for index in tables where index.hasPrefix("\(name)_") && index.hasSuffix("_search") {
        try FullTextIndex(index, on: TableName(name), columns: []).drop(in: connection)
        isFound = true
      }
    }
    return isFound
  }
}

extension Connection {
  /// Checks that the tables exist.
  ///
  /// - Throws: ``RelationError`` if the table of a type, or a column, is missing.
  fileprivate func requireTables(of allMetadata: [TableMetadata]) throws {
    for metadata in allMetadata {
      try require(metadata.columns.map(\.name), in: metadata.table)
      for links in metadata.links {
        try require(links.ownerColumns + ["position"] + links.targetColumns, in: links.name)
      }
    }
  }

  private func require(_ columns: [String], in table: String) throws {
    let existing = try self.columns(of: table).map(\.name)
    if existing.isEmpty {
      throw RelationError(.schemaMismatch, "the database has no such table", table: table)
    }
    for column in columns where !existing.contains(where: { SQLName.isSame($0, column) }) {
      throw RelationError(
        .schemaMismatch, "the table has no such column", table: table, column: column)
    }
  }
}

extension TableMetadata {
  /// A Boolean value that indicates whether the table has foreign keys.
  fileprivate var refersToOthers: Bool { !targets.isEmpty }
}

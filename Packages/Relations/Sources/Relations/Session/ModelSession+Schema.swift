public import SQLiteCore

extension ModelSession {
  /// Makes the tables of a type, and of all that it leads to, what the types say, unless that was done before.
  ///
  /// Whoever fetches or saves does it; call it yourself where it should be done at another time.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/lossyChange`` where something would be lost, with
  ///   ``RelationError/Code/schemaMismatch`` where the type can't be a table; `SQLiteError` where rows contradict a new
  ///   constraint. Then nothing has changed.
  public func prepare(_ type: any Table.Type) async throws {
    if isPrepared(type) { return }
    let shapes = try TableShape.reachable(from: type)
    if schema != .explicit {
      let policy = schema
      try await database.writeWithoutTransaction { connection in
        try connection.transaction(.immediate) {
          let maker = SchemaMaker(connection: connection, settings: type.autoDBSettings)
          let diff = try maker.difference(shapes)
          guard !diff.isEmpty else { return try connection.makeFullTextIndexes(of: shapes) }
          if policy == .automatic, !diff.losses.isEmpty {
            let losses = diff.losses.map(\.description).joined(separator: ", ")
            throw RelationError(
              .lossyChange, "the change would lose \(losses)", table: type.tableName)
          }
          try connection.dropFullTextIndexes(of: shapes)
          try connection.apply(
            diff, allowing: policy == .automatic ? .nothing : .everything)
          try connection.makeFullTextIndexes(of: shapes)
        }
      }
    }
    notePrepared(shapes.map(\.type))
  }

  /// What ``prepare(_:)`` would do: nothing is done.
  public func schemaChange(for types: [any Table.Type]) async throws -> SchemaDiff {
    try await database.read { connection in
      var shapes: [TableShape] = []
      for type in types {
        for shape in try TableShape.reachable(from: type)
        where !shapes.contains(where: { $0.type == shape.type }) {
          shapes.append(shape)
        }
      }
      let maker = SchemaMaker(
        connection: connection, settings: types.first?.autoDBSettings ?? .regular)
      return try maker.difference(shapes)
    }
  }
}

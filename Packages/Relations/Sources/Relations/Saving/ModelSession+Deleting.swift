internal import SQLiteCore

extension ModelSession {
  /// Deletes the rows of models, or rows. Those that are not there are passed over.
  ///
  /// What rows that refer to them become, their foreign keys say; models of these are as their rows then.
  ///
  /// Rows of a type with a ``Table/deletedColumn`` are marked as deleted, and stay:
  ///
  /// - Fetches, lists, relations and counts leave them out, but for those that ask with `includingDeleted`, and SQL of your own. A
  ///   to-one relation keeps its key, and asking for its object is an error as for a row that is gone.
  /// - Unique indexes of the type don't count them: their values can be used again.
  /// - Foreign keys do nothing, as the rows are there. But rows are marked along with them, and with the same moment, whose
  ///   to-one relation to them is declared with `onDelete: .cascade`, where that type has a ``Table/deletedColumn`` too, and the
  ///   deleted one leads to it: by a list, say.
  /// - ``restore(_:)`` takes the marks away, ``deletePermanently(_:)`` deletes as ever.
  ///
  /// - Throws: `SQLiteError` with code `constraintForeignKey` where a row that refers to one of them forbids it;
  ///   ``RelationError`` with code ``RelationError/Code/conflict`` where one has another version by now. Then nothing is deleted.
  public func delete<M: TableModel>(_ models: [M]) async throws {
    try await inTurn { builder in
      try builder.delete(models)
      _ = try await run(&builder)
    }
  }

  /// Deletes the rows of keys, whatever their versions: see ``delete(_:)``.
  public func delete<M: TableModel>(_ type: M.Type, _ ids: [M.ID]) async throws {
    try await delete(type, ids, nil)
  }

  /// Takes away what marks rows as deleted, and those that were marked along with them.
  ///
  /// Where the mark is a flag, and not a moment, it can't be told which rows those are: they stay deleted.
  ///
  /// - Throws: `SQLiteError` with code `constraintUnique` where another row has a unique value by now. Then nothing is restored.
  public func restore<M: TableModel>(_ models: [M]) async throws {
    try await inTurn { builder in
      try builder.delete(models, checksVersions: false, .restore)
      _ = try await run(&builder)
    }
  }

  /// Deletes rows, also of a type whose rows are only marked as deleted otherwise.
  ///
  /// - Throws: As ``delete(_:)``.
  public func deletePermanently<M: TableModel>(_ models: [M]) async throws {
    try await inTurn { builder in
      try builder.delete(models, .delete)
      _ = try await run(&builder)
    }
  }

  func noteDeleted(_ model: some Model) {
    identities(of: type(of: model)).noteDeleted(model)
  }

  private func delete<M: TableModel>(
    _ type: M.Type, _ ids: [M.ID], _ deed: Deletion.Deed?
  ) async throws {
    try await inTurn { builder in
      if try TableMetadata.of(M.Row.self).hasHooks {
        // The rows take part in their being deleted.
        let rows = try await fetch(M.Row.self, ids, includingDeleted: true)
        try builder.delete(rows, checksVersions: false, deed)
      } else {
        try builder.delete(M.Row.self, keys: ids.map(\.keyValues), deed)
      }
      _ = try await run(&builder)
    }
  }
}

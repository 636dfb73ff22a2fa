internal import Observation
internal import Observe
internal import Primitives
internal import SQLiteCore

extension ModelSession {
  /// Refreshes models from their rows, now and after each commit, until the task is cancelled.
  ///
  /// ```swift
  /// let following = Task { @MainActor in
  ///   try await session.followChanges { changes in
  ///     for model in changes.deleted { close(model) }
  ///   }
  /// }
  /// ```
  ///
  /// Models are changed on the caller's actor. After a commit, only the changed rows of models that
  /// are still referenced are read, with one statement for each table. Models with unsaved changes
  /// are left unchanged. A model's changes can be observed if its class is `@Observable`.
  ///
  /// - Parameter onChange: Called on the caller's actor with the models that have changed.
  /// - Throws: `SQLiteError` with code `unsupported` if SQLite can't report commits, with code
  ///   `closed` if the database is closed, or if rows can't be read.
  public func followChanges(_ onChange: (Changes) -> Void = { _ in }) async throws {
    do {
      try await database.startObserving()
      let commits = database.changes()
      try await refresh(nil, onChange)
      for try await changes in commits { try await refresh(changes, onChange) }
    } catch {
      if !Task.isCancelled { throw error }
    }
  }

  /// Refreshes models without unsaved changes from their rows, using one statement.
  ///
  /// Models of other sessions, and models that were never saved, are skipped.
  ///
  /// - Returns: The models that have changed.
  /// - Throws: `SQLiteError` if rows can't be read; ``RelationError`` if the table does not match
  ///   the type.
  @discardableResult
  public func refresh<M: Model>(_ models: [M]) async throws -> Changes {
    try await prepare(M.Value.self)
    let map = identities(of: M.self)
    return try await map.refresh(map.saved(models), in: self)
  }

  private func refresh(_ changes: ChangeSet?, _ onChange: (Changes) -> Void) async throws {
    var all = Changes()
    for map in allIdentities { all.add(try await map.refresh(changes, in: self)) }
    if !all.isEmpty { onChange(all) }
  }
}

extension IdentityMap {
  func refresh(
    _ changes: ChangeSet?, in session: ModelSession
  ) async throws -> ModelSession.Changes {
    let metadata = try TableMetadata.of(M.Value.self)
    guard let changes, !changes.schemaChanged, !changes.isUnbounded else {
      return try await refresh(saved(models), in: session)
    }
    guard let change = changes.tables[TableName(metadata.table)] else {
      return ModelSession.Changes()
    }
    let savedModels = saved(models)
    guard let keys = change.keys(of: metadata) else {
      return try await refresh(savedModels, in: session)
    }
    return try await refresh(
      savedModels.filter { keys.contains($0.value.id.keyValues) }, in: session)
  }

  /// Returns the instances that have rows.
  fileprivate func saved(_ models: [M]) -> [M] {
    models.filter { entry(of: $0)?.saved != nil }
  }

  fileprivate func refresh(_ models: [M], in session: ModelSession) async throws
    -> ModelSession.Changes
  {
    var changes = ModelSession.Changes()
    if models.isEmpty { return changes }
    let metadata = try TableMetadata.of(M.Value.self)
    let ids = models.map(\.value.id)
    let revision = clock.now
    let rows = try await session.database.read { connection in
      try connection.readRows(M.Value.self, metadata, keys: ids).all
    }
    var found = KeyMap<ModelSession.FetchedRow<M.Value>>(session.keyCollation(of: M.Value.self))
    for row in rows { found[StoredKey(row.row.id)] = row.read(at: revision) }
    for (id, model) in zip(ids, models) where model.value.id == id {
      guard let fetched = found[StoredKey(id)] else {
        markRowDeleted([StoredKey(id)]) { _ in true }
        changes.deleted.append(model)
        continue
      }
      let former = model.value
      _ = instance(of: fetched, in: session)
      if model.value != fetched.row {
        changes.conflicting.append(model)
      } else if model.value != former {
        changes.changed.append(model)
      }
    }
    return changes
  }
}

extension ChangeSet.TableChange {
  /// Returns the keys of the changed rows, before and after the change; `nil` if they are unknown.
  func keys(of metadata: TableMetadata) -> Set<[SQLiteValue]>? {
    guard let rows else { return nil }
    let columns = metadata.keyNames.map { Region.ColumnName($0) }
    var keys: Set<[SQLiteValue]> = []
    for row in rows {
      for value in [ChangeSet.ChangedRow.oldValue(of:), ChangeSet.ChangedRow.newValue(of:)] {
        let key = columns.compactMap { value(row)($0) }
        if key.count == columns.count { keys.insert(key) }
      }
      if case .rowID(let rowID) = row.key, columns.count == 1 {
        keys.insert([.integer(rowID.rawValue)])
      }
    }
    return keys
  }
}

/// A subject that represents the content of relations in Swift's Observation.
///
/// The key path of a generic type is created on each access, which would dominate the cost, so a
/// non-generic class provides the key path.
final class ObservedContent: Observable, Sendable {
  private static let subject = ObservedContent()

  var content: Void { () }

  static func access(by registrar: ObservationRegistrar) {
    registrar.access(subject, keyPath: \.content)
  }

  /// Runs `body`, which changes the content, and notifies observers.
  static func mutate<Result>(by registrar: ObservationRegistrar, _ body: () -> Result) -> Result {
    registrar.withMutation(of: subject, keyPath: \.content, body)
  }
}

extension Region {
  private static let lastRefreshNumber = Atomic<Int>(0)

  /// Returns a new region of a table that does not exist. Only its creator observes it, and notifies
  /// itself of a change to refresh its rows.
  static func refresh() -> Region {
    let number = lastRefreshNumber.add(1, ordering: .relaxed).newValue
    return .table(TableName("holt refresh \(number)"))
  }
}

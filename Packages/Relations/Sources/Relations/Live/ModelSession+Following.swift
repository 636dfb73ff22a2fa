internal import Observation
internal import Observe
internal import SQLiteCore

extension ModelSession {
  /// Has models become what their rows say, now and after each commit, until the task is cancelled.
  ///
  /// ```swift
  /// let following = Task { @MainActor in
  ///   try await session.followChanges { changes in
  ///     for model in changes.deleted { close(model) }
  ///   }
  /// }
  /// ```
  ///
  /// It changes them on the actor that calls it. Only rows of models that somebody holds are read, and for each commit that has
  /// changed some of them, in one statement for each table. Models with changes of their own are left as they are. A model's
  /// change can be observed where its class is `@Observable`.
  ///
  /// - Parameter told: Is told what has become of the models, on that actor.
  /// - Throws: `SQLiteError` with code `unsupported` where SQLite can't tell of commits, with code `closed` where the database
  ///   is closed, and where rows can't be read.
  public func followChanges(_ told: (Changes) -> Void = { _ in }) async throws {
    do {
      try await database.startObserving()
      let commits = database.changes()
      try await take(nil, told)
      for try await changes in commits { try await take(changes, told) }
    } catch {
      if !Task.isCancelled { throw error }
    }
  }

  /// Has models become what their rows say by now, where they have no changes of their own: one statement.
  ///
  /// Those that are not of this session or were never saved are passed over.
  ///
  /// - Returns: What has become of them.
  /// - Throws: `SQLiteError` where rows can't be read; ``RelationError`` where the table is not as the type says.
  @discardableResult
  public func refresh<M: Model>(_ models: [M]) async throws -> Changes {
    try await prepare(M.Value.self)
    let map = identities(of: M.self)
    return try await map.refresh(map.saved(models), in: self)
  }

  private func take(_ changes: ChangeSet?, _ told: (Changes) -> Void) async throws {
    var all = Changes()
    for case let map as any FollowingMap in allIdentities {
      all.add(try await map.follow(changes, in: self))
    }
    if !all.isEmpty { told(all) }
  }
}

/// Instances that follow commits, of any model.
private protocol FollowingMap: AnyIdentityMap {
  func follow(_ changes: ChangeSet?, in session: ModelSession) async throws -> ModelSession.Changes
}

extension IdentityMap: FollowingMap {
  /// Has instances become what their rows say.
  ///
  /// - Parameter changes: What was committed; `nil` where that is not known.
  fileprivate func follow(
    _ changes: ChangeSet?, in session: ModelSession
  ) async throws -> ModelSession.Changes {
    let shape = try TableMetadata.of(M.Value.self)
    guard let changes, !changes.schemaChanged, !changes.isUnbounded else {
      return try await refresh(saved(models), in: session)
    }
    guard let change = changes.tables[TableName(shape.table)] else { return ModelSession.Changes() }
    let held = saved(models)
    guard let keys = change.keys(of: shape) else { return try await refresh(held, in: session) }
    return try await refresh(
      held.filter { keys.contains($0.value.id.keyValues) }, in: session)
  }

  /// Those of some instances that have rows.
  fileprivate func saved(_ models: [M]) -> [M] {
    models.filter { entry(of: $0)?.saved != nil }
  }

  fileprivate func refresh(_ models: [M], in session: ModelSession) async throws
    -> ModelSession.Changes
  {
    var changes = ModelSession.Changes()
    if models.isEmpty { return changes }
    let shape = try TableMetadata.of(M.Value.self)
    let ids = models.map(\.value.id)
    let moment = clock.now
    let rows = try await session.database.read { connection in
      try connection.fetchRows(M.Value.self, shape, keys: ids)
    }
    var found = KeyMap<ModelSession.FetchedRow<M.Value>>(session.keyCollation(of: M.Value.self))
    for row in rows { found[StoredKey(row.row.id)] = row.read(at: moment) }
    for (id, model) in zip(ids, models) where model.value.id == id {
      guard let fetched = found[StoredKey(id)] else {
        noteGone([StoredKey(id)]) { _ in true }
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
  /// The keys of the rows that were changed, before and after; `nil` where they are not known.
  func keys(of shape: TableMetadata) -> Set<[SQLiteValue]>? {
    guard let rows else { return nil }
    let columns = shape.keyNames.map { Region.ColumnName($0) }
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

extension ModelSession {
  /// What has become of models because their rows were changed by someone else, or by this session's own saves.
  public struct Changes: Sendable {
    /// Those that have become what their rows say by now.
    public var changed: [any Model] = []
    /// Those whose rows say something else, but that have changes of their own, which stay. Their other columns have become what
    /// the rows say, where the type's policy is ``ModelSession/ConflictPolicy/keepMine``.
    public var conflicting: [any Model] = []
    /// Those whose rows are gone. Saving one is an error with code ``RelationError/Code/missingRow``.
    public var deleted: [any Model] = []

    public var isEmpty: Bool { changed.isEmpty && conflicting.isEmpty && deleted.isEmpty }

    mutating func add(_ other: Changes) {
      changed += other.changed
      conflicting += other.conflicting
      deleted += other.deleted
    }
  }
}

/// What stands for the content of relations where it is observed.
///
/// A key path of a generic type is made anew each time that it is asked for, which takes longer than all else that is done.
final class Watched: Observable, Sendable {
  private static let subject = Watched()

  var content: Void { () }

  static func access(by registrar: ObservationRegistrar) {
    registrar.access(subject, keyPath: \.content)
  }

  /// Runs what changes the content, and tells those who have looked at it.
  static func mutate<Result>(by registrar: ObservationRegistrar, _ body: () -> Result) -> Result {
    registrar.withMutation(of: subject, keyPath: \.content, body)
  }
}

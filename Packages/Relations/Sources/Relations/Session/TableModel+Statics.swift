public import SQLiteCore

// Functions of models and tables that use the session of the current task.
extension TableModel {
  /// The session of the current task for this type.
  ///
  /// - Throws: The same errors as ``ModelSession/shared(for:)``.
  public static var session: ModelSession {
    get throws { try ModelSession.current(for: Row.autoDBSettings) }
  }

  /// Returns the row with a key.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/missingRow`` if there is no such
  ///   row; `SQLiteError`.
  public static func fetchId(_ id: ID) async throws -> Self {
    try await session.fetch(Self.self, id)
  }

  /// Returns the rows with the given keys, in the same order. Missing rows are omitted.
  public static func fetchIds(_ ids: [ID]) async throws -> [Self] {
    try await session.fetch(Self.self, ids)
  }

  /// Returns the rows that a query selects.
  ///
  /// ```swift
  /// let albums = try await Album.fetchQuery("WHERE artist = ? ORDER BY name", ["The Cure"])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: The SQL after `SELECT … FROM` and the table; empty for all rows.
  ///   - arguments: The values of the parameters.
  ///   - includingDeleted: Whether to include rows that are marked as deleted.
  public static func fetchQuery(
    _ sql: SQL = "", _ arguments: [QueryArgument] = [], includingDeleted: Bool = false
  ) async throws -> [Self] {
    try await session.fetchAll(Self.self, sql, arguments, includingDeleted: includingDeleted)
  }

  /// Returns the row with a key, or a new unsaved row with that key if there is none.
  ///
  /// - Parameter id: The key; `nil` creates a new row with a new key.
  public static func create(_ id: ID? = nil) async throws -> Self {
    try await session.create(Self.self, id)
  }

  /// Creates a row from values and saves it.
  ///
  /// ```swift
  /// let album = try await Album.createWith(artist: "The Cure", name: "Faith")
  /// ```
  public static var createWith: ModelSession.RowBuilder<Self> { ModelSession.RowBuilder() }

  /// Removes the mark that this row is deleted: see ``ModelSession/restore(_:)``.
  public func restore() async throws { try await Self.session.restore([self]) }

  /// Deletes the row, even if rows of its type are otherwise only marked as deleted.
  public func deletePermanently() async throws { try await Self.session.deletePermanently([self]) }

  /// Returns whether a row with the key exists.
  public static func exists(_ id: ID) async throws -> Bool {
    try await session.find(Self.self, id) != nil
  }
}

extension Model {
  /// Saves this model: see `ModelSession.save(_:)`.
  public func save() async throws { try await Self.session.save(self) }

  /// Saves every instance that has changed.
  public static func saveChanges() async throws { try await session.saveChanges(of: [Self.self]) }

  /// Saves every instance that has changed after a delay, which restarts with each call, so that
  /// consecutive calls cause a single save.
  ///
  /// The save runs on the caller's actor. Errors are reported by
  /// ``ModelSession/deferredSaveErrors``; the next save tries again.
  public static func saveChangesLater(isolation: isolated (any Actor)? = #isolation) {
    (try? session)?.scheduleSave(Self.self, isolation: isolation)
  }

  /// Saves this model, and every other instance that has changed, after a delay: see
  /// ``saveChangesLater(isolation:)-(_)``.
  public func saveChangesLater(isolation: isolated (any Actor)? = #isolation) {
    didChange()
    Self.saveChangesLater(isolation: isolation)
  }

  /// Reports that this model has changed, so that the session retains it until it is saved.
  ///
  /// The call has no effect if no session has fetched or created the instance.
  public func didChange() { (try? Self.session)?.markChanged(of: self) }

  /// Deletes the row.
  public func delete() async throws { try await Self.session.delete([self]) }
}

extension Table {
  /// Inserts the row, or replaces the row with the same key.
  ///
  /// - Returns: The row with its key.
  @discardableResult
  public func save() async throws -> Self { try await Self.session.save(self) }

  /// Deletes the row.
  public func delete() async throws { try await Self.session.delete([self]) }
}

extension Collection where Element: Model {
  /// Saves the models in one transaction.
  public func save() async throws { try await Element.session.save(map { $0 as any Model }) }

  /// Deletes the rows in one transaction.
  public func delete() async throws { try await Element.session.delete(Array(self)) }
}

extension Collection where Element: Table {
  /// Saves the rows in one transaction.
  @discardableResult
  public func save() async throws -> [Element] { try await Element.session.save(Array(self)) }

  /// Deletes the rows in one transaction.
  public func delete() async throws { try await Element.session.delete(Array(self)) }
}

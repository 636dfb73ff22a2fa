public import SQLiteCore

// What models and tables do with the session of the current task.
extension TableModel {
  /// The session of the current task for this type.
  ///
  /// - Throws: As ``ModelSession/shared(for:)``.
  public static var session: ModelSession {
    get throws { try ModelSession.current(for: Row.autoDBSettings) }
  }

  /// The row of a key.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/missingRow`` where there is none; `SQLiteError`.
  public static func fetchId(_ id: ID) async throws -> Self {
    try await session.fetch(Self.self, id)
  }

  /// The rows of keys, in their order; those that are missing are left out.
  public static func fetchIds(_ ids: [ID]) async throws -> [Self] {
    try await session.fetch(Self.self, ids)
  }

  /// The rows that a query finds.
  ///
  /// ```swift
  /// let albums = try await Album.fetchQuery("WHERE artist = ? ORDER BY name", ["The Cure"])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: What stands behind `SELECT … FROM` and the table; nothing for all rows.
  ///   - arguments: The values of its parameters.
  ///   - includingDeleted: Whether rows are found too that are marked as deleted.
  public static func fetchQuery(
    _ sql: SQL = "", _ arguments: [QueryArgument] = [], includingDeleted: Bool = false
  ) async throws -> [Self] {
    try await session.fetchAll(Self.self, sql, arguments, includingDeleted: includingDeleted)
  }

  /// The row of a key, or where there is none, a new one with the key, which is not saved yet.
  ///
  /// - Parameter id: The key; without it, a new row with a new key.
  public static func create(_ id: ID? = nil) async throws -> Self {
    try await session.create(Self.self, id)
  }

  /// Makes a row of some values, and saves it.
  ///
  /// ```swift
  /// let album = try await Album.createWith(artist: "The Cure", name: "Faith")
  /// ```
  public static var createWith: ModelSession.RowBuilder<Self> { ModelSession.RowBuilder() }

  /// Takes the mark of this row away that says that it is deleted: see ``ModelSession/restore(_:)``.
  public func restore() async throws { try await Self.session.restore([self]) }

  /// Deletes the row, also of a type whose rows are only marked as deleted.
  public func deletePermanently() async throws { try await Self.session.deletePermanently([self]) }

  /// Whether the row of a key is there.
  public static func exists(_ id: ID) async throws -> Bool {
    try await session.find(Self.self, id) != nil
  }
}

extension Model {
  /// Saves this: see `ModelSession.save(_:)`.
  public func save() async throws { try await Self.session.save(self) }

  /// Saves every instance that has changed.
  public static func saveChanges() async throws { try await session.saveChanges(of: [Self.self]) }

  /// Saves every instance that has changed, in a while: calls that follow one another put it off, and save once.
  ///
  /// It runs on the actor of whoever calls it. What goes wrong, ``ModelSession/lateFailures`` tells, and the next save tries
  /// again.
  public static func saveChangesLater(isolation: isolated (any Actor)? = #isolation) {
    (try? session)?.saveLater(Self.self, isolation: isolation)
  }

  /// Saves this, and every other instance that has changed, in a while: see ``saveChangesLater(isolation:)-(_)``.
  public func saveChangesLater(isolation: isolated (any Actor)? = #isolation) {
    didChange()
    Self.saveChangesLater(isolation: isolation)
  }

  /// Says that this has changed, so that it is held until it is saved.
  ///
  /// It does nothing for an instance that no session has fetched or made.
  public func didChange() { (try? Self.session)?.noteChange(of: self) }

  /// Deletes the row.
  public func delete() async throws { try await Self.session.delete([self]) }
}

extension Table {
  /// Saves this: it is inserted, or takes the place of the row with its key.
  ///
  /// - Returns: The row with its key.
  @discardableResult
  public func save() async throws -> Self { try await Self.session.save(self) }

  /// Deletes the row.
  public func delete() async throws { try await Self.session.delete([self]) }
}

extension Collection where Element: Model {
  /// Saves these, in one transaction.
  public func save() async throws { try await Element.session.save(map { $0 as any Model }) }

  /// Deletes these, in one transaction.
  public func delete() async throws { try await Element.session.delete(Array(self)) }
}

extension Collection where Element: Table {
  /// Saves these, in one transaction.
  @discardableResult
  public func save() async throws -> [Element] { try await Element.session.save(Array(self)) }

  /// Deletes these, in one transaction.
  public func delete() async throws { try await Element.session.delete(Array(self)) }
}

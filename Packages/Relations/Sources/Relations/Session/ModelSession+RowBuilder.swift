public import SQLiteCore

extension ModelSession {
  /// Creates rows from values with argument labels that name the columns: see
  /// ``TableModel/createWith``.
  @dynamicCallable
  public struct RowBuilder<M: TableModel>: Sendable {
    /// Creates a row from values and saves it.
    ///
    /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the table has
    ///   no such column; `SQLiteError` if a value does not suit its property, or a constraint
    ///   rejects the row.
    @discardableResult
    public func dynamicallyCall(
      withKeywordArguments values: KeyValuePairs<String, any SQLiteBindable & Sendable>
    ) async throws -> M {
      let session = try M.session
      let instance = try session.make(M.self, values.map { ($0.key, $0.value) })
      if let model = instance as? any Model {
        try await session.save([model])
        return instance
      }
      return M(row: try await session.save(instance.row))
    }
  }
}

extension ModelSession {
  /// Returns an unsaved row with the given column values. Other columns have the values of
  /// `init()`'s row.
  func make<M: TableModel>(
    _ type: M.Type, _ values: [(name: String, value: any SQLiteBindable & Sendable)]
  ) throws -> M {
    let metadata = try TableMetadata.of(M.Row.self)
    var columns = try metadata.makeBinding().values(of: M.Row())
    for (name, value) in values {
      columns[try metadata.columnIndex(named: name)] = try value.sqliteValue
    }
    return try new(M.self, metadata.row(M.Row.self, of: columns))
  }

  /// Returns the row with a key, or a new unsaved row: see ``TableModel/create(_:)``.
  ///
  /// If several tasks create the row with the same key concurrently, on any actors, they get the
  /// same instance.
  ///
  /// - Parameters:
  ///   - type: The type of the row.
  ///   - id: The key; `nil` creates a new row with a new key.
  public func create<M: TableModel>(_ type: M.Type, _ id: M.ID? = nil) async throws -> M {
    guard let id else { return try new(type, M.Row()) }
    while true {
      let revision = clock.now
      if let found = try await find(type, id) { return found }
      if isSaved(type, id, since: revision) { continue }
      if let existing = newInstance(type, id, since: revision) { return existing }
      var row = M.Row()
      row.id = id
      do {
        return try new(type, row)
      } catch let error as RelationError where error.code == .foreignModel {
        // Another task has created the instance in the meantime.
        continue
      }
    }
  }

  /// Returns a new instance for an unsaved row.
  private func new<M: TableModel>(_ type: M.Type, _ row: M.Row) throws -> M {
    var row = row
    if row.id.isUnset, let newID = M.ID.make() { row.id = newID }
    let instance = M(row: row)
    if let model = instance as? any Model { try add(model) }
    return instance
  }

  private func newInstance<M: TableModel>(_ type: M.Type, _ id: M.ID, since revision: UInt64) -> M?
  {
    func find<Known: Model>(_ type: Known.Type) -> M? {
      guard let id = id as? Known.ID else { return nil }
      return identities(of: type).newInstance(for: id, since: revision) as? M
    }
    return (type as? any Model.Type).flatMap { find($0) }
  }

  private func isSaved<M: TableModel>(
    _ type: M.Type, _ id: M.ID, since revision: UInt64
  ) -> Bool {
    func isSaved<Known: Model>(_ type: Known.Type) -> Bool {
      guard let id = id as? Known.ID else { return false }
      return identities(of: type).isSaved(id, since: revision)
    }
    return (type as? any Model.Type).map { isSaved($0) } ?? false
  }

  private func add(_ model: some Model) throws {
    try identities(of: type(of: model)).add(model, changedAt: clock.tick(), in: self)
  }
}

public import SQLiteCore

extension ModelSession {
  /// Makes rows of values that are named by their columns: see ``TableModel/createWith``.
  @dynamicCallable
  public struct RowBuilder<M: TableModel>: Sendable {
    /// Makes a row of values, and saves it.
    ///
    /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` where there is no such column; `SQLiteError` where
    ///   a value does not suit its property, or a constraint forbids the row.
    @discardableResult
    public func dynamicallyCall(
      withKeywordArguments values: KeyValuePairs<String, any SQLiteBindable & Sendable>
    ) async throws -> M {
      let session = try M.session
      let made = try session.make(M.self, values.map { ($0.key, $0.value) })
      if let model = made as? any Model {
        try await session.save([model])
        return made
      }
      return M(row: try await session.save(made.row))
    }
  }
}

extension ModelSession {
  /// A row of values that are named by their columns; what is not named is as in `init()`'s row. It is not saved.
  func make<M: TableModel>(
    _ type: M.Type, _ values: [(name: String, value: any SQLiteBindable & Sendable)]
  ) throws -> M {
    let shape = try TableMetadata.of(M.Row.self)
    var columns = try shape.makeBinding().values(of: M.Row())
    for (name, value) in values {
      guard let place = shape.columns.firstIndex(where: { SQLName.isSame($0.name, name) }) else {
        throw RelationError(
          .schemaMismatch, "the table has no such column", table: shape.table, column: name)
      }
      columns[place] = try value.sqliteValue
    }
    return try new(M.self, shape.row(M.Row.self, of: columns))
  }

  /// The row of a key, or a new one, which is not saved yet: see ``TableModel/create(_:)``.
  ///
  /// Several tasks may create the row of one key at the same time: they get the same instance, on whatever actors they run.
  ///
  /// - Parameters:
  ///   - type: The type of the row.
  ///   - id: The key; without it, a new row with a new key.
  public func create<M: TableModel>(_ type: M.Type, _ id: M.ID? = nil) async throws -> M {
    guard let id else { return try new(type, M.Row()) }
    while true {
      let moment = clock.now
      if let found = try await find(type, id) { return found }
      if isSaved(type, id, since: moment) { continue }
      if let known = newInstance(type, id, since: moment) { return known }
      var row = M.Row()
      row.id = id
      do {
        return try new(type, row)
      } catch let error as RelationError where error.code == .foreignModel {
        // Another task has made it since.
        continue
      }
    }
  }

  /// What stands for a row that is not saved yet.
  private func new<M: TableModel>(_ type: M.Type, _ row: M.Row) throws -> M {
    var row = row
    if row.id.isUnset, let made = M.ID.make() { row.id = made }
    let made = M(row: row)
    if let model = made as? any Model { try add(model) }
    return made
  }

  private func newInstance<M: TableModel>(_ type: M.Type, _ id: M.ID, since moment: UInt64) -> M? {
    func find<Known: Model>(_ type: Known.Type) -> M? {
      guard let id = id as? Known.ID else { return nil }
      return identities(of: type).newInstance(for: id, since: moment) as? M
    }
    return (type as? any Model.Type).flatMap { find($0) }
  }

  private func isSaved<M: TableModel>(
    _ type: M.Type, _ id: M.ID, since moment: UInt64
  ) -> Bool {
    func isSaved<Known: Model>(_ type: Known.Type) -> Bool {
      guard let id = id as? Known.ID else { return false }
      return identities(of: type).isSaved(id, since: moment)
    }
    return (type as? any Model.Type).map { isSaved($0) } ?? false
  }

  private func add(_ model: some Model) throws {
    try identities(of: type(of: model)).add(model, toldAt: clock.tick(), in: self)
  }
}

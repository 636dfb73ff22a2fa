internal import SQLiteCore

extension RelationError {
  /// The row of a conflict as it is in the database; `nil` of other errors.
  ///
  /// ```swift
  /// do {
  ///   try await album.save()
  /// } catch let error as RelationError where error.code == .conflict {
  ///   let theirs = try error.currentRow(Album.self)
  ///   print("has become", theirs?.name ?? "nothing")
  /// }
  /// ```
  ///
  /// - Throws: `SQLiteError` where a value does not suit its property.
  public func currentRow<M: TableModel>(_ type: M.Type) throws -> M.Row? {
    guard let currentValues else { return nil }
    let shape = try TableMetadata.of(M.Row.self)
    let values = shape.columns.map { currentValues[$0.name] ?? .null }
    return try shape.row(M.Row.self, of: values)
  }
}

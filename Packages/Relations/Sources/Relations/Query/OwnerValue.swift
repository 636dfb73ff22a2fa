public import SQLiteCore

/// An argument of a ``RelationQuery`` that takes its value from a property of the query's owner.
///
/// ```swift
/// struct Value: Table {
///   var id: AutoId = 0
///   var name = ""
///   var songs = RelationQuery<Song>("WHERE artist = ?", arguments: [OwnerValue(\Value.name)])
/// }
/// ```
public struct OwnerValue: SQLiteBindable, Sendable {
  let resolve: @Sendable (any Table) -> (any SQLiteBindable & Sendable)?

  /// Creates an argument.
  ///
  /// - Parameter path: The property of the owner's row.
  public init<Row: Table, Value: SQLiteBindable & Sendable>(
    _ path: any KeyPath<Row, Value> & Sendable
  ) {
    resolve = { ($0 as? Row)?[keyPath: path] }
  }

  /// - Throws: `SQLiteError` with code `misuse`, always: only a query with an owner can resolve the
  ///   value.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      throw SQLiteError(code: .misuse, message: "only a RelationQuery can resolve an OwnerValue")
    }
  }
}

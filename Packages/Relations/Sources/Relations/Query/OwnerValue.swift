public import SQLiteCore

/// An argument of a ``RelationQuery``: what a property of the query's owner is when it is asked.
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

  /// - Parameter path: The property, of the owner's row.
  public init<Row: Table, Value: SQLiteBindable & Sendable>(
    _ path: any KeyPath<Row, Value> & Sendable
  ) {
    resolve = { ($0 as? Row)?[keyPath: path] }
  }

  /// - Throws: Always: only a query that has an owner knows the value.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      throw SQLiteError(code: .misuse, message: "a value of an owner is asked for without one")
    }
  }
}

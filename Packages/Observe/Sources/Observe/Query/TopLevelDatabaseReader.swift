public import SQLiteCore

/// What queries can read from: a ``DatabaseContext``, a database, or a program's own manager of one.
///
/// ```swift
/// extension PlayerRepository: TopLevelDatabaseReader {
///   var reader: any DatabaseReader { writer.readOnly }
/// }
/// ```
///
/// Its database is its identity: a query whose context gets another one begins anew.
public protocol TopLevelDatabaseReader {
  /// What reads the database.
  ///
  /// - Throws: What says why there is none, which the queries show as their error.
  @MainActor var reader: any DatabaseReader { get throws }
}

extension TopLevelDatabaseReader where Self: DatabaseReader {
  public var reader: any DatabaseReader { self }
}

extension DatabaseContext: TopLevelDatabaseReader {}
extension Database: TopLevelDatabaseReader {}
extension ReadOnlyDatabase: TopLevelDatabaseReader {}
extension DatabaseSnapshot: TopLevelDatabaseReader {}

import Relations
import SQLiteCore

/// A type with a version, so that the second of two writers gets a conflict.
final class Paper: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Paper"
    var id = 0
    var title = ""
    var pages = 0
    var version = 1
    var author = OneRelation<Author>()
    static var versionColumn: String? { "version" }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

final class Author: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Author"
    var id = 0
    var name = ""
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// Types without a version, one for each policy.
final class MyNote: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "MyNote"
    var id = 0
    var title = ""
    var text = ""
    var author = OneRelation<Author>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

final class TheirNote: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "TheirNote"
    var id = 0
    var title = ""
    var text = ""
    static var conflictPolicy: ModelSession.ConflictPolicy { .takeTheirs }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

final class StrictNote: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "StrictNote"
    var id = 0
    var title = ""
    var text = ""
    static var conflictPolicy: ModelSession.ConflictPolicy { .throw }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

extension ModelSession {
  /// Writes with SQL, as another program might.
  func elsewhere(_ sql: String) async throws {
    try await database.write { try $0.execute(SQL(unsafe: sql)) }
  }

  /// The rows of a query, as values.
  func rows(_ sql: String) async throws -> [[SQLiteValue]] {
    try await database.read { try $0.rows(SQL(unsafe: sql)) }
  }
}

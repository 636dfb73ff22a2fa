public import QueryGenDriver
internal import SQLiteCore

/// A project's schema beside that of a database file.
///
/// ```swift
/// let comparison = try SchemaComparison(driver.projectSchema(), database: "app.sqlite")
/// print(comparison.steps)
/// ```
public struct SchemaComparison: Hashable, Sendable {
  /// The SQL that would lead from the database's schema to the project's, with comments; empty where
  /// they are the same.
  public let steps: String
  /// What those steps would lose.
  public let losses: [String]

  /// Compares. The database is only read.
  ///
  /// - Parameters:
  ///   - project: The project's schema.
  ///   - path: The database's file.
  ///   - renamings: What has another name in the project; without them it is dropped and made anew.
  /// - Throws: `SQLiteError` where the file can't be read, the project's schema not be made, or a
  ///   renaming does not fit the two.
  public init(
    _ project: ProjectSchema, database path: String, renamings: [Renaming] = []
  ) throws {
    let connection = try Connection(path: path, configuration: .reading)
    try self.init(connection.databaseSchema(), project, renamings)
  }

  init(
    _ schema: DatabaseSchema, _ project: ProjectSchema, _ renamings: [Renaming] = []
  ) throws {
    var options = SchemaDiff.Options()
    options.configuration = .scratch
    options.declare(renamings)
    let wanted = try DatabaseSchema(sql: SQL(unsafe: project.sql), configuration: .scratch)
    let diff = try SchemaDiff(from: schema, to: wanted, options: options)
    steps = diff.isEmpty ? "" : diff.description + "\n"
    losses = diff.losses.map(\.description)
  }

  /// Whether both are the same: space, comments, letter case and quotes do not count.
  public var isEqual: Bool { steps.isEmpty }
}

extension Configuration {
  /// For a file that is not to be changed.
  static var reading: Configuration {
    var configuration = scratch
    configuration.isReadOnly = true
    configuration.createsFile = false
    return configuration
  }

  /// For a copy, whose schema is the project's own.
  static var scratch: Configuration {
    var configuration = Configuration()
    // Full-text tables that triggers keep in step need it.
    configuration.trustsSchema = true
    return configuration
  }
}

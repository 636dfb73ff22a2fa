internal import Foundation
public import QueryGenDriver
internal import QueryModel
internal import SQLiteCore

/// A comparison of the schemas of a project and a database file.
///
/// ```swift
/// let comparison = try SchemaComparison(driver.projectSchema(), database: "app.sqlite")
/// print(comparison.steps)
/// ```
public struct SchemaComparison: Hashable, Sendable {
  /// The SQL that changes the database's schema to the project's, with comments; empty if they are
  /// equal.
  public let steps: String
  /// Descriptions of the data that these statements would delete.
  public let losses: [String]

  /// Compares the schemas. The database is only read.
  ///
  /// - Parameters:
  ///   - project: The project's schema.
  ///   - path: The path of the database file.
  ///   - renamings: The tables and columns that have another name in the project. Without a
  ///     renaming, the old table or column is dropped and a new one is created.
  /// - Throws: `SQLiteError` if the file can't be read, if the project's schema can't be created,
  ///   or if a renaming does not match the two schemas.
  public init(
    _ project: ProjectSchema, database path: String, renamings: [Renaming] = []
  ) throws {
    let connection = try Connection(path: path, configuration: .reading(project.declarations))
    try self.init(connection.databaseSchema(), project, renamings)
  }

  init(
    _ schema: DatabaseSchema, _ project: ProjectSchema, _ renamings: [Renaming] = []
  ) throws {
    var options = SchemaDiff.Options()
    options.configuration = .scratch(project.declarations)
    options.declare(renamings)
    let wanted = try DatabaseSchema(
      sql: SQL(unsafe: project.sql), configuration: .scratch(project.declarations))
    let diff = try SchemaDiff(from: schema, to: wanted, options: options)
    steps = diff.isEmpty ? "" : diff.description + "\n"
    losses = diff.losses.map(\.description)
  }

  /// A Boolean value that indicates whether the schemas are equal, ignoring white space, comments,
  /// letter case and quotes.
  public var isEqual: Bool { steps.isEmpty }
}

extension Configuration {
  /// The configuration for a file that must not be changed.
  static func reading(_ declarations: Declarations) -> Configuration {
    var configuration = scratch(declarations)
    configuration.isReadOnly = true
    configuration.createsFile = false
    return configuration
  }

  /// The configuration for a copy, whose schema is the project's own.
  static func scratch(_ declarations: Declarations) -> Configuration {
    var configuration = Configuration()
    let placeholders = DeclarationPlaceholders(declarations: declarations)
    configuration.prepare = { try placeholders.register(on: $0) }
    // Required by full-text tables that triggers keep in sync.
    configuration.trustsSchema = true
    return configuration
  }
}

/// Runs a project's migrations in SQLite, on an empty database or on a copy of an existing one.
///
/// ```swift
/// let replay = MigrationReplay(driver.projectSchema())
/// for fault in replay.run(database: "app.sqlite").faults { print(fault) }
/// ```
public struct MigrationReplay: Sendable {
  private let project: ProjectSchema

  public init(_ project: ProjectSchema) { self.project = project }

  /// A problem and its location.
  public struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// The path of a migration file, with the line if it is known, or the path of the database.
    public var place: String
    public var message: String

    public var description: String { "\(place): error: \(message)" }
  }

  /// The result of a run.
  public struct Report: Hashable, Sendable {
    /// The migrations that the database has applied, and the migrations that were run on the copy.
    public var applied: [String] = []
    public var replayed: [String] = []
    public var faults: [Fault] = []
  }

  /// Runs the migrations.
  ///
  /// - Parameter path: A database, which is copied and not changed; `nil` for an empty one. The
  ///   migrations that it has applied must match the files.
  public func run(database path: String? = nil) -> Report {
    var report = Report()
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "querygen-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "copy.sqlite").path(percentEncoded: false)
      let connection = try Connection(path: file, configuration: .scratch(project.declarations))
      if let path {
        let source = try Connection(path: path, configuration: .reading(project.declarations))
        report.applied = try source.appliedMigrations()
        report.faults = try history(of: source, path)
        guard report.faults.isEmpty else { return report }
        try source.backup(to: connection)
      }
      try replay(on: connection, &report)
    } catch {
      report.faults.append(Fault(place: path ?? "SQLite", message: Self.words(error)))
    }
    return report
  }

  private var migrations: [Migration] {
    project.migrations.map { Migration(name: $0.name, sql: SQL(unsafe: $0.sql)) }
  }

  /// Returns the first difference between the database's migration history and the files, if any.
  private func history(of connection: Connection, _ path: String) throws -> [Fault] {
    let status = try connection.migrationStatus(of: migrations)
    if let unknown = status.first(where: { $0.state == .unknown }) {
      return [
        Fault(
          place: path,
          message: "it has applied '\(unknown.name)', which is not among the migrations")
      ]
    }
    if let changed = status.first(where: { $0.state == .changed }) {
      return [
        Fault(
          place: file(of: changed.name)?.path ?? path,
          message: "the migration differs from the one that \(path) applied"
            + (changed.appliedAt.map { " on \($0)" } ?? ""))
      ]
    }
    guard let pending = status.firstIndex(where: { $0.state == .pending }),
      let later = status[pending...].first(where: { $0.state == .applied })
    else { return [] }
    return [
      Fault(
        place: file(of: status[pending].name)?.path ?? path,
        message: "\(path) has not applied this migration, but has applied '\(later.name)', which "
          + "follows it")
    ]
  }

  /// Runs the pending migrations one at a time, and compares the resulting schema with the
  /// project's.
  private func replay(on connection: Connection, _ report: inout Report) throws {
    let all = migrations
    for migration in project.migrations {
      do {
        report.replayed += try connection.migrate(all, upTo: migration.name)
      } catch let error as SQLiteError {
        report.faults.append(Fault(place: place(of: error, in: migration), message: error.message))
        return
      }
    }
    let comparison = try SchemaComparison(connection.databaseSchema(), project)
    guard !comparison.isEqual else { return }
    report.faults.append(
      Fault(
        place: project.migrations.last?.path ?? "Migrations",
        message: "the resulting schema differs from the one that the migrations describe; these "
          + "statements would correct it:\n" + comparison.steps))
  }

  private func file(of name: String) -> ProjectSchema.Migration? {
    project.migrations.first { $0.name == name }
  }

  private func place(of error: SQLiteError, in migration: ProjectSchema.Migration) -> String {
    guard let offset = error.offset, error.sql == migration.sql else { return migration.path }
    let line = migration.sql.utf8.prefix(offset.rawValue).count { $0 == 10 } + 1
    return "\(migration.path):\(line)"
  }

  private static func words(_ error: any Error) -> String {
    (error as? SQLiteError)?.message ?? error.localizedDescription
  }
}

/// The previous name of a table or column, which can't be derived from two schemas.
///
/// ```swift
/// Renaming("users=people")        // a table
/// Renaming("people.mail=email")   // a column, of a table by its new name or its old one
/// ```
///
/// A name may be in double quotes. It must be if it contains a period, `=` or quotes, which are
/// doubled.
public struct Renaming: Hashable, Sendable {
  /// The column's table; `nil` if the table itself was renamed.
  public var table: String?
  public var old: String
  public var new: String

  public init(table: String? = nil, old: String, new: String) {
    self.table = table
    self.old = old
    self.new = new
  }

  /// Parses `old=new` or `table.old=new`; returns `nil` for any other text.
  public init?(_ text: String) {
    var names: [String] = []
    var separators = ""
    var rest = text[...]
    while true {
      guard let name = Self.takeName(&rest) else { return nil }
      names.append(name)
      guard let separator = rest.popFirst() else { break }
      separators.append(separator)
    }
    switch separators {
    case "=": self.init(old: names[0], new: names[1])
    case ".=": self.init(table: names[0], old: names[1], new: names[2])
    default: return nil
    }
  }

  private static func takeName(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let name = rest.prefix { $0 != "." && $0 != "=" && $0 != "\"" }
      rest = rest.dropFirst(name.count)
      return name.isEmpty ? nil : String(name)
    }
    rest.removeFirst()
    var name = ""
    while let character = rest.popFirst() {
      if character == "\"" {
        guard rest.first == "\"" else { return name.isEmpty ? nil : name }
        rest.removeFirst()
      }
      name.append(character)
    }
    return nil
  }
}

extension SchemaDiff.Options {
  /// Adds renamed tables and columns.
  mutating func declare(_ renamings: [Renaming]) {
    for renaming in renamings where renaming.table == nil {
      renamedTables[renaming.old] = renaming.new
    }
    for renaming in renamings {
      guard let table = renaming.table else { continue }
      renamedColumns[renamedTables[table] ?? table, default: [:]][renaming.old] = renaming.new
    }
  }
}

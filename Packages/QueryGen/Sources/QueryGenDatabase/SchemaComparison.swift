internal import Foundation
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

/// The migrations of a project, run by SQLite itself: on an empty file, or on a copy of a database.
///
/// ```swift
/// let replay = MigrationReplay(driver.projectSchema())
/// for fault in replay.run(database: "app.sqlite").faults { print(fault) }
/// ```
public struct MigrationReplay: Sendable {
  private let project: ProjectSchema

  public init(_ project: ProjectSchema) { self.project = project }

  /// What is found: where, and what.
  public struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// A migration's file, with the line where it is known, or the database's.
    public var place: String
    public var message: String

    public var description: String { "\(place): error: \(message)" }
  }

  /// What was done, where nothing was found.
  public struct Report: Hashable, Sendable {
    /// The migrations that the database has gone through, and those that were run now on the copy.
    public var applied: [String] = []
    public var replayed: [String] = []
    public var faults: [Fault] = []
  }

  /// Runs the migrations.
  ///
  /// - Parameter path: A database, which is copied and not changed; `nil` for an empty one. What it
  ///   has gone through must be what the files say.
  public func run(database path: String? = nil) -> Report {
    var report = Report()
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "querygen-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "copy.sqlite").path(percentEncoded: false)
      let connection = try Connection(path: file, configuration: .scratch)
      if let path {
        let source = try Connection(path: path, configuration: .reading)
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

  /// Where a database's history is another one than the files tell: the first place.
  private func history(of connection: Connection, _ path: String) throws -> [Fault] {
    let status = try connection.migrationStatus(of: migrations)
    if let unknown = status.first(where: { $0.state == .unknown }) {
      return [
        Fault(
          place: path,
          message: "it has gone through '\(unknown.name)', for which there is no migration")
      ]
    }
    if let changed = status.first(where: { $0.state == .changed }) {
      return [
        Fault(
          place: file(of: changed.name)?.path ?? path,
          message: "the migration is not what \(path) has gone through"
            + (changed.appliedAt.map { " on \($0)" } ?? ""))
      ]
    }
    guard let pending = status.firstIndex(where: { $0.state == .pending }),
      let later = status[pending...].first(where: { $0.state == .applied })
    else { return [] }
    return [
      Fault(
        place: file(of: status[pending].name)?.path ?? path,
        message: "\(path) has not gone through this migration, but through '\(later.name)', which "
          + "comes after it")
    ]
  }

  /// Runs what is pending, one migration at a time, and compares what came of it.
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
        message: "the schema is another one afterwards than the migrations describe; this would "
          + "lead from the one to the other:\n" + comparison.steps))
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

/// What was called otherwise before, which two schemas do not tell: a table, or a column of one.
///
/// ```swift
/// Renaming("users=people")        // a table
/// Renaming("people.mail=email")   // a column, of a table by its new name or its old one
/// ```
///
/// A name may stand in double quotes, and has to where it holds a point, `=` or quotes, which are doubled.
public struct Renaming: Hashable, Sendable {
  /// The column's table; `nil` where a table itself was renamed.
  public var table: String?
  public var old: String
  public var new: String

  public init(table: String? = nil, old: String, new: String) {
    self.table = table
    self.old = old
    self.new = new
  }

  /// Reads `old=new` or `table.old=new`; `nil` for anything else.
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
  /// Declares what was renamed.
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

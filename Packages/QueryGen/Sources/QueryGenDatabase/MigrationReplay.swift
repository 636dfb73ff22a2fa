internal import Foundation
public import QueryGenDriver
internal import SQLiteCore

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

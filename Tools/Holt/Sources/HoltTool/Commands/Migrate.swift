import ArgumentParser
import SQLiteCore
import Terminal

/// `holt migrate`
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells which migrations a database has gone through, and runs those that are left.",
    discussion: """
      Migrations are files NUMBER_name.sql in a folder, and run in the order of their numbers, \
      each in a transaction of its own. What has \
      run is written to the table holt_migration, as apps with QueryGen's generated DB do: a \
      database that an app has made can be inspected \
      and brought on.

      Examples:

        holt migrate status app.sqlite --migrations Migrations
        holt migrate up app.sqlite --migrations Migrations --dry-run
        holt migrate adopt old.sqlite --to 001_all
      """,
    subcommands: [Status.self, Up.self, Adopt.self])

  struct Options: ParsableArguments {
    @Argument(help: "The database.", completion: .file())
    var database: String

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The folder with the migrations.", valueName: "folder"),
      completion: .directory)
    var migrations: String = "Migrations"

    @Flag(help: "Write JSON.")
    var json = false

    /// The error with the file of the migration that it is of.
    func located(_ error: SQLiteError, _ migrations: [Migration]) -> any Error {
      let name = migrations.map(\.name).filter {
        error.message.hasPrefix("migration \($0): ")
      }.max { $0.count < $1.count }
      guard let name else { return error }
      return MigrationFailure(
        error: SQLiteError(
          code: error.code, message: String(error.message.dropFirst("migration \(name): ".count)),
          sql: error.sql, offset: error.offset),
        file: "\(self.migrations)/\(name).sql")
    }
  }

  struct Status: ParsableCommand, JSONCommand {
    static let configuration = CommandConfiguration(
      abstract: "Tells of each migration whether it was run.",
      discussion: """
        A migration is applied, pending, changed (run, and its SQL reads otherwise now), or \
        unknown (run, and there is no file for it). The \
        database is only read. With --json: [{"name", "state", "appliedAt"}].
        """)

    @OptionGroup var options: Options
    var wantsJSON: Bool { options.json }

    func run() throws {
      let migrations = try Migration.read(folder: options.migrations)
      let connection = try Self.open(options.database)
      let states = try connection.migrationStatus(of: migrations)
      let out = Output()
      if options.json {
        let elements = states.map {
          JSONText.object([
            ("name", .text($0.name)), ("state", .text("\($0.state)")),
            ("appliedAt", .optional($0.appliedAt)),
          ])
        }
        out.write("\(JSONText.array(elements))\n")
      } else {
        let rows = RowOutput(.table, to: out, color: .auto)
        try rows.begin(["migration", "state", "applied at"])
        for state in states {
          try rows.add([
            .text(state.name), .text("\(state.state)"), state.appliedAt.map { .text($0) } ?? .null,
          ])
        }
        try rows.end()
      }
      try out.finish()
    }

    /// One that is not there has gone through none.
    private static func open(_ path: String) throws -> Connection {
      _ = try OpenedFile.database(path)
      return try Connection(path: path, configuration: .reading)
    }
  }

  struct Up: ParsableCommand, JSONCommand, SQLCommand {
    static let configuration = CommandConfiguration(
      abstract: "Runs the migrations that the database has not gone through.",
      discussion: """
        A failure leaves the database after the last one that succeeded. A database that is not \
        there is made. Refused are databases that have \
        gone through migrations of which there is no file, and migrations whose SQL has changed \
        since they ran.

        With --dry-run they are run and undone, and the statements written. With --json: \
        {"ran": [name, …]}, or with --dry-run \
        {"migrations": [{"name", "statements": [{"sql", "count"}]}]}.
        """)

    @OptionGroup var options: Options

    @Option(help: ArgumentHelp("The migration after which to stop.", valueName: "name"))
    var to: String?

    @Flag(help: "Try them, undo them, and write what they ran.")
    var dryRun = false

    @Flag(help: "Run the others where SQL of one that was run has changed.")
    var allowChanged = false

    var wantsJSON: Bool { options.json }
    var sqlFile: String? { nil }

    func run() throws {
      let migrations = try Migration.read(folder: options.migrations)
      let out = Output()
      do {
        if dryRun { try performDryRun(migrations, out) } else { try apply(migrations, out) }
      } catch let error as SQLiteError {
        throw options.located(error, migrations)
      }
      try out.finish()
    }

    private func performDryRun(_ migrations: [Migration], _ out: Output) throws {
      let exists = OpenedFile.exists(options.database)
      if exists { _ = try OpenedFile.database(options.database) }
      let connection =
        exists
        ? try Connection(path: options.database, configuration: .writing(options.database))
        : try Connection.inMemory(configuration: .preservingSettings)
      let plans = try connection.dryRun(migrations, upTo: to, refusingChanged: !allowChanged)
      guard options.json else {
        out.write(plans.map { "\($0)\n" }.joined(separator: "\n"))
        if plans.isEmpty { out.write("\(options.database) is up to date\n") }
        return
      }
      let elements = plans.map { plan in
        JSONText.object([
          ("name", .text(plan.name)),
          (
            "statements",
            .array(
              plan.statements.map {
                .object([("sql", .text($0.sql)), ("count", .integer($0.count))])
              })
          ),
        ])
      }
      out.write("\(JSONText.object([("migrations", .array(elements))]))\n")
    }

    private func apply(_ migrations: [Migration], _ out: Output) throws {
      if OpenedFile.exists(options.database) { _ = try OpenedFile.database(options.database) }
      let connection = try Connection(
        path: options.database, configuration: .writing(options.database))
      let bar = ProgressBar("migrating")
      let ran = try connection.migrate(
        migrations, upTo: to, refusingChanged: !allowChanged
      ) { progress in
        bar.show(progress.index, of: progress.count, progress.migration)
        if case .finished = progress.phase, !options.json {
          out.write("ran \(progress.migration)\n")
        }
      }
      bar.end()
      if options.json {
        out.write("\(JSONText.object([("ran", .array(ran.map(JSONText.text)))]))\n")
      } else if ran.isEmpty {
        out.write("\(options.database) is up to date\n")
      }
    }
  }
}

/// An error of a migration, and its file.
struct MigrationFailure: Error {
  let error: SQLiteError
  let file: String
}

import ArgumentParser
import SQLiteCore
import Terminal

extension Migrate {
  /// `holt migrate adopt`
  struct Adopt: ParsableCommand, JSONCommand, SQLCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes over a database whose schema is there already.",
      discussion: """
        The migrations up to the one that is named are noted as run, and not run, once the schema was found to be \
        the one that they make: of a database \
        that another library has made, say. What it has besides stays. A database with another schema is refused, \
        with what would have to be done to it. One that has gone \
        through migrations is left as it is.

        With --json: {"adopted": [name, …]}.
        """)

    @OptionGroup var options: Options

    @Option(
      help: ArgumentHelp(
        "The migration that makes the schema which the database has.", valueName: "name"))
    var to: String

    var wantsJSON: Bool { options.json }
    var sqlFile: String? { nil }

    func run() throws {
      let migrations = try Migration.read(folder: options.migrations)
      let out = Output()
      do {
        _ = try OpenedFile.database(options.database)
        let connection = try Connection(
          path: options.database, configuration: .writing(options.database))
        write(try connection.adopt(migrations, upTo: to), to: out)
      } catch let error as SQLiteError {
        throw options.located(error, migrations)
      }
      try out.finish()
    }

    private func write(_ adopted: [String], to out: Output) {
      if options.json {
        out.write("\(JSONText.object([("adopted", .array(adopted.map(JSONText.text)))]))\n")
      } else if adopted.isEmpty {
        out.write("\(options.database) has gone through migrations, or has nothing of theirs\n")
      } else {
        for name in adopted { out.write("adopted \(name)\n") }
      }
    }
  }
}

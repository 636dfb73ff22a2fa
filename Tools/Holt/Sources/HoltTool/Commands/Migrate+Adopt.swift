import ArgumentParser
import SQLiteCore
import Terminal

extension Migrate {
  /// `holt migrate adopt`
  struct Adopt: ParsableCommand, ReportingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adopts a database that already has the migrations' schema.",
      discussion: """
        Records the migrations up to the named one as applied without running them, for example \
        in a database that another library created. The database's schema must contain \
        everything that these migrations create; additional objects are kept. Otherwise the \
        command fails and reports the changes that are missing. A database with applied \
        migrations is not changed.

        With --json: {"adopted": [name, …]}.
        """)

    @OptionGroup var options: Options

    @Option(
      help: ArgumentHelp(
        "The last migration that the database's schema already includes.", valueName: "name"))
    var to: String

    var wantsJSON: Bool { options.json }

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
        out.write(
          "\(options.database) has applied migrations or none of their objects: nothing adopted\n")
      } else {
        for name in adopted { out.write("adopted \(name)\n") }
      }
    }
  }
}

internal import Observe
internal import SQLiteCore

/// A child process of the tests that uses a database: `OtherProcess PATH MANNER [USER]`.
///
/// With the manner `silent`, `watched` or `exchanged`, the process writes: each input line is a
/// script, which it answers with a line. With `reading`, it opens the database read-only, and
/// answers each line with the next commit that it observes.
@main struct OtherProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count > 3, let user = UInt32(arguments[3]), !become(user) {
      return answer("no user")
    }
    if arguments[2] == "reading" { return try await read(arguments[1]) }
    let database = try Database(path: arguments[1])
    switch arguments[2] {
    case "watched": try await database.startObserving(.watched)
    case "exchanged": try await database.startObserving(.exchanged)
    default: break
    }
    answer("ready")
    while let script = readLine() {
      do {
        try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: script)) }
        answer("done")
      } catch {
        answer("\(error)")
      }
    }
  }

  private static func read(_ path: String) async throws {
    var configuration = Configuration()
    configuration.isReadOnly = true
    let database = try Database(path: path, configuration: configuration)
    try await database.startObserving(.exchanged)
    var changes = database.changes().makeAsyncIterator()
    answer("ready")
    while readLine() != nil {
      let changed = try await changes.next()
      answer(changed.map { "\($0)" } ?? "the end")
    }
  }
}

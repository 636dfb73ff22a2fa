internal import Observe
internal import SQLiteCore

/// Another process that writes to a database: `OtherProcess PATH silent|watched|exchanged`, then SQL on its input,
/// a script in each line; it answers each with a line.
@main struct OtherProcess {
  static func main() async throws {
    let database = try Database(path: CommandLine.arguments[1])
    switch CommandLine.arguments[2] {
    case "watched": try await database.startObserving(.watched)
    case "exchanged": try await database.startObserving(.exchanged)
    default: break
    }
    answer("ready")
    while let script = readLine() {
      do {
        try await database.writeWithoutTransaction { try $0.execute(script) }
        answer("done")
      } catch {
        answer("\(error)")
      }
    }
  }
}

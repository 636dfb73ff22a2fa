import ArgumentParser
import Foundation
import QueryGenDriver

/// `querygen conformance`
struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Says what is made of each statement of a file of cases, to compare with SQLite.",
    discussion: """
      A case is a line of JSON: {"id", "schema_sql", "query_sql"}; with --schemas, "schema_id" may stand \
      for "schema_sql". An answer is a line of JSON on the standard output.
      """)

  @Argument(help: ArgumentHelp("The cases; - reads the standard input.", valueName: "file"))
  var cases: String

  @Option(
    help: ArgumentHelp(
      "Schemas that cases share: lines of {\"schema_id\", \"sql\"}.", valueName: "file"))
  var schemas: String?

  func run() throws {
    let conformance = Conformance()
    if let schemas {
      do {
        try conformance.addSchemas(read(schemas))
      } catch let error as Conformance.InvalidLine {
        throw ValidationError("\(schemas): \(error)")
      }
    }
    do {
      try conformance.answer(read(cases)) { print($0) }
    } catch let error as Conformance.InvalidLine {
      throw ValidationError("\(cases): \(error)")
    }
  }

  private func read(_ path: String) throws -> Data {
    guard path != "-" else { return FileHandle.standardInput.readDataToEndOfFile() }
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw ValidationError("\(path) can't be read")
    }
  }
}

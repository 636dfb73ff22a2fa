import CommandTesting
import Foundation
import PostgreSQL
import PostgreSQLTesting
import Testing

@Suite struct `The holt documentation page` {
  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../Docs/holt.md").standardized

  @Test func `shows the output of its commands`() async throws {
    let steps = try Transcript(page: Self.page).steps
    #expect(steps.count > 30)
    guard let server = PostgreSQLTestServer.shared else {
      return try expect(steps.filter { !$0.command.contains("$DB") }, [:], "")
    }
    try await server.withDatabase { database in
      let place = "127.0.0.1:\(server.port)/\(database.configuration.database)"
      try expect(steps, ["DB": "postgres://postgres@\(place)"], place)
    }
  }

  /// - Parameter place: The part of the database's URL that the page does not show.
  private func expect(
    _ steps: [Transcript.Step], _ environment: [String: String], _ place: String
  ) throws {
    let run = try HoltRun()
    for step in steps {
      let output = try run.output(of: step, environment: environment)
        .replacing("postgres@\(place)", with: "app@db.example.org/library")
      #expect(output == step.output, "\(step.command)")
    }
  }
}

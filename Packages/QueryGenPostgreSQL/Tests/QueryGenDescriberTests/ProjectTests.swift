import Foundation
import PostgreSQL
import PostgreSQLTesting
import QueryGenDescriber
import QueryGenDriver
import Testing

/// A project in a temporary folder.
final class TemporaryProject {
  let path: String

  init(_ files: [String: String]) throws {
    path = NSTemporaryDirectory() + "querygen-postgresql-\(UInt64.random(in: 0..<UInt64.max))"
    for (name, text) in files { try write(text, to: name) }
  }

  /// Copies a project.
  init(of folder: String) throws {
    path = NSTemporaryDirectory() + "querygen-postgresql-\(UInt64.random(in: 0..<UInt64.max))"
    try FileManager.default.copyItem(atPath: folder, toPath: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    let file = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path).appending(path: name)), as: UTF8.self)
  }

  var driver: Driver { Driver(DriverOptions(path: path)) }

  /// Describes the project with a server, and writes the description.
  ///
  /// - Returns: The report of the errors.
  @discardableResult
  func describe() async throws -> String {
    let server = try #require(PostgreSQLTestServer.shared)
    var project = try #require(driver.postgreSQLProjects().first)
    let description = try await ProjectDescriber(server.configuration()).describe(&project)
    if let description { _ = try project.write(description) }
    return project.outcome().report.replacing(path + "/", with: "")
  }
}

private let sample = [
  "querygen.yaml": "engine: postgresql\n",
  "Migrations/1.sql": "CREATE TABLE book (id int PRIMARY KEY, title text NOT NULL);\n",
  "Queries/Books.sql":
    "books: SELECT * FROM book;\n\nbook: SELECT title FROM book WHERE id = :id;\n",
]

@Suite(.enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed"))
struct `Descriptions of projects` {
  /// The folder of the projects with generated code that the tests of the runtime compile and run.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "QueryGenPostgreSQLTests")
    .path(percentEncoded: false)

  @Test(arguments: ["Shop", "Todos"])
  func `are stored with the code that is generated from them`(_ project: String) async throws {
    let folder = Self.folder + "/" + project
    let generated = try FileManager.default.contentsOfDirectory(atPath: folder + "/Generated")
    let names = ["Queries/postgresql.json"] + generated.map { "Generated/" + $0 }
    #expect(generated.count > 1)
    let copy = try TemporaryProject(of: folder)
    #expect(try await copy.describe() == "")
    let outcome = copy.driver.generate()
    #expect(outcome.report == "")
    for name in names {
      let text = try copy.text(of: name)
      let path = folder + "/" + name
      if ProcessInfo.processInfo.environment["HOLT_REWRITE_GOLDENS"] != nil {
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
        continue
      }
      var expected = try String(contentsOfFile: path, encoding: .utf8)
      if name.hasSuffix(".json") {
        // Servers of other versions describe the project in the same way.
        let isServer = { (line: Substring) in line.contains("\"server\"") }
        expected = expected.split(separator: "\n").filter { !isServer($0) }.joined(separator: "\n")
        let found = text.split(separator: "\n").filter { !isServer($0) }.joined(separator: "\n")
        #expect(found == expected, "\(name)")
      } else {
        #expect(text == expected, "\(name)")
      }
    }
  }

  @Test func `are required, and name the queries that changed`() async throws {
    let project = try TemporaryProject(sample)
    func report() -> String {
      project.driver.generate().report.replacing(project.path + "/", with: "")
    }
    #expect(
      report().hasPrefix(
        "Queries/postgresql.json: error: the server's description of the queries is missing; run `querygen-postgresql"
      ))
    #expect(try await project.describe() == "")
    #expect(report() == "")

    // Neither white space nor comments matter.
    try project.write(
      "-- A comment.\nbooks:   SELECT *\n  FROM book;\n\nbook: SELECT title FROM book WHERE id = :id;\n",
      to: "Queries/Books.sql")
    #expect(report() == "")

    try project.write(
      "books: SELECT * FROM book;\n\nbook: SELECT title FROM book WHERE id > :id;\nnew: SELECT 1;\n",
      to: "Queries/Books.sql")
    let changed = report()
    #expect(
      changed.contains(
        "Queries/Books.sql:3:1: error: the server's description of `book` in postgresql.json is missing or out of date; run `querygen-postgresql generate"
      ))
    #expect(changed.contains("Queries/Books.sql:4:1: error: the server's description of `new`"))
    #expect(!changed.contains("`books`"))
    #expect(try await project.describe() == "")
    #expect(report() == "")

    try project.write("ALTER TABLE book ADD year int;\n", to: "Migrations/2.sql")
    #expect(
      report().contains(
        "Queries/postgresql.json: error: the migrations have changed since the file was written"))
    try project.write("{", to: "Queries/postgresql.json")
    #expect(report().contains("the file is not a description"))
  }

  @Test func `are compared with a server without changes of files`() async throws {
    let project = try TemporaryProject(sample)
    #expect(try await project.describe() == "")
    let server = try #require(PostgreSQLTestServer.shared)
    var loaded = try #require(project.driver.postgreSQLProjects().first)
    let current = try await ProjectDescriber(server.configuration()).describe(&loaded)
    #expect(loaded.differences(from: try #require(current)) == [])

    let json = try project.text(of: "Queries/postgresql.json")
    let changed = json.replacing("\"rows\" : \"many\"", with: "\"rows\" : \"one\"")
    #expect(changed != json)
    try project.write(changed, to: "Queries/postgresql.json")
    loaded = try #require(project.driver.postgreSQLProjects().first)
    let found = try await ProjectDescriber(server.configuration()).describe(&loaded)
    let differences = loaded.differences(from: try #require(found))
    #expect(differences.map(\.query) == [0])
    #expect(differences.first?.message.contains("`books`") == true)
    #expect(try project.text(of: "Queries/postgresql.json") == changed)
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var file = "Queries/Books.sql"
    let text: String
    let report: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Fault(
      text: "books:\nSELECT id,\n  nmae FROM book;\n",
      report: """
        Queries/Books.sql:3:3: error: column "nmae" does not exist
            nmae FROM book;
            ^~~~

        """),
    Fault(
      text: "a: SELECT :größe::text, :b, 'é', nmae FROM book;\n",
      report: """
        Queries/Books.sql:1:34: error: column "nmae" does not exist
          a: SELECT :größe::text, :b, 'é', nmae FROM book;
                                           ^~~~

        """),
    Fault(
      text: "a: SELECT * FROM bok WHERE id IN :ids;\n",
      report: """
        Queries/Books.sql:1:18: error: relation "bok" does not exist
          a: SELECT * FROM bok WHERE id IN :ids;
                           ^~~

        """),
    Fault(
      text: "a: SELECT * FROM book WHERE title IN :t AND id = :id AND;\n",
      report: "Queries/Books.sql:1:57: error: syntax error at end of input"),
    Fault(
      text: "a: SELECT :x IS NULL;\n",
      report: "Queries/Books.sql:1:1: error: could not determine data type of parameter $1"),
    Fault(
      text: "a: SELECT 'open;\n",
      report: "Queries/Books.sql:1:11: error: this string, quoted name or comment has no end"),
    Fault(
      text: "SELECT 1;\n",
      report: "Queries/Books.sql:1:1: error: this statement has no name"),
    Fault(
      text: "a: SELECT :b, $1;\n",
      report:
        "Queries/Books.sql:1:15: error: a query has parameters with names or with numbers, not both"
    ),
    Fault(
      file: "Migrations/1.sql",
      text:
        "CREATE TABLE book (id int PRIMARY KEY, title text NOT NULL);\nCREATE TABLE page (book int REFERENCES bok);\n",
      report: "Migrations/1.sql:1:1: error: relation \"bok\" does not exist"),
    Fault(
      file: "Migrations/1.sql",
      text:
        "CREATE TABLE book (id int PRIMARY KEY, title text NOT NULL);\n\nCREATE VIEW x AS SELECT nmae FROM book;\n",
      report: "Migrations/1.sql:3:25: error: column \"nmae\" does not exist"),
    Fault(
      file: "Migrations/1.sql", text: "CREATE TABLE book (id int);\nCOMMIT;\n",
      report: "Migrations/1.sql:1:1: error: the migration ends its transaction"),
  ])
  func `report what the server rejects, at its position`(_ fault: Fault) async throws {
    var files = sample
    files[fault.file] = fault.text
    let project = try TemporaryProject(files)
    let report = try await project.describe()
    #expect(report.hasPrefix(fault.report), "\(report)")
    #expect(!FileManager.default.fileExists(atPath: project.path + "/Queries/postgresql.json"))
  }

  @Test func `leave no database on the server`() async throws {
    let server = try PostgreSQLTestServer()
    let connection = try await PostgreSQLConnection.connect(server.configuration())
    for query in ["one: SELECT 1;", "broken: SELECT nothing;"] {
      var files = sample
      files["Queries/Books.sql"] = query
      let folder = try TemporaryProject(files)
      var project = try #require(folder.driver.postgreSQLProjects().first)
      _ = try await ProjectDescriber(server.configuration()).describe(&project)
      let names = try await connection.values(
        String.self, "SELECT datname::text FROM pg_database WHERE datname LIKE 'querygen%'")
      #expect(names == [])
    }
    await connection.close()
  }

  @Test func `of a project for SQLite do not exist`() throws {
    let project = try TemporaryProject([
      "Migrations/1.sql": "CREATE TABLE t (id INTEGER);", "Queries/A.sql": "a: SELECT 1;",
    ])
    #expect(project.driver.postgreSQLProjects().isEmpty)
  }
}

import QueryGenDriver
import QueryGenTestSupport
import Testing

@Suite struct `Projects for PostgreSQL` {
  private func workspace(_ configuration: String = "engine: postgresql\n") throws -> Workspace {
    try Workspace([
      "querygen.yaml": configuration,
      "Migrations/1.sql":
        "CREATE TABLE book (id int PRIMARY KEY, tags text[] NOT NULL DEFAULT '{}');",
      "Queries/Books.sql": "book: SELECT tags FROM book WHERE id = :id;",
    ])
  }

  private func driver(_ workspace: Workspace) -> Driver {
    Driver(DriverOptions(path: workspace.path))
  }

  /// Writes the description that a server gives of the query.
  private func describe(_ workspace: Workspace) throws {
    var project = try #require(driver(workspace).postgreSQLProjects().first)
    let query = try #require(project.queries.first)
    let text = PostgreSQLDescription.ValueType(name: "text", oid: 1_009, isArray: true)
    let int = PostgreSQLDescription.ValueType(name: "int4", oid: 23)
    var description = PostgreSQLDescription(server: "15", migrations: project.migrationHash)
    description.tables = [
      .init(
        name: "book",
        columns: [
          .init(name: "id", type: int, isNullable: false),
          .init(name: "tags", type: text, isNullable: false),
        ], primaryKey: ["id"])
    ]
    description.queries[query.key] = .init(
      hash: PostgreSQLDescription.hash(of: query.query),
      parameters: [.init(name: "id", type: int, isNullable: false)],
      columns: [
        .init(
          name: "tags", type: text, isNullable: false, origin: .init(table: "book", column: "tags"))
      ], rows: .optional, isReadOnly: true)
    _ = try project.write(description)
    #expect(try !project.write(description))
    project = try #require(driver(workspace).postgreSQLProjects().first)
    #expect(project.description == description)
  }

  @Test func `are generated from a description, without a server`() throws {
    let workspace = try workspace()
    let missing = driver(workspace).check()
    #expect(missing.diagnostics.map(\.identity).contains("stale-description"))
    try describe(workspace)
    let outcome = driver(workspace).generate()
    #expect(outcome.report == "")
    let database = try workspace.read("Generated/DB.generated.swift")
    #expect(database.contains("struct DB: PostgreSQLGeneratedDatabase {"))
    #expect(database.contains("import QueryGenPostgreSQL\n"))
    let queries = try workspace.read("Generated/Books.queries.swift")
    #expect(
      queries.contains(#"static let sql: PostgreSQLQuery = "SELECT tags FROM book WHERE id = $1""#))
    #expect(queries.contains("typealias BookOutput = [String?]?"))
  }

  @Test func `map types of columns as configured`() throws {
    let workspace = try workspace("engine: postgresql\ntypes: { \"text[]\": \"[String]\" }\n")
    try describe(workspace)
    #expect(driver(workspace).generate().report == "")
    let queries = try workspace.read("Generated/Books.queries.swift")
    #expect(queries.contains("typealias BookOutput = [String]?"))
  }

  @Test(arguments: ["sqlite: 3.40", "functions: [\"f(x INTEGER)\"]", "plans: {}", "format: {}"])
  func `have no settings of SQLite`(_ setting: String) throws {
    let workspace = try workspace("engine: postgresql\n\(setting)\n")
    try describe(workspace)
    let outcome = driver(workspace).check()
    #expect(outcome.diagnostics.map(\.identity) == ["invalid-configuration"])
  }

  @Test func `are not formatted, and have no schema of SQLite`() throws {
    let workspace = try workspace()
    try describe(workspace)
    let formatted = driver(workspace).format(files: nil, writes: true)
    #expect(formatted.report.contains("SQL is formatted only for the engine sqlite"))
    #expect(driver(workspace).projectSchema().outcome.errorCount == 1)
  }

  @Test func `report annotations that are not available`() throws {
    let workspace = try workspace()
    try workspace.write(
      "-- nest: tags AS list\nbook: SELECT tags FROM book WHERE id = :id;", to: "Queries/Books.sql")
    try describe(workspace)
    #expect(driver(workspace).check().report.contains("`nest:` is not available on PostgreSQL"))
    try workspace.write(
      "-- name: book :execlastid\nSELECT tags FROM book WHERE id = :id;", to: "Queries/Books.sql")
    try describe(workspace)
    #expect(driver(workspace).check().report.contains("`:execlastid` is not available"))
  }

  @Test func `need a known engine`() throws {
    let workspace = try workspace("engine: oracle\n")
    let outcome = driver(workspace).check()
    #expect(
      outcome.report.contains("unknown engine \"oracle\"; expected one of postgresql, sqlite"))
  }
}

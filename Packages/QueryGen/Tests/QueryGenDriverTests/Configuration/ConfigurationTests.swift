import QueryGenTestSupport
import QueryModel
import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `The configuration` {
  private func read(_ text: String) -> (ProjectConfiguration, report: String) {
    var file = InputFile(path: "querygen.yaml", name: "querygen.yaml", source: SourceText(text))
    let configuration = ConfigurationReader.read(&file)
    var rendering = DiagnosticRenderer(usesColor: false)
    rendering.add(file)
    return (configuration, rendering.text)
  }

  @Test func `sets the rules and sizes for plans`() {
    let (configuration, report) = read(
      """
      plans:
        statistics: data/app.sqlite
        rows: { Event: 1000000 }
        allow: [full-scan, unused-index]
        queries: { report: [offset-paging] }
      """)
    #expect(report == "")
    #expect(configuration.plans.statistics == "data/app.sqlite")
    #expect(configuration.plans.rows == ["event": 1_000_000])
    #expect(configuration.plans.allowed == [.fullScan, .unusedIndex])
    #expect(configuration.plans.allowedByQuery == ["report": [.offsetPaging]])
    #expect(configuration.references.map(\.subject) == [.table("event"), .query("report")])
  }

  @Test(arguments: [
    "plans: { rows: { event: many } }", "plans: { allow: full-scan }",
    "plans: { allow: [nothing] }",
    "plans: { sizes: 1 }",
  ])
  func `rejects invalid settings for plans`(_ text: String) {
    #expect(read(text).report.contains("error"))
  }

  @Test func `sets all options`() {
    let (configuration, report) = read(
      """
      path: Sources/App/
      folders: { migrations: Schema, queries: SQL }
      output: Made
      database: Library
      access: package
      import: Holt
      imports: [Foundation, Shared]
      codable: true
      coding_keys: columns
      sqlite: 3.35.5
      default_types: false
      types:
        datetime: Date
        "VARCHAR(36)": { type: UUID, adapter: UUIDText }
      tables:
        User_Accounts:
          name: Member
          codable: false
          columns:
            Tags: { type: "[String]", as: json }
            kind: { name: sort, type: Kind, as: raw }
            born: Date
            note: { name: remark }
            team: { type: OneRelation<Team>, holds_null: true }
          properties: { friends: 'ManyRelation<Member>(\\.team)', rank: "0" }
      queries:
        latestExpenses:
          name: latest
          input: Period
          row: Expense
          codable: true
          parameters: { from: Date }
          columns: { paid_on: { name: paidOn } }
          lists:
            tags: [tag_id, tag_name, { notes: [note, { authors: [author] }] }]
      format:
        keywords: lower
        width: 80
        indentation: 4
      """)
    #expect(report == "")
    #expect(configuration.path == "Sources/App")
    #expect((configuration.migrations, configuration.queries) == ("Schema", "SQL"))
    #expect(configuration.output == "Made")
    #expect(configuration.target == SQLiteVersion(3, 35))
    #expect(
      configuration.format == FormatOptions(keywords: .lower, width: 80, indentation: 4))
    let expected = GenerationOptions(
      databaseName: "Library", access: .package, runtimeModule: "Holt",
      imports: ["Foundation", "Shared"], isCodable: true,
      codingKeys: .columns,
      types: [
        "DATETIME": TypeMapping(type: "Date"),
        "VARCHAR(36)": TypeMapping(type: "UUID", coding: .adapter("UUIDText")),
      ],
      hasDefaultTypes: false,
      tables: [
        "user_accounts": TableOptions(
          swiftName: "Member", isCodable: false,
          columns: [
            "tags": ColumnOptions(mapping: TypeMapping(type: "[String]", coding: .json)),
            "kind": ColumnOptions(
              swiftName: "sort", mapping: TypeMapping(type: "Kind", coding: .rawValue)),
            "born": ColumnOptions(mapping: TypeMapping(type: "Date")),
            "note": ColumnOptions(swiftName: "remark"),
            "team": ColumnOptions(
              mapping: TypeMapping(type: "OneRelation<Team>", holdsNull: true)),
          ],
          properties: [
            AdditionalProperty(name: "friends", value: #"ManyRelation<Member>(\.team)"#),
            AdditionalProperty(name: "rank", value: "0"),
          ])
      ],
      queries: [
        "latestExpenses": QueryOptions(
          swiftName: "latest", inputName: "Period", rowName: "Expense", isCodable: true,
          columns: ["paid_on": ColumnOptions(swiftName: "paidOn")],
          parameters: ["from": ColumnOptions(mapping: TypeMapping(type: "Date"))],
          lists: [
            NestedList(
              name: "tags", columns: ["tag_id", "tag_name"],
              lists: [
                NestedList(
                  name: "notes", columns: ["note"],
                  lists: [NestedList(name: "authors", columns: ["author"])])
              ])
          ])
      ])
    #expect(configuration.generation == expected)
  }

  @Test func `can be the example in the README`() {
    let (configuration, report) = read(
      #"""
      path: Sources/App             # the project's folder, relative to here; not with the plugin
      folders: { migrations: Schema, queries: SQL, temporary: Scratch }
      attach: { archive: ../Archive }   # see Several databases
      output: Generated
      database: Library             # the generated type
      access: public                # internal, package, public
      import: Holt                  # instead of QueryGen
      imports: [Foundation]         # where the types below are declared
      codable: true
      coding_keys: columns          # the columns' names, instead of the properties'
      split: true                   # a file for each table; not with the plugin
      sqlite: 3.44                  # the SQLite version that the SQL is for; by default 3.40
      types:                        # Swift types by declared type
        DATETIME: { type: Date, adapter: ColumnFormats.UnixSeconds }
      default_types: false          # only the ones above
      tables:
        user_accounts:
          name: Member
          columns:
            tags: { type: "[String]", as: json }      # value, raw or json
            born: { name: birthday, type: Day, adapter: DayText }
            team: { type: OneRelation<Team>, holds_null: true }   # instead of an optional
          properties: { friends: 'ManyRelation<Member> = ManyRelation(\.team)' }   # not columns
      queries:
        latestExpenses:
          name: latest
          row: Expense
          input: Period
          parameters: { from: Date }
          lists: { tags: [tag_id, tag_name, { notes: [note] }] }
      format: { keywords: upper, width: 100, indentation: 2 }   # upper, lower, keep
      plans: { statistics: app.sqlite, allow: [offset-paging] }   # see Plans
      """#)
    #expect(report == "")
    #expect(configuration.target == SQLiteVersion(3, 44))
    #expect(configuration.generation.tables.keys.sorted() == ["user_accounts"])
    #expect(configuration.generation.queries.keys.sorted() == ["latestExpenses"])
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    let text: String, place: String, message: String
    init(_ text: String, _ place: String, _ message: String) {
      self.text = text
      self.place = place
      self.message = message
    }
    var testDescription: String { text }
  }

  @Test(arguments: [
    Fault("acces: public", "1:1", "unknown key \"acces\"; did you mean \"access\"?"),
    Fault(
      "access: open", "1:9", "unknown access \"open\"; expected one of internal, package, public"),
    Fault("access: pubic", "1:9", "unknown access \"pubic\"; did you mean \"public\"?"),
    Fault("database: my db", "1:11", "\"my db\" is not a valid Swift identifier"),
    Fault("codable: yes", "1:10", "expected true or false"),
    Fault("sqlite: 3", "1:9", "\"3\" is not a version of SQLite 3, such as 3.40 or 3.40.1"),
    Fault("path: [a]", "1:7", "expected a string, found a list"),
    Fault("imports: a", "1:10", "expected a list: \"[a, b]\", or \"- a\" on each line"),
    Fault(
      "- a", "1:1", "expected a mapping with \"key: value\" on each line, found a list"),
    Fault(
      "types:\n  A: { as: json }", "2:6",
      "the key \"type\", which names the Swift type, is missing"),
    Fault(
      "types:\n  A: Date?", "2:6",
      "the column determines whether a value is optional; remove the \"?\""),
    Fault(
      "types:\n  A: { type: B, as: xml }", "2:21",
      "unknown form \"xml\"; expected one of json, "
        + "raw, value"),
    Fault("tables:\n  a:\n    nmae: B", "3:5", "unknown key \"nmae\"; did you mean \"name\"?"),
    Fault("queries:\n  a:\n    lists:\n      b: []", "4:10", "the list needs at least one column"),
    Fault("format:\n  width: 9", "2:10", "expected a number from 40 to 1000"),
  ])
  func `with an invalid value is rejected with its location`(_ fault: Fault) {
    let report = read(fault.text).report
    #expect(
      report.hasPrefix("querygen.yaml:\(fault.place): error: \(fault.message)\n"), "\(report)")
    #expect(report.split(separator: "\n").filter { $0.contains(": error: ") }.count == 1)
  }

  @Test func `is found in the project's folder`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("database: Library\naccess: public\noutput: Made\n", to: "querygen.yaml")
    let outcome = workspace.driver.generate()
    #expect(outcome.report == "")
    #expect(outcome.written == ["Library.generated.swift", "Todo.queries.swift"])
    #expect(
      try workspace.read("Made/Library.generated.swift").contains("public nonisolated struct"))
  }

  @Test func `specifies the SQLite version of the statements`() throws {
    let workspace = try Workspace.todo()
    try workspace.write(
      "a: SELECT group_concat(name ORDER BY id) FROM todo;", to: "Queries/Todo.sql")
    let driver = workspace.driver
    #expect(driver.check().diagnostics.map(\.identity) == ["newer-than-target"])
    try workspace.write("sqlite: 3.44.1\n", to: "querygen.yaml")
    #expect(driver.check().report == "")
    try workspace.write("sqlite: 3.43\n", to: "querygen.yaml")
    #expect(driver.check().diagnostics.first?.message.contains("3.43") == true)
  }

  @Test func `is overridden by command options`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("database: Library\n", to: "querygen.yaml")
    let options = DriverOptions(path: workspace.path, databaseName: "Other")
    #expect(Driver(options).generate().written.contains("Other.generated.swift"))
  }

  @Test func `in another folder is named, and its paths are relative to it`() throws {
    let workspace = try Workspace()
    try workspace.write("CREATE TABLE a (b INTEGER);", to: "App/Schema/1.sql")
    try workspace.write("all: SELECT * FROM a;", to: "App/Queries/a.sql")
    try workspace.write(
      "path: ../App\nfolders:\n  migrations: Schema\n", to: "Settings/querygen.yaml")
    let options = DriverOptions(configuration: workspace.path + "/Settings/querygen.yaml")
    let outcome = Driver(options).generate()
    #expect(outcome.report == "")
    #expect((outcome.tableCount, outcome.queryCount) == (1, 1))
    #expect(outcome.output == workspace.path + "/Settings/../App/Generated")
  }

  @Test func `that is named but does not exist is an error`() throws {
    let workspace = try Workspace.todo()
    let options = DriverOptions(
      path: workspace.path, configuration: workspace.path + "/none.yaml")
    let outcome = Driver(options).check()
    #expect(
      workspace.report(outcome) == "none.yaml: error: can't be read: no such file or folder\n")
  }

  @Test func `must name existing tables, columns, queries and parameters`() throws {
    let workspace = try Workspace.todo()
    try workspace.write(
      "byName: SELECT id, name FROM todo WHERE name = :name;", to: "Queries/Todo.sql")
    try workspace.write(
      """
      tables:
        tood: { name: Task }
        todo:
          columns:
            nmae: { name: title }
      queries:
        byNmae: { name: find }
        byName:
          columns: { idd: { name: number } }
          parameters: { nam: { name: title } }
          lists: { items: [Id, x] }

      """, to: "querygen.yaml")
    let report = workspace.report(workspace.driver.check())
    let lines = report.split(separator: "\n").filter { $0.contains(": error: ") }.map(String.init)
    #expect(
      lines == [
        "querygen.yaml:2:3: error: no such table: `tood`; did you mean `todo`?",
        "querygen.yaml:5:7: error: no such column: `nmae`; did you mean `name`?",
        "querygen.yaml:7:3: error: no such query: `byNmae`; did you mean `byName`?",
        "querygen.yaml:9:16: error: no such column of the result: `idd`; did you mean `id`?",
        "querygen.yaml:10:19: error: no such parameter: `nam`; did you mean `name`?",
        "querygen.yaml:11:26: error: no such column of the result: `x`",
      ])
  }

  @Test func `of a plugin must not change folders, which the plugin would not find`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("database: Library\n", to: "querygen.yaml")
    var options = DriverOptions(path: workspace.path, usesFixedFileNames: true)
    #expect(Driver(options).generate().written.first == "DB.generated.swift")
    options.path = workspace.path
    try workspace.write("folders: { queries: Other }\n", to: "querygen.yaml")
    #expect(Driver(options).check().report.contains("error: a build plugin reads Migrations and"))
  }
}

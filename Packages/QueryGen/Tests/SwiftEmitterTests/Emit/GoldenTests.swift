import QueryModel
import Testing

@testable import SwiftEmitter

@Suite struct `Generated Swift` {
  struct Case: CustomTestStringConvertible, Sendable {
    let folder: String, project: Project
    var options = GenerationOptions()
    var testDescription: String { folder }
  }

  @Test(arguments: [
    Case(folder: "Seed", project: Projects.seed),
    Case(folder: "Shapes", project: Projects.shapes),
    Case(folder: "Hostile", project: Projects.hostile),
    Case(
      folder: "Public", project: Projects.shapes,
      options: GenerationOptions(databaseName: "Ledger", access: .public, runtimeModule: "Holt")),
    Case(folder: "Mapped", project: Projects.mapped),
    Case(folder: "Chosen", project: Projects.mapped, options: Projects.options),
    Case(folder: "Functions", project: Projects.functions),
    Case(
      folder: "PublicFunctions", project: Projects.functions,
      options: GenerationOptions(access: .public)),
    Case(folder: "Empty", project: Project(tables: [], migrations: [], files: [])),
  ])
  func `equals the goldens`(_ expected: Case) throws {
    let result = SwiftEmitter(options: expected.options).emit(expected.project)
    #expect(result.diagnostics.isEmpty)
    try Goldens.expect(result.files, in: expected.folder)
  }

  @Test func `does not depend on the order of tables and reads`() {
    var shuffled = Projects.hostile
    shuffled.tables.reverse()
    let emitter = SwiftEmitter()
    #expect(emitter.emit(shuffled) == emitter.emit(Projects.hostile))
  }

  @Test func `begins with the header`() {
    for file in SwiftEmitter().emit(Projects.shapes).files {
      #expect(file.text.hasPrefix(GeneratedFile.header + "\n"))
    }
  }
}

@Suite struct `Query names` {
  @Test(arguments: [
    ("getUser", "getUser", EmitterDiagnostic.Identity.duplicateQuery),
    ("get_user", "getUser", .collidingQueryNames),
    ("GET_USER", "get user", .collidingQueryNames),
  ])
  func `are rejected if they are equal in Swift`(
    _ first: String, _ second: String, _ identity: EmitterDiagnostic.Identity
  ) {
    let project = Project(
      tables: [], migrations: [],
      files: [
        QueryFile(name: "A", queries: [Projects.query(first, "SELECT 1")]),
        QueryFile(name: "B", queries: [Projects.query(second, "SELECT 1")]),
      ])
    let result = SwiftEmitter().emit(project)
    #expect(result.files.isEmpty)
    #expect(result.diagnostics.map(\.identity) == [identity])
    #expect(result.diagnostics.first?.place == .init(file: 1, query: 0))
    #expect(result.diagnostics.first?.earlier == .init(file: 0, query: 0))
  }

  @Test func `need a letter`() {
    let project = Project(
      tables: [], migrations: [],
      files: [QueryFile(name: "A", queries: [Projects.query("12", "SELECT 1")])])
    #expect(SwiftEmitter().emit(project).diagnostics.map(\.identity) == [.unusableQueryName])
  }

  @Test(arguments: ["", "my db", "1", "class", "Database", "a.b"])
  func `of the database must be an identifier`(_ name: String) {
    let emitter = SwiftEmitter(options: GenerationOptions(databaseName: name))
    let project = Project(tables: [], migrations: [], files: [])
    #expect(emitter.emit(project).diagnostics.map(\.identity) == [.unusableDatabaseName])
  }
}

@Suite struct `A configured option` {
  private func identities(
    _ options: GenerationOptions, _ project: Project = Projects.mapped
  ) -> [EmitterDiagnostic.Identity] {
    SwiftEmitter(options: options).emit(project).diagnostics.map(\.identity)
  }

  @Test func `must be a valid Swift name`() {
    #expect(
      identities(GenerationOptions(tables: ["album": TableOptions(swiftName: "my album")]))
        == [.unusableConfiguredName])
    #expect(
      identities(GenerationOptions(queries: ["releases": QueryOptions(swiftName: "1")]))
        == [.unusableQueryName])
    #expect(
      identities(GenerationOptions(queries: ["releases": QueryOptions(swiftName: "a-b")]))
        == [.unusableConfiguredName])
    #expect(
      identities(
        GenerationOptions(queries: ["albumsAndTracks": QueryOptions(rowName: "String")]))
        == [.unusableConfiguredName])
  }

  @Test(arguments: ["tags", "no name", "class"])
  func `must not add a property with an invalid name`(_ name: String) {
    let property = AdditionalProperty(name: name, value: "0")
    let expected: [EmitterDiagnostic.Identity] = name == "class" ? [] : [.unusableConfiguredName]
    #expect(
      identities(GenerationOptions(tables: ["album": TableOptions(properties: [property])]))
        == expected)
  }

  @Test func `must not give two types the same name`() {
    let same = TableOptions(swiftName: "Record")
    #expect(
      identities(GenerationOptions(tables: ["album": same, "tracks": same]))
        == [.collidingConfiguredNames])
  }

  @Test func `leaves unused names to other tables`() {
    let project = Projects.mapped
    let options = GenerationOptions(tables: ["tracks": TableOptions(swiftName: "Album")])
    let named = NamedProject(project, options: options)
    #expect(named.tableTypes["tracks"] == "Album")
    #expect(named.tableTypes["album"] == "AlbumRecord")
  }

  @Test func `can't make a struct with a property of any type Codable`() {
    #expect(identities(GenerationOptions(isCodable: true), Projects.shapes) == [.notCodable])
    #expect(
      identities(
        GenerationOptions(isCodable: true, tables: ["expenses": TableOptions(isCodable: false)]),
        Projects.shapes) == [])
  }

  @Test(arguments: [
    [NestedList(name: "x", columns: ["missing"])],
    [NestedList(name: "", columns: ["n", "c"])],
    [NestedList(name: "all", columns: ["album", "tracks", "c", "n"])],
    [NestedList(name: "a", columns: ["n"]), NestedList(name: "b", columns: ["n"])],
  ])
  func `must put some, but not all, existing columns in lists`(_ lists: [NestedList]) {
    var project = Projects.mapped
    for index in project.files[0].queries.indices
    where project.files[0].queries[index].name == "albumsAndTracks" {
      project.files[0].queries[index].lists = lists
    }
    #expect(identities(GenerationOptions(), project) == [.unusableList])
  }

  @Test func `can't merge the rows that a list of inserted rows returns`() {
    var project = Projects.shapes
    for index in project.files[0].queries.indices
    where project.files[0].queries[index].name == "addTitles" {
      project.files[0].queries[index].result = .columns(Array(Projects.expense.columns.prefix(2)))
      project.files[0].queries[index].lists = [NestedList(name: "titles", columns: ["title"])]
    }
    #expect(identities(GenerationOptions(), project) == [.unusableList])
  }

  @Test func `is ignored if its column does not exist`() {
    let lists = [NestedList(name: "x", columns: ["missing"])]
    let options = GenerationOptions(
      tables: ["nothing": TableOptions(swiftName: "Nothing")],
      queries: ["albumsAndTracks": QueryOptions(lists: lists)])
    #expect(
      SwiftEmitter(options: options).emit(Projects.mapped) == SwiftEmitter().emit(Projects.mapped))
  }

  @Test func `can name the author's types, which no table's struct shadows`() {
    let project = Projects.mapped
    let options = GenerationOptions(
      types: ["X": TypeMapping(type: "[Album]")],
      tables: [
        "tracks": TableOptions(columns: ["n": ColumnOptions(mapping: .init(type: "Credit.ID"))])
      ])
    let named = NamedProject(project, options: options)
    #expect(named.tableTypes["album"] == "AlbumRecord")
    #expect(named.tableTypes["credit"] == "Credit")
  }
}

@Suite struct `Table names` {
  private func types(_ tables: String..., queries: [String] = []) -> [String: String] {
    let project = Project(
      tables: tables.map {
        TableDefinition(name: $0, kind: .table, columns: [], primaryKey: [])
      }, migrations: [],
      files: [QueryFile(name: "A", queries: queries.map { Projects.query($0, "SELECT 1") })])
    return NamedProject(project, options: GenerationOptions()).tableTypes
  }

  @Test func `are in the singular`() {
    #expect(types("user_accounts") == ["user_accounts": "UserAccount"])
  }

  @Test func `stay in the plural if the singular is also a table`() {
    #expect(types("users", "user") == ["user": "User", "users": "Users"])
  }

  @Test func `do not shadow the types of Swift and Holt`() {
    #expect(types("tasks", "row", "task")["task"] == "TaskRecord")
    #expect(types("tasks", "row", "task")["tasks"] == "Tasks")
    #expect(types("tasks", "row", "task")["row"] == "RowRecord")
  }

  @Test func `do not equal the types of queries`() {
    #expect(types("latest_row", queries: ["latest"]) == ["latest_row": "LatestRowRecord"])
  }

  @Test func `are numbered as a last resort`() {
    #expect(types("a b", "a_b", "a-b") == ["a b": "AB", "a-b": "ABRecord", "a_b": "ABRecord2"])
  }
}

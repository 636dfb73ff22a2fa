import Foundation
import QueryGen
import Testing

/// The generated code of `Archive`, whose SQL uses functions that these tests implement.
@Suite struct `Declared functions` {
  static func archive() async throws -> Archive {
    let archive = try Archive(functions: .sample)
    for (title, score, day) in [("ärger", 1.0, 5), ("Zoo Map", 9.0, 30)] {
      _ = try await archive.addPage.execute(
        title: title, score: score, written: Day(day), changed: Day(40))
    }
    return archive
  }

  @Test func `are called with values of their Swift types`() async throws {
    let pages = try await Self.archive().pages.execute()
    #expect(pages.map(\.address) == ["ärger", "über-uns", "zoo-map"])
    #expect(pages.map(\.first) == [Day(5), Day(10), Day(30)])
    #expect(pages.map(\.written) == [Day(5), Day(20), Day(30)])
  }

  @Test func `can be used by migrations, indexes and constraints`() async throws {
    let archive = try await Self.archive()
    let found = try await archive.pagesAt.execute(separator: "_", address: "zoo_map", day: Day(30))
    #expect(found == [3])
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await archive.addPage.execute(
        title: "", score: nil, written: Day(1), changed: Day(1))
    }
    #expect(error?.code == .constraintCheck)
  }

  @Test func `implement REGEXP`() async throws {
    let archive = try await Self.archive()
    #expect(try await archive.matching.execute("Zoo") == ["Zoo Map"])
    #expect(try await archive.matching.execute("uns") == ["Über uns"])
  }

  @Test func `receive values of any type`() async throws {
    let archive = try await Self.archive()
    #expect(try await archive.inOrder.execute(first: 1, second: 2) == true)
    #expect(try await archive.inOrder.execute(first: nil, second: 2) == false)
  }

  @Test func `include aggregates and window functions`() async throws {
    let archive = try await Self.archive()
    #expect(try await archive.medianScore.execute() == 3)
    #expect(try await archive.longestTitle.execute() == "Über uns")
    let titles = try await archive.longestTitles.execute()
    #expect(titles.map(\.title) == ["Über uns", "Über uns", "Zoo Map"])
  }

  @Test func `include table-valued functions`() async throws {
    #expect(try await Self.archive().range.execute(start: 3, stop: 5) == [3, 4, 5])
  }

  @Test func `fail a statement with the error that they throw`() async throws {
    var functions = ArchiveFunctions.sample
    functions.slug = { title, _ in
      if title == "bad" { throw SQLiteError(code: .abort, message: "no slug for \(title)") }
      return title
    }
    let archive = try Archive(functions: functions)
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await archive.addPage.execute(
        title: "bad", score: nil, written: Day(1), changed: Day(1))
    }
    #expect(error?.message.contains("no slug for bad") == true)
  }

  @Test func `name the parameter of an argument that can't be read`() throws {
    let archive = try Archive(functions: .sample)
    let error = #expect(throws: SQLiteError.self) {
      try archive.database.write { try $0.value(String.self, "SELECT slug(1)") }
    }
    #expect(error?.message.contains("title") == true)
  }

  @Test func `are registered on each connection of a file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "archive.sqlite").path(percentEncoded: false)
    let archive = try await Archive.open(path: path, functions: .sample)
    let titles = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 { group.addTask { try await archive.matching.execute("uns") } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(titles.count == 8)
  }

  @Test func `can be registered in the configuration of a shared database`() async throws {
    let database = try Database.inMemory(Configuration().registering(ArchiveFunctions.sample))
    try await database.migrate(Archive.migrations)
    #expect(try await Archive(migrated: database).matching.execute("uns").count == 1)
  }

  @Test func `require a module of the declared kind`() {
    struct Created: VirtualTable.Module {
      var kind: VirtualTable.ModuleKind { .created }
      func connect(_ table: TableName, arguments: [String]) -> Numbers.Table { Numbers.Table() }
    }
    var functions = ArchiveFunctions.sample
    functions.numbers = Created()
    let error = #expect(throws: SQLiteError.self) { try Archive(functions: functions) }
    #expect(error?.code == .misuse)
  }
}

import Foundation
import ProviderTesting
import Providers
import SQLiteCore
import Testing

/// The samples of the package's README.
@Suite struct `The README` {
  struct Author: DataTable {
    static let primaryKeyType = DataTableKeyType.computedInt
    var id = 0
    var name = ""
    var born: Date?
    var books = CrossReference<Book>(name: "BooksByAuthor")
  }

  struct Book: DataTable {
    static let primaryKeyType = DataTableKeyType.autoUUIDString
    var id = ""
    var title = ""
    var tags: [String] = []
  }

  @Test func `starts with a file of tasks`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/tasks.json"
    var printed = ""
    func print(_ records: RecordSet) { printed = records.description }

    let provider: any DataProvider = JSONProvider()
    try provider.openSource(atPath: path)
    try provider.execute(
      "CREATE TABLE IF NOT EXISTS Task (id INTEGER PRIMARY KEY, name TEXT, done BOOLEAN)")
    let id = try provider.execute(
      "INSERT INTO Task (name, done) VALUES (?, ?)", withParameters: ["Shop", false])
    let open = try provider.query("SELECT * FROM Task WHERE NOT done")
    print(open)
    // id | name | done
    // ---|------|-----
    //  1 | Shop |    0
    try provider.closeSource()

    #expect(id == 1)
    #expect(
      printed == """
        id | name | done
        ---|------|-----
         1 | Shop |    0
        """)
  }

  @Test(arguments: [true, false])
  func `shows SQL that works on each kind of source`(_ isFile: Bool) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/tasks"
    let provider: any DataProvider = isFile ? JSONProvider() : SQLiteProvider()
    for expected in [1, 2] {
      try provider.openSource(atPath: path)
      try provider.execute(
        "CREATE TABLE IF NOT EXISTS Task (id INTEGER PRIMARY KEY, name TEXT, done BOOLEAN)")
      let id = try provider.execute(
        "INSERT INTO Task (name, done) VALUES (?, ?)", withParameters: ["Shop", false])
      #expect(id == expected)
      let open = try provider.query("SELECT * FROM Task WHERE NOT done")
      if expected == 1 {
        #expect(
          open.description == """
            id | name | done
            ---|------|-----
             1 | Shop |    0
            """)
      }
      try provider.closeSource()
    }
  }

  @Test func `shows the position of an error`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("[\n {\"name\": 1},\n {\"name\": 2} 3]", to: "towns.json")
    let provider = JSONProvider()
    var printed = ""
    func print(_ error: ProviderError) { printed = error.description }

    do {
      try provider.openSource(atPath: path)
    } catch let error as ProviderError where error.code == .malformed {
      print(error)  // …/towns.json:3:14: malformed: expected "," or "]"
    }
    #expect(printed == "\(path):3:14: malformed: expected \",\" or \"]\"")
  }

  @Test func `shows a file written by other programs`() throws {
    let folder = try TemporaryFolder()
    let text = #"[{"name": "Oslo", "at": {"lat": 59.9}}, {"name": "Rome", "at": {"lat": 41.9}}]"#
    let path = try folder.write(text, to: "towns.json")

    let towns = JSONProvider()
    try towns.openSource(atPath: path)  // [{"name": "Oslo", "at": {"lat": 59.9}}, …]
    let north = try towns.query(
      #"SELECT name FROM towns WHERE "at.lat" > ?"#, withParameters: [55])
    #expect(north.map(\.values) == [["Oslo"]])
    try towns.closeSource()
    try towns.openSource(at: URL(fileURLWithPath: path), readOnly: true)
    #expect(towns.isReadOnly)
  }

  @Test func `shows objects, transactions and copies`() throws {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    var eliot = Author()
    eliot.name = "George Eliot"
    eliot.books.append(Book(title: "Middlemarch", tags: ["novel"]))
    let key = try provider.save(eliot)  // also creates the tables
    let authors = try provider.getRows(
      ofType: Author.self, filteredBy: "name LIKE ?", withParameters: ["G%"])
    let plan = try provider.updateTableSchema(Author.self, dryRun: true)

    #expect(authors.map(\.books.storage[0].tags) == [["novel"]])
    #expect(key == 1)
    #expect(plan.isEmpty)

    try provider.execute(
      "CREATE TABLE Account (id INTEGER PRIMARY KEY, sum); INSERT INTO Account VALUES (1, 50), (2, 0)"
    )
    let other = SPONProvider()
    try other.createSourceInMemory()

    try provider.transaction { transaction in
      try transaction.execute("UPDATE Account SET sum = sum - 10 WHERE id = 1")
      try transaction.execute("UPDATE Account SET sum = sum + 10 WHERE id = 2")
    }
    let report = try DataTransfer().copy(from: provider, to: other)
    #expect(report.rowCount == 5)
    #expect(try other.query("SELECT sum FROM Account").map(\.values) == [[40], [10]])
  }
}

@Suite struct `The README on custom providers` {
  /// The rules of one topic: other tests of the contract run all.
  private enum ProviderConformance {
    typealias Candidate = Conformance.Candidate
    static let cases = Conformance.cases.filter { $0.topic == .opening }
  }

  private final class LogProvider: DataProvider {
    static let shared = LogProvider(directories: .standard)
    let session: SourceSession

    convenience init() { self.init(directories: .standard) }

    init(directories: SourceSession.Directories) {
      session = SourceSession(
        store: SourceSession.FileStore(format: DumpFormat()), directories: directories)
    }
  }

  @Test func `shows the rules for providers`() async throws {
    let candidate = ProviderConformance.Candidate(
      "LogProvider", fileExtension: "log", supporting: .file.subtracting(.blobs)
    ) { LogProvider(directories: $0) }
    for rule in ProviderConformance.cases { try await rule.run(on: candidate) }
  }
}

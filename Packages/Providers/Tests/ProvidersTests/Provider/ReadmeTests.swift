import Foundation
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

  @Test func `shows where a file is wrong, and what is in one that is not`() throws {
    let folder = try TemporaryFolder()
    let wrong = try folder.write("[\n {\"name\": 1},\n {\"name\": 2} 3]", to: "towns.json")
    let provider = JSONProvider()
    let error = #expect(throws: ProviderError.self) { try provider.openSource(atPath: wrong) }
    #expect(error?.code == .malformed)
    #expect(error?.description.hasPrefix("\(wrong):3:14: malformed: expected") == true)

    let text = #"[{"name": "Oslo", "at": {"lat": 59.9}}, {"name": "Rome", "at": {"lat": 41.9}}]"#
    let path = try folder.write(text, to: "towns.json")
    let towns = JSONProvider()
    try towns.openSource(atPath: URL(fileURLWithPath: path).path)
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
    let key = try provider.save(eliot)
    let authors = try provider.getRows(
      ofType: Author.self, filteredBy: "name LIKE ?", withParameters: ["G%"])
    #expect(authors.map(\.books.storage[0].tags) == [["novel"]])
    #expect(key == 1)
    let plan = try provider.updateTableSchema(Author.self, dryRun: true)
    #expect(plan.isEmpty)

    try provider.execute(
      "CREATE TABLE Account (id INTEGER PRIMARY KEY, sum); INSERT INTO Account VALUES (1, 50), (2, 0)"
    )
    try provider.transaction { transaction in
      try transaction.execute("UPDATE Account SET sum = sum - 10 WHERE id = 1")
      try transaction.execute("UPDATE Account SET sum = sum + 10 WHERE id = 2")
    }
    let other = SPONProvider()
    try other.createSourceInMemory()
    let report = try DataTransfer().copy(from: provider, to: other)
    #expect(report.rowCount == 5)
    #expect(try other.query("SELECT sum FROM Account").map(\.values) == [[40], [10]])
  }
}

import Providers
import SQLiteCore
import Testing

/// Objects in tables that were not created for them.
@Suite struct `Objects in ordinary tables` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Person: DataTable, Equatable {
    static let tableName = "people"
    static let primaryKeyType = DataTableKeyType.computedInt
    var id = 0
    var name = ""
  }

  /// The same rows, saved with others.
  struct Numbered: DataTable {
    static let tableName = "people"
    static let primaryKeyType = DataTableKeyType.autoIncrementingInt
    var id: Int?
    var name = ""
    var friend: Friend?
  }

  struct Friend: DataTable {
    static let primaryKeyType = DataTableKeyType.computedInt
    var id = 0
  }

  struct Post: DataTable, Equatable {
    static let tableName = "people_o"
    static let primaryKey = "x"
    var parent = 0
    var x = 0
  }

  private static let parents =
    #"[{"id":1,"name":"a","o":[{"x":1}]},{"id":7,"name":"b","o":[{"x":2}]},{"id":5,"name":"c"}]"#

  private func nested() throws -> JSONProvider {
    let provider = JSONProvider(options: JSONProvider.Options(nesting: .tables))
    try provider.openSource(atPath: folder.write(Self.parents, to: "people.json"))
    return provider
  }

  // MARK: Keys

  @Test(arguments: [
    "id INT PRIMARY KEY, name", "name, id INTEGER UNIQUE", "name, id INTEGER PRIMARY KEY DESC",
    "name TEXT, id INTEGER PRIMARY KEY) WITHOUT ROWID --", "\"ID\" INTEGER PRIMARY KEY, name",
    "row INTEGER PRIMARY KEY, name, id UNIQUE",
  ])
  func `get a unique key, regardless of the column's type`(_ columns: String) throws {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    try provider.execute(
      SQL(unsafe: "CREATE TABLE people (\(columns)\n, friend)".replacing("--\n, friend)", with: ""))
    )
    try provider.execute("INSERT INTO people (id, name) VALUES (9, 'z'), (2, 'a')")
    #expect(try provider.save(Person(name: "b")) == 10)
    #expect(
      try provider.save([Person(name: "c"), Person(id: 20, name: "d"), Person(name: "e")])
        == [11, 20, 21])
    #expect(
      try provider.getRows(ofType: Person.self, orderedBy: "id").map(\.id) == [
        2, 9, 10, 11, 20, 21,
      ])
    guard !columns.contains("WITHOUT") else { return }
    #expect(try provider.save(Numbered(name: "f", friend: Friend())) == 22)
    #expect(try provider.save([Numbered(name: "g"), Numbered(name: "h")]) == [23, 24])
    try provider.execute("DELETE FROM people")
    #expect(try provider.save(Numbered(name: "i")) == 1)
    #expect(try provider.getRows(ofType: Person.self).map(\.name) == ["i"])
    try provider.execute("INSERT INTO people (id) VALUES (9223372036854775807)")
    let error = #expect(throws: ProviderError.self) { try provider.save(Person()) }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `also have their keys in files`() throws {
    let csv = CSVProvider()
    try csv.openSource(atPath: folder.write("id,name\n2,a\n1,b\n", to: "people.csv"))
    #expect(try csv.save(Person(name: "c")) == 3)
    try csv.closeSource()
    #expect(try folder.text(of: "people.csv") == "id,name\n2,a\n1,b\n3,c\n")
    let json = try nested()
    #expect(try json.save(Person(name: "d")) == 8)
    try json.closeSource()
    #expect(
      try folder.text(of: "people.json")
        == Self.parents.dropLast() + #",{"id":8,"name":"d"}]"#)
  }

  // MARK: Changed tables

  @Test func `preserve the numbers of parent rows`() throws {
    let provider = try nested()
    let plan = try provider.updateTableSchema(Person.self, dryRun: true)
    #expect(plan.losses.isEmpty)
    try provider.updateTableSchema(Person.self)
    #expect(try provider.updateTableSchema(Person.self).isEmpty)
    try provider.save(Person(id: 7, name: "B"))
    #expect(try provider.save(Person(name: "d")) == 8)
    try provider.execute("DELETE FROM people WHERE id = 1")
    #expect(try provider.query("SELECT x FROM people_o").map { $0[0] } == [2])
    try provider.closeSource()
    #expect(
      try folder.text(of: "people.json")
        == #"[{"id":7,"name":"B","o":[{"x":2}]},{"id":5,"name":"c"},{"id":8,"name":"d"}]"#)
  }

  @Test func `preserve a row's parent`() throws {
    struct Whole: DataTable {
      static let tableName = "people_o"
      static let primaryKey = "x"
      var parent = 0
      var position: Int?
      var x = 0
    }
    let provider = try nested()
    let error = #expect(throws: ProviderError.self) { try provider.updateTableSchema(Post.self) }
    #expect(error?.code == .lossyChange)
    try provider.updateTableSchema(Whole.self)
    #expect(try provider.updateTableSchema(Whole.self).isEmpty)
    try provider.save(Whole(parent: 3, position: 0, x: 9))
    try provider.execute("DELETE FROM people WHERE id = 1")
    try provider.closeSource()
    #expect(
      try folder.text(of: "people.json")
        == #"[{"id":7,"name":"b","o":[{"x":2}]},{"id":5,"name":"c","o":[{"x":9}]}]"#)
  }

  struct Member: DataTable {
    static let primaryKeyType = DataTableKeyType.computedInt
    var id = 0
    var owner = 0
    var email = ""
    var count = 0
    var friend: Friend?
    var more = "m"
  }

  @Test func `keep constraints`() throws {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    try provider.execute(
      """
      CREATE TABLE Friend (id INTEGER PRIMARY KEY);
      CREATE TABLE Member (
        id INTEGER CONSTRAINT pk PRIMARY KEY, owner INTEGER NOT NULL REFERENCES Friend ON DELETE CASCADE,
        email TEXT NOT NULL COLLATE NOCASE UNIQUE ON CONFLICT IGNORE DEFAULT 'x',
        count INTEGER NOT NULL DEFAULT (1 + 1) CONSTRAINT some CHECK (count >= 0),
        friend INTEGER REFERENCES Friend (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
        gone TEXT CHECK (gone <> 'x'), CHECK (length(email) < 100), UNIQUE (owner, count),
        UNIQUE (gone, count));
      INSERT INTO Friend VALUES (1), (2);
      INSERT INTO Member VALUES (1, 1, 'a', 5, 2, 'g'), (2, 2, 'b', 5, 2, 'g2');
      """)
    let diff = try provider.updateTableSchema(Member.self, allowingLoss: true)
    #expect(diff.losses == [.column("gone", of: "Member")])
    #expect(try provider.updateTableSchema(Member.self).isEmpty)
    for (sql, code) in [
      (
        "INSERT INTO Member (owner, count, more) VALUES (9, 1, '')",
        SQLiteError.Code.constraintForeignKey
      ),
      ("UPDATE Member SET count = -1", .constraintCheck),
      ("UPDATE Member SET email = zeroblob(200)", .constraintCheck),
      ("INSERT INTO Member (owner, email, count, more) VALUES (1, 'c', 5, '')", .constraintUnique),
    ] {
      let error = #expect(throws: SQLiteError.self) { try provider.execute(SQL(unsafe: sql)) }
      #expect(error?.code == code)
    }
    #expect(
      try provider.execute("INSERT INTO Member (owner, email, more) VALUES (1, 'A', '')") == 0)
    try provider.execute("INSERT INTO Member (owner, more) VALUES (1, '')")
    try provider.execute("DELETE FROM Friend WHERE id = 2")
    #expect(
      try provider.query("SELECT id, owner, email, count, friend, more FROM Member").map {
        $0.description
      } == [
        "id: 1, owner: 1, email: 'a', count: 5, friend: NULL, more: 'm'",
        "id: 3, owner: 1, email: 'x', count: 2, friend: NULL, more: ''",
      ])
  }

  @Test func `keep a referenced primary key, and identify rows by the type's key`() throws {
    struct Entry: DataTable {
      static let primaryKeyColumns = ["a", "b"]
      var a = ""
      var b = ""
      var c: String?
    }
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    try provider.execute(
      """
      CREATE TABLE Entry (k TEXT, l INTEGER, a TEXT, b TEXT, PRIMARY KEY (l, k));
      CREATE TABLE u (x, y, FOREIGN KEY (x, y) REFERENCES Entry);
      INSERT INTO Entry VALUES ('k', 1, 'a', 'b'); INSERT INTO u VALUES (1, 'k');
      """)
    let diff = try provider.updateTableSchema(Entry.self)
    #expect(diff.losses.isEmpty)
    #expect(try provider.updateTableSchema(Entry.self).isEmpty)
    #expect(try provider.save(Entry(a: "a", b: "b", c: "c")) == ["a", "b"])
    #expect(
      try provider.query("SELECT * FROM Entry").map { $0.description }.first?.contains("'c'")
        == true)
    #expect(throws: SQLiteError.self) { try provider.execute("DELETE FROM Entry") }
  }
}

import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Regions` {
  static let update = ChangeSet(
    tables: ["Player": ChangeSet.TableChange(kinds: .update, updatedColumns: .some(["Score"]))])
  static let insert = ChangeSet(tables: ["player": ChangeSet.TableChange(kinds: .insert)])

  @Test func `of columns match an update of one of them, ignoring case`() {
    #expect(Region.columns("player", ["SCORE", "name"]).overlaps(Self.update))
    #expect(!Region.columns("player", ["name"]).overlaps(Self.update))
    #expect(!Region.columns("team", ["score"]).overlaps(Self.update))
  }

  @Test func `of columns match every inserted or deleted row`() {
    #expect(Region.columns("PLAYER", ["name"]).overlaps(Self.insert))
    #expect(Region.columns("player", []).overlaps(Self.insert))
    #expect(!Region.columns("player", []).overlaps(Self.update))
  }

  @Test func `of a table match any of its changes, and no other table's`() {
    #expect(Region.table("player").overlaps(Self.update))
    #expect(!Region.table("team").overlaps(Self.update))
    #expect(!Region.table(TableName(schema: "temp", "player")).overlaps(Self.update))
  }

  @Test func `of everything match all changes except empty ones`() {
    #expect(Region.everything.overlaps(Self.insert))
    #expect(!Region.everything.overlaps(ChangeSet()))
    #expect(!Region.nothing.overlaps(Self.insert))
  }

  @Test func `all match if the schema or anything may have changed`() {
    for changes in [ChangeSet(schemaChanged: true), ChangeSet(isUnbounded: true)] {
      #expect(Region.table("team").overlaps(changes))
      #expect(Region.columns("team", []).overlaps(changes))
      #expect(!Region.nothing.overlaps(changes))
    }
  }

  @Test func `form unions`() {
    let both = Region.columns("t", ["a"]).union(.columns("T", ["B"])).union(.table("u"))
    #expect(both == Region.table("U").union(.columns("t", ["A", "b"])))
    #expect(both.hashValue == Region.table("U").union(.columns("t", ["A", "b"])).hashValue)
    #expect(Region.columns("t", ["a"]).union(.table("t")) == .table("t"))
    #expect(Region.table("t").union(.everything) == .everything)
    #expect(Region.table("t").union(.nothing) == .table("t"))
    #expect(both.description == "t(B, a), u" || both.description == "t(a, B), u")
  }

  @Test func `can be narrowed to rows of their tables`() {
    let both = Region.columns("t", ["a"]).union(.table("u"))
    let one = Region.RowPredicate.column("b", equals: 1)
    #expect(
      both.narrowed(to: one, of: "T")
        == Region.rows(of: "t", where: one, reading: ["a"]).union(.table("u")))
    #expect(both.narrowed(to: one, of: "w") == both)
    #expect(Region.everything.narrowed(to: one, of: "t") == .everything)
    let other = Region.RowPredicate.isNull("c")
    #expect(
      Region.table("t").narrowed(to: one, of: "t").narrowed(to: other, of: "t")
        == .rows(of: "t", where: one && other))
  }

  @Test(arguments: [
    ("SELECT a FROM t WHERE b > 1", Region.columns("t", ["a", "b"])),
    ("SELECT count(*) FROM t", .columns("t", [])),
    ("SELECT a FROM v", .columns("t", ["a", "b"]).union(.columns("v", ["a"]))),
    (
      "SELECT t.a FROM t JOIN u ON u.x = t.b",
      .columns("t", ["a", "b"]).union(.columns("u", ["x"]))
    ),
    (
      "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)",
      .columns("t", ["a"]).union(.columns("u", []))
    ),
    ("SELECT 1", .nothing),
    ("SELECT seq FROM sqlite_sequence", .everything),
    ("SELECT name FROM sqlite_master", .everything),
  ])
  func `are determined by SQLite's compiler`(_ sql: String, _ expected: Region) throws {
    let connection = try Connection.inMemory()
    try connection.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a, b); CREATE TABLE u (x);
      CREATE VIEW v AS SELECT a FROM t WHERE b;
      """)
    #expect(Region(try connection.prepare(SQL(unsafe: sql)).access) == expected)
  }
}

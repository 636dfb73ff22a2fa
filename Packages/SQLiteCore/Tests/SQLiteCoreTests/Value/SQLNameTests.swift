import SQLiteCore
import Testing

@Suite struct `Names` {
  struct Pair: CustomTestStringConvertible, Sendable {
    let a: String, b: String, areOne: Bool

    var testDescription: String { "\(a), \(b)" }
  }

  static let pairs = [
    Pair(a: "player", b: "PLAYER", areOne: true),
    Pair(a: "aZ", b: "Az", areOne: true),
    Pair(a: "é", b: "É", areOne: false),
    Pair(a: "é", b: "e\u{301}", areOne: false),
    Pair(a: "É1", b: "É1", areOne: true),
    Pair(a: "@", b: "`", areOne: false),
    Pair(a: "[", b: "{", areOne: false),
    Pair(a: "a", b: "ab", areOne: false),
    Pair(a: "k", b: "\u{212A}", areOne: false),
  ]

  @Test(arguments: pairs)
  func `are equal if they are equal in SQLite`(_ pair: Pair) throws {
    let (a, b) = (pair.a, pair.b)
    #expect(SQLName.isSame(a, b) == pair.areOne)
    #expect(SQLName.isSame(b, a) == pair.areOne)
    #expect(SQLName.folded(a).utf8.elementsEqual(SQLName.folded(b).utf8) == pair.areOne)
    #expect(hash(a) == hash(b) || !pair.areOne)
    let db = try Connection.inMemory()
    try db.execute("CREATE TABLE \(identifier: a) (x)")
    try db.execute("CREATE TABLE IF NOT EXISTS \(identifier: b) (x)")
    let count = try db.value(Int.self, "SELECT count(*) FROM sqlite_schema")
    #expect(count == (pair.areOne ? 1 : 2))
  }

  private func hash(_ name: String) -> Int {
    var hasher = Hasher()
    SQLName.hash(name, into: &hasher)
    return hasher.finalize()
  }
}

import Foundation
import SQLiteCore
import Testing

@Suite(.needs(.sessions)) struct `A changeset` {
  private static let everything = """
    CREATE TABLE v (id INTEGER PRIMARY KEY, a, b, c, d, e);
    INSERT INTO v VALUES (1, 9223372036854775807, -1.5, 'Grüße', x'00ff', NULL);
    """

  @Test func `contains every kind of value`() throws {
    let changeset = try recorded("DELETE FROM v", schema: Self.everything)
    let change = try #require(Array(changeset.changes).first)
    let old: [SQLiteValue?] = [1, .integer(.max), -1.5, "Grüße", .blob([0, 0xff]), .some(.null)]
    #expect(change.oldValues == old)
    #expect(change.newValues == [nil, nil, nil, nil, nil, nil])
    #expect(change.columnCount == 6)
    #expect(change.primaryKey == [true, false, false, false, false, false])
  }

  @Test func `can be stored and compared`() throws {
    let changeset = try recorded("DELETE FROM t")
    let copy = try Changeset(bytes: changeset.bytes)
    #expect(copy == changeset)
    #expect(Set([copy, changeset]).count == 1)
    #expect(Changeset.empty.isEmpty)
    #expect(try Changeset(bytes: []) == .empty)
    #expect(Array(Changeset.empty.changes).isEmpty)
  }

  @Test func `inverted twice is unchanged`() throws {
    let changeset = try recorded(
      "DELETE FROM t WHERE id = 1; UPDATE t SET a = 5; INSERT INTO t VALUES (7, 7)")
    let inverse = try changeset.inverted()
    #expect(
      described(inverse).sorted() == [
        "delete t (7→-, 7→-)", "insert t (-→1, -→'one')", "update t (2→-, 5→'two')",
      ])
    #expect(try inverse.inverted() == changeset)
    #expect(try Changeset.empty.inverted() == .empty)
    let patchset = try recorded("DELETE FROM t", asPatchset: true)
    let error = #expect(throws: SQLiteError.self) { try patchset.inverted() }
    #expect(error?.code == .misuse)
  }

  @Test func `concatenated with the next has the effect of both`() throws {
    let one = try recorded("UPDATE t SET a = 'x' WHERE id = 1; INSERT INTO t VALUES (3, 3)")
    let two = try recorded(
      "UPDATE t SET a = 'y' WHERE id = 1; DELETE FROM t WHERE id = 3",
      schema: "\(pairs); UPDATE t SET a = 'x' WHERE id = 1; INSERT INTO t VALUES (3, 3)")
    let both = try one.concatenated(with: two)
    #expect(described(both) == ["update t (1→-, 'one'→'y')"])
    #expect(try Changeset.joined([]) == .empty)
    #expect(try Changeset.joined([.empty, one, .empty]).changes.map(\.key).count == 2)
    #expect(try one.concatenated(with: one.inverted()) == .empty)
  }

  @Test func `is not concatenated with one that does not fit`() throws {
    let changeset = try recorded("DELETE FROM t")
    let patchset = try recorded("DELETE FROM t", asPatchset: true)
    let mixed = #expect(throws: SQLiteError.self) { try changeset.concatenated(with: patchset) }
    #expect(mixed?.code == .misuse)
    let other = try recorded(
      "INSERT INTO t VALUES (8, 8, 8)", schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
    let error = #expect(throws: SQLiteError.self) { try changeset.concatenated(with: other) }
    #expect(error?.code == .schema)
  }

  @Test func `is rebased on another that was applied first`() throws {
    let local = try recorded(
      "UPDATE t SET a = 'mine' WHERE id = 1; UPDATE t SET a = 'mine too' WHERE id = 2")
    let remote = try recorded("UPDATE t SET a = 'theirs' WHERE id = 1")
    // Here both changes are applied, and the remote one wins a conflict.
    let here = try memory(
      "\(unsafe: pairs); UPDATE t SET a = 'mine' WHERE id = 1; UPDATE t SET a = 'mine too' WHERE id = 2"
    )
    let rebase = try here.apply(remote) { _ in .replace }
    #expect(!rebase.isEmpty)
    #expect(try Changeset.RebaseData(bytes: rebase.bytes) == rebase)
    // There only the remote change is applied: the rebased changeset makes the result equal.
    let there = try memory("\(unsafe: pairs); UPDATE t SET a = 'theirs' WHERE id = 1")
    let rebased = try local.rebased(on: [rebase])
    try there.apply(rebased) { _ in .abort }
    let sql = "SELECT id, a FROM t ORDER BY id"
    #expect(try there.rows(SQL(unsafe: sql)) == here.rows(SQL(unsafe: sql)))
    #expect(try there.rows(SQL(unsafe: sql)) == [[1, "theirs"], [2, "mine too"]])
    #expect(try local.rebased(on: []) == local)
    #expect(try Changeset.empty.rebased(on: [rebase]) == .empty)
  }

  @Test(
    arguments: [
      [0], [0x54], [0x54, 1], [0x54, 1, 0], [0x54, 1, 0, 0x74, 0], [0x54, 1, 1, 0x74],
      [0x54, 0, 0x74, 0], [0x54, 0xff, 0xff, 0xff, 0xff, 0x7f, 1],
      // One column: an invalid operation, an insert without a value, a truncated value.
      [0x54, 1, 1, 0x74, 0, 1, 0, 5], [0x54, 1, 1, 0x74, 0, 18, 0, 0],
      [0x54, 1, 1, 0x74, 0, 18, 0, 1, 0, 0], [0x54, 1, 1, 0x74, 0, 18, 0, 3, 0x7f, 1],
      [0x54, 1, 1, 0x74, 0, 18, 0, 3, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
      [0x54, 1, 1, 0x74, 0, 18, 0, 6],
      [0x54, 1, 1, 0x74, 0, 18, 2, 5], [0x54, 1, 1, 0x74, 0, 18, 0],
      // An update without a key, an update with a new key, and a patchset after a changeset.
      [0x54, 1, 1, 0x74, 0, 23, 0, 0, 0], [0x54, 1, 1, 0x74, 0, 23, 0, 5, 5],
      [0x54, 1, 1, 0x74, 0, 18, 0, 5, 0x50, 1, 1, 0x74, 0, 18, 0, 5],
    ] as [[UInt8]])
  func `of invalid bytes is refused`(_ bytes: [UInt8]) throws {
    let error = #expect(throws: SQLiteError.self) { try Changeset(bytes: bytes) }
    #expect(error?.code == .invalidChangeset)
    guard bytes.first != 0x54 || bytes.count < 8 else { return }
    #expect(throws: SQLiteError.self) { try Changeset.RebaseData(bytes: bytes) }
  }

  @Test(arguments: [true, false])
  func `that is truncated at any byte is refused`(_ asPatchset: Bool) throws {
    let bytes = try recorded("DELETE FROM v", schema: Self.everything, asPatchset: asPatchset).bytes
    // SQLite also accepts a table without changes.
    for length in 1..<bytes.count where length != 10 {
      let error = #expect(throws: SQLiteError.self) {
        try Changeset(bytes: Array(bytes.prefix(length)))
      }
      #expect(error?.code == .invalidChangeset)
    }
  }

  @Test func `can contain any number of tables without changes`() throws {
    let table: [UInt8] = [UInt8(ascii: "T"), 1, 1, 0]
    let changeset = try Changeset(bytes: Array(repeatElement(table, count: 200_000).joined()))
    #expect(described(changeset) == [])
  }

  @Test func `with flipped bits is an error or a changeset, and never a crash`() throws {
    let seed: UInt64 = 20_231_231
    let isThorough = ProcessInfo.processInfo.environment["HOLT_FAULTS"] == "all"
    var random = SeededGenerator(seed: seed)
    let script =
      "DELETE FROM v; INSERT INTO v VALUES (2, 1, 2, 'three', x'04', NULL), (3, 'a', 'b', 'c', 'd', 'e'); "
      + "UPDATE w SET b = 'new' WHERE a = 1; DELETE FROM w WHERE a = 2"
    let schema =
      "\(Self.everything) CREATE TABLE w (a, b, PRIMARY KEY (a, b)); INSERT INTO w VALUES (1, 2), (2, 2)"
    let originals = [
      try recorded(script, schema: schema), try recorded(script, schema: schema, asPatchset: true),
    ]
    let rebase = try memory("\(unsafe: schema); DELETE FROM v").apply(originals[0]) { _ in .omit }
    let db = try memory(SQL(unsafe: schema))
    var refusals = 0
    for round in 0..<(isThorough ? 40_000 : 300) {
      let original = originals[round % 2]
      var bytes = original.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      guard let changeset = try? Changeset(bytes: bytes) else {
        refusals += 1
        continue
      }
      _ = Array(changeset.changes)
      _ = try? changeset.inverted()
      _ = try? changeset.concatenated(with: original)
      _ = try? original.concatenated(with: changeset)
      _ = try? changeset.rebased(on: [rebase])
      if let damaged = try? Changeset.RebaseData(bytes: bytes) {
        _ = try? original.rebased(on: [damaged])
      }
      try db.execute("BEGIN")
      _ = try? db.apply(changeset) { conflict in
        _ = conflict.change
        return conflict.kind == .data || conflict.kind == .primaryKey ? .replace : .omit
      }
      try db.execute("ROLLBACK")
    }
    #expect(refusals > 50, "seed \(seed)")
    #expect(try db.count("v") == 1)
    #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok")
  }
}

import SQLiteCore
import Testing

/// The changes of `script` in a database that `schema` created.
func recorded(_ script: String, schema: String = pairs, asPatchset: Bool = false) throws
  -> Changeset
{
  let db = try memory(SQL(unsafe: schema))
  let session = try db.session()
  try session.attachAll()
  try db.execute(SQL(unsafe: script))
  return asPatchset ? try session.patchset() : try session.changeset()
}

@Suite(.needs(.sessions)) struct `Applying a changeset` {
  private static let script =
    "INSERT INTO t VALUES (3, 'three'); UPDATE t SET a = 'eins' WHERE id = 1; DELETE FROM t WHERE id = 2"

  private func rows(_ db: Connection) throws -> [[SQLiteValue]] {
    try db.rows("SELECT id, a FROM t ORDER BY id")
  }

  @Test(arguments: [true, false])
  func `makes its changes in another database`(_ asPatchset: Bool) throws {
    let changeset = try recorded(Self.script, asPatchset: asPatchset)
    let db = try memory(SQL(unsafe: pairs))
    let rebase = try db.apply(changeset) { _ in .abort }
    #expect(try rows(db) == [[1, "eins"], [3, "three"]])
    #expect(rebase.isEmpty)
    #expect(!db.isInTransaction)
    #expect(try db.apply(.empty) { _ in .abort }.isEmpty)
  }

  @Test func `inverted undoes them`() throws {
    let changeset = try recorded(Self.script)
    let db = try memory("\(unsafe: pairs); \(unsafe: Self.script)")
    try db.apply(changeset, options: .inverted) { _ in .abort }
    #expect(try rows(db) == [[1, "one"], [2, "two"]])
    try db.apply(changeset) { _ in .abort }
    try db.apply(try changeset.inverted()) { _ in .abort }
    #expect(try rows(db) == [[1, "one"], [2, "two"]])
  }

  @Test func `skips excluded tables, and tables that do not fit`() throws {
    let schema =
      "\(pairs); CREATE TABLE u (id INTEGER PRIMARY KEY); CREATE TABLE gone (id PRIMARY KEY)"
    let changeset = try recorded(
      "DELETE FROM t; INSERT INTO u VALUES (1); INSERT INTO gone VALUES (1)", schema: schema)
    let db = try memory("\(unsafe: pairs); CREATE TABLE u (id INTEGER PRIMARY KEY)")
    try db.apply(changeset, tables: { $0 != "t" }) { _ in .abort }
    #expect(try db.count("t") == 2)
    #expect(try db.count("u") == 1)
  }

  struct Conflict: CustomTestStringConvertible, Sendable {
    let name: String
    let theirs: String
    let ours: String
    let kind: Changeset.Conflict.Kind
    var change: String
    var row: [SQLiteValue] = []
    /// The results of omitting the change, and of replacing the row if that is possible.
    let omitted: [[SQLiteValue]]
    var replaced: [[SQLiteValue]]?
    var testDescription: String { name }
  }

  static let conflicts = [
    Conflict(
      name: "an update of a row that differs", theirs: "UPDATE t SET a = 'x' WHERE id = 1",
      ours: "UPDATE t SET a = 'y' WHERE id = 1", kind: .data, change: "update t (1→-, 'one'→'x')",
      row: [1, "y"], omitted: [[1, "y"], [2, "two"]], replaced: [[1, "x"], [2, "two"]]),
    Conflict(
      name: "a delete of a row that differs", theirs: "DELETE FROM t WHERE id = 1",
      ours: "UPDATE t SET a = 'y' WHERE id = 1", kind: .data, change: "delete t (1→-, 'one'→-)",
      row: [1, "y"], omitted: [[1, "y"], [2, "two"]], replaced: [[2, "two"]]),
    Conflict(
      name: "an update of a row that is gone", theirs: "UPDATE t SET a = 'x' WHERE id = 1",
      ours: "DELETE FROM t WHERE id = 1", kind: .notFound, change: "update t (1→-, 'one'→'x')",
      omitted: [[2, "two"]]),
    Conflict(
      name: "an insert of a key that is taken", theirs: "INSERT INTO t VALUES (3, 'x')",
      ours: "INSERT INTO t VALUES (3, 'y')", kind: .primaryKey, change: "insert t (-→3, -→'x')",
      row: [3, "y"], omitted: [[1, "one"], [2, "two"], [3, "y"]],
      replaced: [[1, "one"], [2, "two"], [3, "x"]]),
    Conflict(
      name: "a constraint", theirs: "INSERT INTO t VALUES (3, 'taken')",
      ours: "INSERT INTO t VALUES (4, 'taken'); CREATE UNIQUE INDEX i ON t (a)", kind: .constraint,
      change: "insert t (-→3, -→'taken')",
      omitted: [[1, "one"], [2, "two"], [4, "taken"]]),
  ]

  @Test(arguments: conflicts) func `reports each conflict`(_ conflict: Conflict) throws {
    let changeset = try recorded(conflict.theirs)
    for resolution in [Changeset.Conflict.Resolution.omit, .replace, .abort] {
      let db = try memory("\(unsafe: pairs); \(unsafe: conflict.ours)")
      let before = try rows(db)
      var (count, change): (Int, Changeset.Change?) = (0, nil)
      let result = Result {
        try db.apply(changeset) { met in
          count += 1
          change = met.change
          let (kind, row) = (met.kind, met.conflictingRow)
          #expect(kind == conflict.kind)
          #expect(row == conflict.row)
          return resolution
        }
      }
      #expect(count == 1)
      #expect(change.map { described($0) } == conflict.change)
      #expect(change == Array(changeset.changes).first)
      #expect(!db.isInTransaction)
      switch (resolution, conflict.replaced) {
      case (.omit, _):
        _ = try result.get()
        #expect(try rows(db) == conflict.omitted)
      case (.replace, let replaced?):
        #expect(try result.get().isEmpty == false)
        #expect(try rows(db) == replaced)
      case (.replace, nil), (.abort, _):
        let error = #expect(throws: SQLiteError.self) { try result.get() }
        #expect(error?.code == (resolution == .abort ? .abort : .misuse))
        #expect(try rows(db) == before)
      }
    }
  }

  @Test func `reports foreign key violations at the end`() throws {
    let schema = """
      CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p);
      """
    let changeset = try recorded("INSERT INTO c VALUES (1, 1), (2, 1)", schema: schema)
    for resolution in [Changeset.Conflict.Resolution.omit, .abort] {
      let db = try memory(SQL(unsafe: schema))
      // In a separate transaction the commit would detect them, regardless of the resolution.
      try db.execute("DELETE FROM p; BEGIN; PRAGMA defer_foreign_keys = 1")
      let result = Result {
        try db.apply(changeset) { conflict in
          let (kind, change, row) = (conflict.kind, conflict.change, conflict.conflictingRow)
          #expect(kind == .foreignKeys)
          #expect(change == nil)
          #expect(row == [])
          return resolution
        }
      }
      if resolution == .abort {
        let error = #expect(throws: SQLiteError.self) { try result.get() }
        #expect(error?.code == .abort || error?.code.primary == .constraint)
        #expect(try db.count("c") == 0)
      } else {
        _ = try result.get()
        #expect(try db.count("c") == 2)
      }
      try db.execute("ROLLBACK")
    }
  }

  @Test func `rethrows the caller's error, and rolls everything back`() throws {
    let changeset = try recorded(Self.script)
    let db = try memory("\(unsafe: pairs); UPDATE t SET a = 'other' WHERE id = 2")
    let recorder = Recorder()
    try db.hooks.add(recorder)
    #expect(throws: Failure()) { try db.apply(changeset) { _ in throw Failure() } }
    #expect(try rows(db) == [[1, "one"], [2, "other"]])
    #expect(recorder.take().last == "didRollback")
    try db.transaction { () throws in
      _ = recorder.take()
      #expect(throws: Failure()) { try db.apply(changeset) { _ in throw Failure() } }
      #expect(try rows(db) == [[1, "one"], [2, "other"]])
      #expect(recorder.take().suffix(3) == ["failed", "rollback holt", "release holt"])
    }
  }

  @Test func `notifies observers that reported changes may be undone after conflicts`() throws {
    let changeset = try recorded("INSERT INTO t VALUES (3, 'x'), (4, 'y')")
    let db = try memory("\(unsafe: pairs); INSERT INTO t VALUES (3, 'z')")
    let recorder = Recorder()
    try db.hooks.add(recorder)
    try db.apply(changeset) { _ in .omit }
    let events = recorder.take()
    #expect(events.contains("insert t 0→4"))
    #expect(events.suffix(3) == ["failed", "willCommit", "didCommit"])
  }

  @Test func `is rolled back by a veto`() throws {
    let changeset = try recorded(Self.script)
    let db = try memory(SQL(unsafe: pairs))
    let recorder = Recorder()
    recorder.veto = Failure(name: "no")
    try db.hooks.add(recorder)
    #expect(throws: Failure(name: "no")) { try db.apply(changeset) { _ in .abort } }
    #expect(try rows(db) == [[1, "one"], [2, "two"]])
  }

  @Test func `requires a newer SQLite to ignore changes that are already made`() throws {
    let changeset = try recorded("DELETE FROM t")
    let db = try memory("\(unsafe: pairs); DELETE FROM t")
    let result = Result {
      try db.apply(changeset, options: .ignoringNoOps) { _ in .abort }
    }
    if try db.value(
      Bool.self, "SELECT sqlite_version() LIKE '3.3_._' OR sqlite_version() LIKE '3.40._'") == true
    {
      let error = #expect(throws: SQLiteError.self) { try result.get() }
      #expect(error?.code == .unsupported)
    } else {
      _ = try result.get()
    }
  }

  @Test func `is refused on a closed connection, and on a read-only one`() throws {
    let changeset = try recorded(Self.script)
    let directory = try TemporaryDirectory()
    try directory.connect().execute(SQL(unsafe: pairs))
    let reader = try directory.connect { $0.isReadOnly = true }
    let refused = #expect(throws: SQLiteError.self) { try reader.apply(changeset) { _ in .abort } }
    #expect(refused?.code == .readOnly)
    try reader.close()
    for changeset in [changeset, .empty] {
      let error = #expect(throws: SQLiteError.self) { try reader.apply(changeset) { _ in .abort } }
      #expect(error?.code == .closed)
    }
  }
}

import SQLiteCore

/// Records row changes.
final class Counter: TransactionObserver {
  var changes: [String] = []

  func willChange(_ change: borrowing Hooks.RowChange) {
    changes.append("\(change.kind) \(change.newValue(at: 1).map { "\($0)" } ?? "-")")
  }
}

func expect(_ condition: Bool, _ what: String) throws {
  guard condition else { throw SQLiteError(code: .internalError, message: what) }
  print("ok: \(what)")
}

for feature in [SQLiteLibrary.Feature.preupdateHook, .sessions, .errorOffset] {
  try expect(SQLiteLibrary.supports(feature), "SQLite \(SQLiteLibrary.version) has \(feature)")
}
let connection = try Connection.inMemory()
try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")

let counter = Counter()
try connection.hooks.add(counter)
let session = try connection.session()
try session.attachAll()
try connection.run("INSERT INTO t (a) VALUES (?)", 5)
try expect(counter.changes == ["insert 5"], "the preupdate hook reports a row")
let changeset = try session.changeset()
let other = try Connection.inMemory()
try other.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
try other.apply(changeset) { _ in .abort }
try expect(
  try other.value(Int.self, "SELECT a FROM t") == 5, "a session's changeset is applied elsewhere")

do {
  _ = try connection.prepare("SELECT nope FROM t")
  try expect(false, "an unknown column is an error")
} catch let error as SQLiteError where error.code == .error {
  try expect(error.offset == SQLiteError.ByteOffset(rawValue: 7), "an error has its offset")
}

import SQLiteCore
import Testing

@Suite struct `The affinity of a column` {
  struct Case: CustomTestStringConvertible, Sendable {
    let declaredType: String
    let affinity: ColumnAffinity
    var isStrict = false
    var testDescription: String { isStrict ? "\(declaredType), strict" : declaredType }
  }

  /// The content of a column after the text `'12'` and the number `12` were stored in it.
  private func stored(_ affinity: ColumnAffinity) -> [String] {
    switch affinity {
    case .integer, .numeric: ["integer", "integer"]
    case .real: ["real", "real"]
    case .text: ["text", "text"]
    case .blob: ["text", "integer"]
    }
  }

  @Test(arguments: [
    Case(declaredType: "INTEGER", affinity: .integer),
    Case(declaredType: "unsigned big int", affinity: .integer),
    Case(declaredType: "CHARINT", affinity: .integer),
    Case(declaredType: "FLOATING POINT", affinity: .integer),
    Case(declaredType: "VARCHAR(20)", affinity: .text),
    Case(declaredType: "Clob", affinity: .text),
    Case(declaredType: "TEXTBLOB", affinity: .text),
    Case(declaredType: "", affinity: .blob),
    Case(declaredType: "blob", affinity: .blob),
    Case(declaredType: "REALBLOB", affinity: .blob),
    Case(declaredType: "REAL", affinity: .real),
    Case(declaredType: "double precision", affinity: .real),
    Case(declaredType: "Float", affinity: .real),
    Case(declaredType: "DECIMAL(10,5)", affinity: .numeric),
    Case(declaredType: "STRING", affinity: .numeric),
    Case(declaredType: "ANY", affinity: .numeric),
    Case(declaredType: "ANY", affinity: .blob, isStrict: true),
  ])
  func `is determined by its type as in SQLite`(_ expected: Case) throws {
    let affinity = ColumnAffinity(
      declaredType: expected.declaredType, isStrict: expected.isStrict)
    #expect(affinity == expected.affinity)
    let db = try Connection.inMemory()
    try db.execute(
      "CREATE TABLE t (c \(unsafe: expected.declaredType)) \(unsafe: expected.isStrict ? "STRICT" : "")"
    )
    try db.execute("INSERT INTO t VALUES ('12'), (12)")
    let types = try db.values(String.self, "SELECT typeof(c) FROM t ORDER BY rowid")
    #expect(types == stored(affinity))
  }
}

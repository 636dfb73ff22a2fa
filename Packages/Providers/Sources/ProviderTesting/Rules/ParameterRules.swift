internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  private static let bound: [(String, @Sendable () -> (any SQLiteBindable)?, SQLiteValue)] = [
    ("an Int", { 42 }, 42), ("a negative Int", { -1 }, -1),
    ("3_000_000_000", { 3_000_000_000 }, 3_000_000_000),
    ("an Int64", { Int64(5) }, 5), ("the largest Int64", { Int64.max }, .integer(.max)),
    ("the smallest Int64", { Int64.min }, .integer(.min)), ("an Int32", { Int32(7) }, 7),
    ("an Int8", { Int8(-8) }, -8), ("a UInt8", { UInt8(200) }, 200),
    ("a UInt32", { UInt32.max }, 4_294_967_295),
    ("a Double", { 2.5 }, 2.5), ("a Double without a fraction", { 3.0 }, 3.0),
    ("a Float", { Float(1.5) }, 1.5), ("infinity", { Double.infinity }, .real(.infinity)),
    ("what is not a number", { Double.nan }, nil), ("true", { true }, 1), ("false", { false }, 0),
    ("a text", { "it's" }, "it's"), ("an empty text", { "" }, ""),
    ("a text with a zero byte", { "a\0b" }, "a\0b"),
    ("a substring", { "abc".dropFirst() }, "bc"),
    ("bytes", { [UInt8]([0, 255, 1]) }, .blob([0, 255, 1])),
    ("no bytes", { [UInt8]() }, .blob([])), ("Data", { sampleData }, .blob([0, 255, 1])),
    ("nil", { nil }, nil), ("a nil of a type", { Int?.none }, nil), ("an optional", { Int?(3) }, 3),
    ("a value", { SQLiteValue.text("x") }, "x"),
    ("a value that is NULL", { SQLiteValue.null }, nil),
  ]

  static let parameterCases: [Case] =
    bound.map { name, value, expected in
      rule(.parameters, "\(name) is bound unchanged") { subject in
        let provider = try subject.opened("CREATE TABLE t (a)")
        try provider.execute("INSERT INTO t VALUES (?)", withParameters: [value()])
        try subject.expectRows(provider, "SELECT a FROM t", [[expected]])
        try subject.expect(
          subject.rows(provider, "SELECT ?1", [value()]), [[expected]], "a query of it")
      }
    } + numberCases + placeCases

  private static let numberCases: [Case] = [
    rule(.parameters, "too few values are refused without effect") { subject in
      let provider = try subject.providerWithRows()
      for (sql, values) in [
        ("DELETE FROM t WHERE id = ?", []), ("UPDATE t SET name = ? WHERE id = ?", ["x"]),
        ("INSERT INTO t VALUES (?, ?)", [7]),
      ] as [(String, [(any SQLiteBindable)?])] {
        try subject.expectSQLiteError(.parameterCount, doing: sql) {
          try provider.execute(SQL(unsafe: sql), withParameters: values)
        }
      }
      try subject.expectSQLiteError(.parameterCount, doing: "a query") {
        _ = try provider.query("SELECT * FROM t WHERE id = ?")
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.parameters, "too many values are refused without effect") { subject in
      let provider = try subject.providerWithRows()
      for (sql, values) in [
        ("DELETE FROM t WHERE id = ?", [1, 2]), ("DELETE FROM t", [1]), ("DROP TABLE t", [nil]),
      ] as [(String, [(any SQLiteBindable)?])] {
        try subject.expectSQLiteError(.parameterCount, doing: sql) {
          try provider.execute(SQL(unsafe: sql), withParameters: values)
        }
      }
      try subject.expectSQLiteError(.parameterCount, doing: "a query") {
        _ = try provider.query("SELECT * FROM t", withParameters: [1])
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
  ]

  private static let placeCases: [Case] = [
    rule(.parameters, "are used in order by several statements") { subject in
      let provider = try subject.providerWithRows()
      try provider.execute(
        "UPDATE t SET name = ? WHERE id = ?; INSERT INTO t VALUES (?, ?); DELETE FROM t WHERE id = ?",
        withParameters: ["Rye", 2, 3, "Salt", 1])
      try subject.expectRows(provider, "SELECT * FROM t", [[2, "Rye"], [3, "Salt"]])
    },
    rule(.parameters, "can have numbers") { subject in
      let provider = try subject.opened()
      try subject.expect(
        subject.rows(provider, "SELECT ?2, ?1, ?2", ["a", "b"]), [["b", "a", "b"]], "the row")
    },
    rule(.parameters, "can have names, and are used in order") { subject in
      let provider = try subject.opened()
      try subject.expect(
        subject.rows(provider, "SELECT :a, @b, $c, :a", [1, 2, 3]), [[1, 2, 3, 1]], "the row")
    },
    rule(.parameters, "do not occur in texts, comments or names") { subject in
      let provider = try subject.opened("CREATE TABLE t (\"?\" TEXT)")
      try provider.execute("INSERT INTO t VALUES ('?') -- ?\n/* ? */")
      try subject.expect(
        subject.rows(provider, "SELECT '?', \"?\", ? FROM t", ["x"]), [["?", "?", "x"]], "the row")
    },
    rule(.parameters, "are values, regardless of their content") { subject in
      let provider = try subject.providerWithRows()
      for text in ["'; DROP TABLE t; --", "?", "NULL", "x' OR '1'='1", "$1", "%s", "name"] {
        try provider.execute("UPDATE t SET name = ? WHERE id = 1", withParameters: [text])
        try subject.expect(
          subject.rows(provider, "SELECT id FROM t WHERE name = ?", [text]), [[1]],
          "the rows of \(text)")
      }
      try subject.expectValue(provider, "SELECT count(*) FROM t", 2)
    },
    rule(.parameters, "a date and a UUID are read back unchanged") { subject in
      let provider = try subject.opened("CREATE TABLE t (a, b)")
      try provider.execute("INSERT INTO t VALUES (?, ?)", withParameters: [sampleDate, sampleUUID])
      try subject.expect(
        provider.countRows(
          inTable: "t", filteredBy: "a = ? AND b = ?", withParameters: [sampleDate, sampleUUID]),
        1, "the rows that have them")
    },
    rule(.parameters, "can be many") { subject in
      let provider = try subject.opened()
      let marks = Array(repeating: "?", count: 500).joined(separator: " + ")
      try subject.expect(
        subject.rows(provider, "SELECT \(unsafe: marks)", Array(1...500)), [[125_250]], "the sum")
    },
  ]
}

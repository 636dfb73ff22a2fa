internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  /// Checks a value that is stored in a column with a declared type, next to NULL, and read after
  /// reopening.
  private static func kept(
    _ topic: Topic, _ name: String, _ type: String, _ value: SQLiteValue,
    needs: Capabilities = []
  ) -> Case {
    rule(topic, "\(name) is preserved", needs: needs) { subject in
      let provider = try subject.opened("CREATE TABLE t (id INTEGER PRIMARY KEY, v \(type))")
      try provider.execute(
        "INSERT INTO t VALUES (1, ?), (2, NULL), (3, ?)", withParameters: [value, value])
      let rows: [[SQLiteValue]] = [[1, value], [2, nil], [3, value]]
      try subject.expectRows(provider, "SELECT id, v FROM t", rows)
      let reopened = try subject.reopened(provider)
      try subject.expectRows(reopened, "SELECT id, v FROM t", rows)
      // Content that was read must also be written correctly.
      try reopened.execute("UPDATE t SET id = 4 WHERE id = 2")
      try subject.expectRows(
        subject.reopened(reopened), "SELECT id, v FROM t", [[1, value], [3, value], [4, nil]])
    }
  }

  private static let integers: [(Int64, Capabilities)] = [
    (0, []), (1, []), (-1, []), (127, []), (-32_768, []), (2_147_483_647, []), (3_000_000_000, []),
    (-3_000_000_000, []), (1 << 53, []), (-(1 << 53), []), (1 << 53 + 1, .largeIntegers),
    (-(1 << 53) - 1, .largeIntegers), (.max, .largeIntegers), (.min, .largeIntegers),
    (.max - 1, .largeIntegers),
  ]

  private static let reals: [(Double, Capabilities)] = [
    (0.5, []), (-1.5, []), (0.1, []), (1.0 / 3, []), (0.123_456_789_012_3, []), (1e300, []),
    (-1e-300, []), (.leastNonzeroMagnitude, []), (1.797_693_134_862_315_7e308, []),
    (12.0, .declaredTypes),
    (0.0, .declaredTypes), (1e15, .declaredTypes), (1e22, .declaredTypes),
    (9_007_199_254_740_992, .declaredTypes), (.infinity, .infinities), (-.infinity, .infinities),
  ]

  static let valueCases: [Case] =
    integers.map { kept(.values, "the integer \($0)", "INTEGER", .integer($0), needs: $1) }
    + reals.map { kept(.values, "the real \($0)", "REAL", .real($0), needs: $1) }
    + [0, 1, 255, 256, 65_536].map { count in
      kept(
        .values, "a blob of \(count) bytes", "BLOB",
        .blob((0..<count).map { UInt8(truncatingIfNeeded: $0) }), needs: .blobs)
    }
    + [
      kept(.values, "true", "BOOLEAN", 1, needs: .declaredTypes),
      kept(.values, "false", "BOOLEAN", 0, needs: .declaredTypes),
      kept(.values, "a blob that is a text", "BLOB", .blob(Array("text".utf8)), needs: .blobs),
      kept(.values, "a blob that is not a text", "", .blob([0xC3, 0x28, 0xFF]), needs: .blobs),
    ] + classCases

  private static let everyClass: [SQLiteValue] = [
    nil, 0, 7, -7, 7.0, 7.5, "7", "7.0", "text", "", .blob([]), .blob([55]),
  ]

  private static let classCases: [Case] =
    ["", "INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC", "BOOLEAN", "DATE", "STRING", "JSON"].map {
      type in
      rule(
        .values,
        "each storage class is preserved in a column \(type.isEmpty ? "without a type" : type)",
        needs: [.anyValues, .blobs]
      ) { subject in
        let provider = try subject.opened("CREATE TABLE t (v \(type))")
        for value in everyClass {
          try provider.execute("INSERT INTO t VALUES (?)", withParameters: [value])
        }
        // The values have the types that SQLite assigns to them.
        let rows = try subject.rows(provider, "SELECT v, typeof(v) FROM t")
        try subject.expect(rows.count, everyClass.count, "the count of rows")
        try subject.expectRows(
          subject.reopened(provider), "SELECT v, typeof(v) FROM t", rows)
      }
    }
    + [
      rule(.values, "NULL is preserved in each column") { subject in
        let provider = try subject.opened("CREATE TABLE t (a INTEGER, b TEXT, c REAL)")
        try provider.execute("INSERT INTO t VALUES (1, 'x', 1.5), (NULL, 'y', 2.5)")
        try provider.execute("INSERT INTO t VALUES (2, NULL, 3.5), (3, 'z', NULL)")
        let rows: [[SQLiteValue]] = [
          [1, "x", 1.5], [nil, "y", 2.5], [2, nil, 3.5], [3, "z", nil],
        ]
        try subject.expectRows(subject.reopened(provider), "SELECT * FROM t", rows)
      },
      rule(.values, "a row of NULLs is preserved", needs: .declaredTypes) { subject in
        let provider = try subject.opened("CREATE TABLE t (a INTEGER, b TEXT)")
        try provider.execute("INSERT INTO t VALUES (NULL, NULL), (1, 'x'), (NULL, NULL)")
        try subject.expectRows(
          subject.reopened(provider), "SELECT * FROM t", [[nil, nil], [1, "x"], [nil, nil]])
      },
      rule(.values, "column types are preserved", needs: .declaredTypes) { subject in
        let provider = try subject.opened(
          "CREATE TABLE t (a INTEGER, b TEXT, c REAL, d BOOLEAN, e VARCHAR(20), f)")
        try subject.expect(
          subject.reopened(provider).getTableSchema(forTableName: "t").columns.map(\.declaredType),
          ["INTEGER", "TEXT", "REAL", "BOOLEAN", "VARCHAR(20)", ""], "the types")
      },
      rule(.values, "rows keep their order") { subject in
        let provider = try subject.opened("CREATE TABLE t (a TEXT)")
        for text in ["b", "c", "a", "c", "b"] {
          try provider.execute("INSERT INTO t VALUES (?)", withParameters: [text])
        }
        try subject.expectRows(
          subject.reopened(provider), "SELECT a FROM t", [["b"], ["c"], ["a"], ["c"], ["b"]])
      },
      rule(.values, "equal rows are all preserved") { subject in
        let provider = try subject.opened("CREATE TABLE t (a INTEGER, b TEXT)")
        try provider.execute("INSERT INTO t VALUES (1, 'x'), (1, 'x'), (1, 'x')")
        try subject.expect(
          subject.reopened(provider).countRows(inTable: "t"), 3, "the count of rows")
      },
      rule(.values, "columns keep their order") { subject in
        let provider = try subject.opened(
          "CREATE TABLE t (z INTEGER, a TEXT, m REAL)", "INSERT INTO t VALUES (1, 'x', 0.5)")
        let records = try subject.reopened(provider).query("SELECT * FROM t")
        try subject.expect(records.columns, ["z", "a", "m"], "the columns")
        try subject.expect(records.map(\.values), [[1, "x", 0.5]], "the rows")
      },
    ]

  // MARK: Strings

  /// Strings that all providers preserve, regardless of column types.
  private static let plainTexts = [
    "plain", "two words", "it's", "a \"quote\"", "''", "a,b", "a;b", "a\tb", "see note]",
    "see [note", "{}", "<b>&amp;</b>", "]]>", "<!-- x -->", "a\\nb", "C:\\x", "`x`", "``", "@obj",
    "@obj:A<n$=`x`>", "@array[%=1]", "EMPTY_STRING", "*", "%s", "$1", "id", "n", "e", "no", "yes",
    "count", "date", "select", "rue", "ключ", "名前", "👩‍👩‍👧‍👦", "é", "e\u{301}", "\u{FFFD}", "\u{10FFFD}",
    "\u{2028}\u{2029}", "\u{A0}", "\u{200B}", "x\u{FEFF}", "\u{FEFF}x", "אבג", "a\u{300}\u{301}",
    " padded ", "line\nfeed", "carriage\rreturn", "both\r\nof them", "\nfirst", "last\n", "\ttab",
    "=1+1", "#text",
  ]

  /// Strings that look like other values.
  private static let typedTexts = [
    "", " ", "\n", "nan", "null", "NULL", "true", "FALSE", "1", "007", "-0", "1.0", "1e5", "0x1F",
    "+1",
    "1,5", "inf", "9223372036854775808", "2020-01-01", "2020-01-01T10:00:00Z", "[1,2]", "{\"a\":1}",
    "\"quoted\"", "'quoted'",
  ]

  private static let controlTexts = [
    "\u{1}", "a\u{7}b", "\u{8}", "\u{B}", "\u{C}", "\u{1B}[0m", "\u{1F}", "\u{7F}", "\u{85}",
    "\u{9F}",
    "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}",
  ]

  private static let zeroTexts = ["\0", "a\0b", "\0\0", "a\0"]

  private static let texts: [(String, Capabilities)] =
    plainTexts.map { ($0, []) } + typedTexts.map { ($0, .declaredTypes) }
    + controlTexts.map { ($0, .controlCharacters) } + zeroTexts.map { ($0, .zeroBytes) }

  static let textCases: [Case] =
    texts.map { text, needs in
      kept(.texts, quoted(text), "TEXT", .text(text), needs: needs)
    }
    + [
      rule(.texts, "all kinds of texts are preserved together", needs: .declaredTypes) {
        subject in
        let kept = texts.filter { subject.candidate.capabilities.isSuperset(of: $0.1) }.map(\.0)
        let provider = try subject.opened("CREATE TABLE t (a TEXT, b TEXT)")
        try provider.transaction { transaction in
          for (text, other) in zip(kept, kept.reversed()) {
            try transaction.execute("INSERT INTO t VALUES (?, ?)", withParameters: [text, other])
          }
        }
        try subject.expectRows(
          subject.reopened(provider), "SELECT * FROM t",
          zip(kept, kept.reversed()).map { [.text($0), .text($1)] })
      },
      rule(.texts, "the first characters of the basic plane are preserved") { subject in
        let range: ClosedRange<UInt32> =
          subject.has(.controlCharacters) ? 1...0x2FF : 0x20...0x7E
        let text = String(String.UnicodeScalarView(range.compactMap(UnicodeScalar.init)))
        let provider = try subject.opened("CREATE TABLE t (a TEXT)")
        try provider.execute("INSERT INTO t VALUES (?)", withParameters: [text])
        try subject.expectRows(subject.reopened(provider), "SELECT a FROM t", [[.text(text)]])
      },
    ]
}

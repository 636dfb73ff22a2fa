import QueryModel
import SQLSemantics
import SQLSyntax
import SQLiteCore
import Testing

/// Statements with functions, collations and modules that are declared in QueryGen and registered in
/// SQLite.
@Suite struct `Declared names` {
  private static let declarations = """
    -- function: slug(title TEXT NOT NULL, separator TEXT DEFAULT '-') -> TEXT NOT NULL deterministic innocuous
    -- function: firsts(text TEXT, count INTEGER) -> TEXT deterministic innocuous returns null on null input
    -- function: dice() -> INTEGER NOT NULL innocuous
    -- function: audit(text TEXT) -> INTEGER NOT NULL directonly
    -- function: total_of(VARIADIC terms REAL NOT NULL) -> REAL NOT NULL deterministic innocuous
    -- function: regexp(pattern TEXT NOT NULL, text TEXT) -> BOOLEAN NOT NULL deterministic innocuous
    -- aggregate: longest(text TEXT) -> TEXT
    -- window: moving(value REAL) -> REAL NOT NULL
    -- collation: reversed
    -- module: numbers(value INTEGER NOT NULL, start INTEGER HIDDEN, stop INTEGER HIDDEN) eponymous only readonly innocuous
    """

  private static let schema = """
    CREATE TABLE page (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL COLLATE reversed CHECK (slug(title) <> ''),
      address TEXT NOT NULL AS (slug(title)) STORED, note TEXT, score REAL);
    CREATE INDEX by_address ON page (slug(title, '_'), title COLLATE reversed);
    CREATE VIEW short AS SELECT id, firsts(title, 3) AS text FROM page;
    INSERT INTO page (title, note, score) VALUES ('A b', NULL, 1), ('Zoo', 'n', 9), ('m', 'o', NULL);
    """

  private func session() throws -> Session {
    var session = try Session(takesStrings: false)
    let source = SourceText(Self.declarations)
    var diagnostics = DiagnosticList()
    var collector = DeclarationCollector()
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    for declaration in script.declarations {
      collector.add(declaration, in: source, path: "", diagnostics: &diagnostics)
    }
    #expect(diagnostics.diagnostics.map(\.message) == [])
    session.catalog = Catalog(declarations: collector.declarations)
    try session.connection.registerSamples()
    session.run(Self.schema)
    return session
  }

  private static let statements = [
    "SELECT slug(title), slug(title, '_'), slug(title, NULL) FROM page",
    "SELECT slug() FROM page", "SELECT slug(1, 2, 3) FROM page", "SELECT SLUG(title) FROM page",
    "SELECT firsts(title, 2), firsts(note, 2), firsts(title, NULL) FROM page",
    "SELECT firsts(title) FROM page", "SELECT dice(), dice(*) FROM page", "SELECT dice(1)",
    "SELECT total_of(), total_of(1, 2.5, score) FROM page WHERE score IS NOT NULL",
    "SELECT title REGEXP 'Z', note NOT REGEXP 'n' FROM page WHERE note IS NOT NULL",
    "SELECT longest(title), longest(note) FROM page", "SELECT longest(DISTINCT title) FROM page",
    "SELECT longest(title) FROM page WHERE 0", "SELECT longest(title) OVER () FROM page",
    "SELECT longest(title) FILTER (WHERE id > 1) FROM page",
    "SELECT longest(longest(title)) FROM page",
    "SELECT id FROM page WHERE longest(title) = 'a'", "SELECT id FROM page GROUP BY longest(title)",
    "SELECT id FROM page GROUP BY id HAVING longest(title) > 'a'", "SELECT longest(*) FROM page",
    "SELECT moving(score) FROM page", "SELECT moving(score) OVER (ORDER BY id) FROM page",
    "SELECT moving(score) FILTER (WHERE id > 1) OVER (ORDER BY id ROWS 1 PRECEDING) FROM page",
    "SELECT moving(DISTINCT score) OVER () FROM page", "SELECT slug(title) OVER () FROM page",
    "SELECT slug(title) FILTER (WHERE 1) FROM page", "SELECT audit(title) FROM page",
    "SELECT title FROM page ORDER BY title COLLATE reversed, note COLLATE missing",
    "SELECT title FROM page ORDER BY note COLLATE REVERSED", "SELECT text FROM short",
    "SELECT value FROM numbers(1, 3)",
    "SELECT value, start FROM numbers WHERE start = 2 AND stop = 4",
    "SELECT value FROM numbers(1, 2, 3)", "DELETE FROM numbers", "SELECT 2 IN numbers(1, 3)",
    "CREATE VIRTUAL TABLE t USING numbers", "CREATE VIRTUAL TABLE t USING missing(a)",
    "CREATE INDEX i ON page (dice())", "CREATE INDEX i ON page (id) WHERE dice() > 1",
    "CREATE INDEX i ON page (audit(title))", "CREATE INDEX i ON page (longest(title))",
    "CREATE TABLE t (a, b AS (dice()))", "CREATE TABLE t (a, b AS (audit(a)))",
    "CREATE TABLE t (a CHECK (dice() > 1))", "CREATE TABLE t (a DEFAULT (dice()))",
    "CREATE TABLE t (a TEXT COLLATE reversed, UNIQUE (a COLLATE reversed))",
    "CREATE TABLE t (a CHECK (longest(a) > 1))", "CREATE TABLE t (a, b AS (slug(a)))",
    "INSERT INTO page (title) VALUES (slug(:title)) RETURNING address, slug(title)",
    "UPDATE page SET note = firsts(title, 1) WHERE slug(title) = 'zoo'",
    "SELECT nothing(title) FROM page",
  ]

  @Test func `are accepted and rejected as by SQLite`() throws {
    let session = try session()
    var comparison = VerdictComparison()
    for sql in Self.statements { comparison.add(sql, session) }
    comparison.report("declared names")
    #expect(comparison.accepted.percent == 100)
    #expect(comparison.refused.percent == 100)
    #expect(comparison.agreed.percent == 100)
  }

  @Test func `have the claimed types and nullability`() throws {
    let session = try session()
    for sql in Self.statements where sql.hasPrefix("SELECT") {
      let source = SourceText(sql)
      var diagnostics = DiagnosticList()
      let script = Parser.parseScript(source, diagnostics: &diagnostics)
      guard let statement = script.statements.first?.statement,
        let analysis = session.analyze(statement, source).analysis,
        let prepared = try? session.connection.prepare(SQL(unsafe: sql))
      else { continue }
      let trial = try analysis.verifyClaims(against: prepared)
      #expect(trial.failedClaims.map(\.description) == [])
      #expect(trial.stop == nil, "\(sql)")
    }
  }

  @Test(arguments: [
    ("CREATE TABLE t (a CHECK (note(a) > 1)); INSERT INTO t VALUES (1)", true),
    ("CREATE VIEW v AS SELECT note(title) AS n FROM page; SELECT n FROM v", true),
    ("CREATE TABLE t (a, b AS (note(a))); SELECT b FROM t", true),
    ("CREATE TEMP VIEW v AS SELECT note(title) AS n FROM page; SELECT n FROM v", false),
    ("SELECT note(title) FROM page", false),
  ])
  func `are refused in an untrusted schema unless they are innocuous`(
    _ script: String, _ isRefused: Bool
  ) throws {
    for options in [Connection.FunctionOptions.deterministic, [.deterministic, .innocuous]] {
      let connection = try Connection.inMemory()
      try connection.execute("CREATE TABLE page (title TEXT); INSERT INTO page VALUES ('a')")
      try connection.register("note", argumentCount: 1, options: options) { _ in 2 }
      var failure: SQLiteError?
      do {
        try connection.execute(SQL(unsafe: script))
      } catch {
        failure = error
      }
      let mustFail = isRefused && !options.contains(.innocuous)
      #expect(
        failure?.message.contains("unsafe use of note()") ?? false == mustFail,
        "\(failure?.message ?? "accepted")")
    }
  }
}

extension Connection {
  fileprivate func registerSamples() throws {
    let safe: FunctionOptions = [.deterministic, .innocuous]
    for count in 1...2 {
      try register("slug", argumentCount: count, options: safe) { arguments in
        guard case .text(let text) = arguments[0] else { return "" }
        return .text(text.lowercased())
      }
    }
    try register("firsts", argumentCount: 2, options: safe) { arguments in
      guard case .text(let text) = arguments[0], case .integer(let count) = arguments[1] else {
        return nil
      }
      return .text(String(text.prefix(Int(count))))
    }
    try register("dice", argumentCount: 0, options: .innocuous) { _ in 4 }
    try register("audit", argumentCount: 1, options: .directOnly) { _ in 1 }
    try register("total_of", argumentCount: nil, options: safe) { arguments in
      var total = 0.0
      for index in 0..<arguments.count {
        switch arguments[index] {
        case .real(let value): total += value
        case .integer(let value): total += Double(value)
        default: break
        }
      }
      return .real(total)
    }
    try register("regexp", argumentCount: 2, options: safe) { arguments in
      guard case .text(let pattern) = arguments[0], case .text(let text) = arguments[1] else {
        return 0
      }
      return text.contains(pattern) ? 1 : 0
    }
    try register(Longest.self, as: "longest", argumentCount: 1)
    try register(Moving.self, as: "moving", argumentCount: 1)
    try registerCollation("reversed") { $0 < $1 ? 1 : $0 == $1 ? 0 : -1 }
    try register(module: Numbers(), as: "numbers", options: .innocuous)
  }
}

private struct Longest: AggregateFunction {
  private var longest: String?

  mutating func step(_ arguments: borrowing FunctionArguments) {
    guard case .text(let text) = arguments[0] else { return }
    if text.count > longest?.count ?? -1 { longest = text }
  }

  func result() -> SQLiteValue { longest.map(SQLiteValue.text) ?? .null }
}

private struct Moving: WindowFunction {
  private var values: [SQLiteValue] = []

  mutating func step(_ arguments: borrowing FunctionArguments) { values.append(arguments[0]) }
  mutating func inverse(_ arguments: borrowing FunctionArguments) { values.removeFirst() }
  func value() -> SQLiteValue { .real(Double(values.count)) }
}

/// The table `numbers(value, start HIDDEN, stop HIDDEN)`.
private struct Numbers: VirtualTable.Module {
  final class Table: VirtualTable.Table {
    let columns = [
      VirtualTable.Column("value", affinity: .integer),
      VirtualTable.Column("start", affinity: .integer, isHidden: true),
      VirtualTable.Column("stop", affinity: .integer, isHidden: true),
    ]

    func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? {
      var plan = VirtualTable.Plan()
      for column in 1...2 {
        let constraint = info.constraints.first {
          $0.column == ColumnIndex(column) && $0.operator == .equal
        }
        guard let constraint, constraint.isUsable else { return nil }
        plan.use(constraint, omit: true)
      }
      return plan
    }

    func open() -> Cursor { Cursor() }
  }

  struct Cursor: VirtualTable.Cursor {
    private var (start, stop, value): (Int64, Int64, Int64) = (0, 0, 0)

    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) {
      if case .integer(let first) = arguments[0] { start = first }
      if case .integer(let last) = arguments[1] { stop = last }
      value = start
    }

    mutating func next() { value += 1 }
    var isAtEnd: Bool { value > stop }

    func column(_ column: ColumnIndex) -> SQLiteValue {
      .integer(column == 0 ? value : column == 1 ? start : stop)
    }

    func rowID() -> RowID { RowID(rawValue: value) }
  }

  func connect(_ table: TableName, arguments: [String]) -> Table { Table() }
}

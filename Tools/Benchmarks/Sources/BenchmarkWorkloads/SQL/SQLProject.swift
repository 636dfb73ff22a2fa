internal import SQLSemantics
internal import SQLSyntax

/// The SQL of a large project: tables with foreign keys, and different kinds of queries.
struct SQLProject: Sendable {
  let schema: String
  let queries: [String]

  init(tables: Int, queries count: Int) {
    schema = (0..<tables).map { Self.table($0) }.joined(separator: "\n") + "\n"
    queries = (0..<count).map { Self.query($0, tables) }
  }

  /// Replays the schema and analyzes every query.
  func check() throws -> Work {
    let watch = Stopwatch()
    var catalog = Catalog()
    var diagnostics = DiagnosticList()
    let source = SourceText(schema)
    for entry in Parser.parseScript(source, diagnostics: &diagnostics).statements {
      catalog.apply(entry.statement, source: source, diagnostics: &diagnostics)
    }
    let analyzer = Analyzer(catalog: catalog)
    var columns: UInt64 = 0
    for query in queries {
      let source = SourceText(query)
      guard let statement = Parser.parseStatement(source, diagnostics: &diagnostics) else {
        continue
      }
      let analysis = analyzer.analyze(statement, source: source, diagnostics: &diagnostics)
      columns += UInt64(analysis.columns.count)
    }
    let time = watch.time
    guard !diagnostics.hasErrors else { throw BaselineError(code: 1) }
    return Work(checksum: columns, time: time)
  }

  private static func table(_ number: Int) -> String {
    """
    -- The things of kind \(number).
    CREATE TABLE thing_\(number) (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      parent_id INTEGER REFERENCES thing_\(max(number - 1, 0)) (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      amount REAL NOT NULL DEFAULT 0.0 CHECK (amount >= 0),
      note TEXT,
      is_done BOOLEAN NOT NULL DEFAULT FALSE,
      created_at INTEGER NOT NULL DEFAULT (unixepoch()),
      label TEXT GENERATED ALWAYS AS (name || ' ' || coalesce(note, '')) VIRTUAL,
      UNIQUE (parent_id, name)
    );
    CREATE INDEX thing_\(number)_created ON thing_\(number) (created_at DESC, amount) WHERE is_done;
    """
  }

  private static func query(_ number: Int, _ tables: Int) -> String {
    let (a, b) = ("thing_\(number % tables)", "thing_\((number * 7 + 1) % tables)")
    return switch number % 5 {
    case 0:
      "SELECT * FROM \(a) WHERE name = :name AND amount BETWEEN ?2 AND ?3 ORDER BY created_at LIMIT 20;"
    case 1:
      """
      SELECT p.id, p.name, count(c.id) AS children, sum(c.amount) AS total, max(c.note)
      FROM \(a) AS p LEFT JOIN \(b) AS c ON c.parent_id = p.id AND c.is_done
      WHERE p.note IS NOT NULL GROUP BY p.id HAVING count(*) > 1 ORDER BY total DESC;
      """
    case 2:
      """
      INSERT INTO \(a) (name, amount, note) VALUES (:name, :amount, :note)
      ON CONFLICT (parent_id, name) DO UPDATE SET amount = excluded.amount + 1 RETURNING id, label;
      """
    case 3:
      """
      WITH RECURSIVE tree (id, depth) AS (
        SELECT id, 0 FROM \(a) WHERE parent_id IS NULL
        UNION ALL SELECT t.id, depth + 1 FROM \(a) AS t JOIN tree ON t.parent_id = tree.id
      )
      SELECT tree.depth, rank() OVER (PARTITION BY depth ORDER BY x.amount) AS place, x.label,
        CASE WHEN x.amount > 10 THEN 'much' ELSE 'little' END AS size
      FROM tree JOIN \(a) AS x USING (id) WHERE EXISTS (SELECT 1 FROM \(b) WHERE \(b).name = x.name);
      """
    default:
      "UPDATE \(a) SET note = upper(trim(:note)), is_done = TRUE WHERE id IN (SELECT parent_id FROM \(b));"
    }
  }
}

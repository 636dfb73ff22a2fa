import Testing

/// A schema and queries whose claims are tested with random rows.
struct RandomCase: CustomTestStringConvertible, Sendable {
  let name: String
  let schema: String
  let queries: [String]
  var testDescription: String { name }

  init(_ name: String, schema: String, _ queries: [String]) {
    self.name = name
    self.schema = schema
    self.queries = queries
  }

  /// Columns of each affinity, nullable and not.
  static let plain = """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, n INTEGER NOT NULL, m INTEGER, r REAL NOT NULL, s REAL,
      t TEXT NOT NULL, u TEXT, b BLOB NOT NULL, c BLOB, k NUMERIC NOT NULL, l NUMERIC,
      f BOOLEAN NOT NULL, g BOOLEAN, d DATE, e DATE NOT NULL, a, z NOT NULL,
      json TEXT NOT NULL, json2 TEXT);
    CREATE TABLE part (
      id INTEGER PRIMARY KEY, item INTEGER REFERENCES item(id), owner INTEGER NOT NULL,
      label TEXT NOT NULL, size REAL);
    CREATE INDEX part_item ON part(item);
    """

  static let all: [RandomCase] = [
    RandomCase("operators", schema: plain, operators),
    RandomCase("core functions", schema: plain, coreFunctions),
    RandomCase("other functions", schema: plain, otherFunctions),
    RandomCase("aggregates and windows", schema: plain, aggregates),
    RandomCase("joins and narrowing", schema: plain, joins),
    RandomCase("compounds and subqueries", schema: plain, compounds),
    RandomCase("nesting", schema: plain, nesting),
    RandomCase("STRICT tables", schema: strictSchema, strictQueries),
    RandomCase("keys", schema: keySchema, keyQueries),
    RandomCase("views", schema: viewSchema, viewQueries),
    RandomCase("generated columns", schema: generatedSchema, generatedQueries),
    RandomCase("changes", schema: changeSchema, changeQueries),
    RandomCase("changes of views", schema: viewChangeSchema, viewChangeQueries),
    RandomCase("altered tables", schema: alteredSchema, alteredQueries),
    RandomCase("virtual tables", schema: virtualSchema, virtualQueries),
  ]
}

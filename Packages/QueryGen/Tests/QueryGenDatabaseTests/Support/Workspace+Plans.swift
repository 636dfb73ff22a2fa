import QueryGenDatabase
import QueryGenDriver
import QueryGenTestSupport

extension Workspace {
  /// A project about books with a large table, whose schema has no findings.
  static let books = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author (id),
      title TEXT NOT NULL, year INTEGER, isbn TEXT UNIQUE
    );
    CREATE INDEX book_author ON book (author);
    CREATE TABLE event (id INTEGER PRIMARY KEY, kind TEXT, day INTEGER);
    """

  /// Creates a project with one query file.
  static func planned(
    _ queries: String, schema: String = books,
    configuration: String = "plans: { rows: { event: 1000000 } }"
  ) throws -> Workspace {
    try Workspace([
      "Migrations/001.sql": schema, "Queries/Q.sql": queries, "querygen.yaml": configuration,
    ])
  }

  /// Checks the project and its plans.
  func checkPlans(locks: Bool = false) -> Driver.Outcome {
    driver.check(plans: DatabasePlanSession.init, locks: locks)
  }

  /// The identities of all diagnostics.
  func planIdentities() -> [String] { checkPlans().diagnostics.map(\.identity) }
}

extension ReportedDiagnostic {
  /// The index that a note proposes, as SQL.
  var proposedIndex: String? {
    let prefix = "this index improves the plan: "
    return notes.lazy.map(\.message).first { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }
  }
}

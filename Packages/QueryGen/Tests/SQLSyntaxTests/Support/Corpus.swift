import Foundation
import QueryGenTestSupport

/// The open corpora, if they are next to the repository.
enum Corpus {
  /// A test case: a statement and SQLite's result for it.
  struct Case: Decodable {
    let id: String
    let query_sql: String?
    let query: String?
    let expect: String?
    let error_class: String?
    let error: String?
    let sqlite_error: String?

    var sql: String { query_sql ?? query ?? "" }
    var isAccepted: Bool { expect != "reject" && expect != "error" }

    /// Indicates whether SQLite's parser or lexer rejects the statement.
    var isSyntaxError: Bool {
      if let error_class { return error_class == "syntax" }
      let text = error ?? sqlite_error ?? ""
      return text.contains("syntax error") || text.contains("unrecognized token")
        || text.contains("incomplete input")
    }
  }

  /// A script that runs in SQLite.
  struct Setup: Decodable {
    let sql: String?
    let setup_sql: String?
    let schema_sql: String?

    var text: String? { sql ?? setup_sql ?? schema_sql }
  }

  /// Returns every 25th line of a corpus, or all lines. Prints a message and returns `nil` if the
  /// corpus is missing or can't be unpacked.
  static func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line]? {
    let decoder = JSONDecoder()
    return try OpenCorpora.lines(name, every: OpenCorpora.isWhole ? 1 : 25)?.map {
      try decoder.decode(type, from: Data($0))
    }
  }
}

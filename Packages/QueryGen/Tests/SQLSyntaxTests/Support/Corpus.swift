import Foundation
import QueryGenTestSupport

/// The open corpora, where they lie beside the repository.
enum Corpus {
  /// One case: a statement, and what SQLite says of it.
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

    /// Whether SQLite's own parser or lexer refuses it.
    var isSyntaxError: Bool {
      if let error_class { return error_class == "syntax" }
      let text = error ?? sqlite_error ?? ""
      return text.contains("syntax error") || text.contains("unrecognized token")
        || text.contains("incomplete input")
    }
  }

  /// A script that SQLite runs.
  struct Setup: Decodable {
    let sql: String?
    let setup_sql: String?
    let schema_sql: String?

    var text: String? { sql ?? setup_sql ?? schema_sql }
  }

  /// One in 25 lines of a corpus, or all; `nil` where it is not there or can't be unpacked, which is
  /// printed.
  static func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line]? {
    let decoder = JSONDecoder()
    return try OpenCorpora.lines(name, every: OpenCorpora.isWhole ? 1 : 25)?.map {
      try decoder.decode(type, from: Data($0))
    }
  }
}

import Foundation
import QueryGenTestSupport

/// The SQL statements of the open corpora, if they exist next to the repository.
enum CorpusTexts {
  /// The small corpora, or all of them if `HOLT_CORPORA` is `all`.
  static let files =
    ["probes.jsonl", "sqlc-sqlite.jsonl"]
    + (isWhole
      ? [
        "result-parity.setups.jsonl", "real-world.jsonl", "real-world.schemas.jsonl.gz",
        "result-parity-2.jsonl",
        "result-parity.jsonl", "sqlc-other-engines.jsonl", "sqlite-upstream.jsonl.gz",
        "sqlite-upstream.schemas.jsonl",
      ] : [])

  /// The number of randomly chosen statements.
  static let repetitions = isWhole ? 500 : 8

  private static var isWhole: Bool { OpenCorpora.isWhole }

  /// Returns the distinct statements of a file; `nil`, with a message, if it does not exist or can't be
  /// unpacked.
  static func texts(of name: String) throws -> [String]? {
    guard let lines = try OpenCorpora.lines(name, every: isWhole ? 1 : 5) else { return nil }
    var texts: Set<String> = []
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      for key in ["query_sql", "query", "raw", "schema_sql", "setup_sql", "sql"] {
        if let text = object?[key] as? String { texts.insert(text) }
      }
    }
    return texts.sorted()
  }
}

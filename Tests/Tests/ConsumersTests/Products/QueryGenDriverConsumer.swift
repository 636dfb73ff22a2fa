// Prints: SELECT name FROM todo;
import QueryGenDriver

/// A tool that uses QueryGen's driver to format SQL.
enum QueryGenDriverConsumer {
  static func run() async throws -> String {
    let sql = Array("select  name from todo;".utf8)
    switch SQLFormatter().format(sql, path: "Todo.sql") {
    case .formatted(let bytes):
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: " ")
    case .refused(let report): return report
    }
  }
}

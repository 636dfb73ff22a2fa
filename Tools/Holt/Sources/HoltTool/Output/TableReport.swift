/// The tables that were written, with their row counts.
struct TableReport {
  var file: String
  var tables: [(name: String, rowCount: Int)] = []

  var text: String {
    let parts = tables.map { "\($0.name): \($0.rowCount.counted("row"))" }
    return "\(file): \(parts.isEmpty ? "no tables" : parts.joined(separator: ", "))\n"
  }

  var json: String {
    let tables = tables.map {
      JSONText.object([("name", .text($0.name)), ("rows", .integer($0.rowCount))])
    }
    return JSONText.object([("file", .text(file)), ("tables", .array(tables))]).description + "\n"
  }
}

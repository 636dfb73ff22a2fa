import Primitives
@_spi(Formats) import Providers
import SQLiteCore

extension Connection {
  /// Returns the declared types with which the columns of a statement's rows are written; `nil` for
  /// an expression.
  ///
  /// `min`, `max`, `sum`, `total` and `avg` of a decimal column have its type, so that their results
  /// are numbers as the column's values are. SQLite declares types only for columns. Therefore a
  /// statement that selects the arguments instead of the results is prepared, but not run.
  func resultTypes(of statement: Statement) -> [String?] {
    let types = Self.declaredTypes(of: statement)
    guard types.contains(nil), let sql = Self.withoutAggregates(statement.sql),
      let arguments = try? prepare(SQL(unsafe: sql)), arguments.columnCount == types.count
    else { return types }
    return zip(types, Self.declaredTypes(of: arguments)).map { type, argument in
      type ?? argument.flatMap { RowWriter.isDecimal($0) ? $0 : nil }
    }
  }

  private static func declaredTypes(of statement: Statement) -> [String?] {
    (0..<statement.columnCount).map { statement.declaredType(at: ColumnIndex($0)) }
  }

  private static let aggregates: Set<String> = ["min", "max", "sum", "total", "avg"]

  /// Returns a statement without the names of its aggregate functions; `nil` if it has none.
  private static func withoutAggregates(_ sql: String) -> String? {
    let tokens = SQLTokens(sql)
    var bytes: [UInt8] = []
    var start = 0
    for index in 0..<tokens.count
    where tokens.kind(index) == .word && tokens.is(index + 1, "(")
      && aggregates.contains(SQLName.folded(tokens.text(index)))
    {
      let range = tokens.tokens[index].range
      bytes += tokens.bytes[start..<range.lowerBound]
      start = range.upperBound
    }
    guard start > 0 else { return nil }
    return String(decoding: bytes + tokens.bytes[start...], as: UTF8.self)
  }
}

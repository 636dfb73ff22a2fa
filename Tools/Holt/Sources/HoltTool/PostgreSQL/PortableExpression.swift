import Primitives
import SQLiteCore

/// A literal of SQL.
enum LiteralValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// Digits, with an optional sign, point and exponent.
  case number(String)
  case text(String)
  case blob([UInt8])
}

/// An expression that has the same meaning in SQLite and in PostgreSQL.
indirect enum PortableExpression: Hashable, Sendable {
  case column(String)
  case literal(LiteralValue)
  case not(PortableExpression)
  case binary(String, PortableExpression, PortableExpression)
  case list(PortableExpression, [PortableExpression], isNegated: Bool)
  case null(PortableExpression, isNegated: Bool)
  case call(String, [PortableExpression])
}

extension PortableExpression {
  /// The SQL of the expression in one of the databases.
  func sql(forPostgreSQL: Bool) -> String { sql(forPostgreSQL, isNested: false) }

  private func sql(_ forServer: Bool, isNested: Bool) -> String {
    func nested(_ part: PortableExpression) -> String { part.sql(forServer, isNested: true) }
    func grouped(_ text: String) -> String { isNested ? "(\(text))" : text }
    switch self {
    case .column(let name): return SQLName.quoted(name)
    case .literal(let literal): return literal.sql(forPostgreSQL: forServer)
    case .not(let part): return grouped("NOT \(nested(part))")
    case .binary(let symbol, let a, let b): return grouped("\(nested(a)) \(symbol) \(nested(b))")
    case .list(let value, let elements, let isNegated):
      let list = elements.map { nested($0) }.joined(separator: ", ")
      return grouped("\(nested(value)) \(isNegated ? "NOT IN" : "IN") (\(list))")
    case .null(let part, let isNegated):
      return grouped("\(nested(part)) IS \(isNegated ? "NOT NULL" : "NULL")")
    case .call(let name, let parts):
      return "\(name)(\(parts.map { $0.sql(forServer, isNested: false) }.joined(separator: ", ")))"
    }
  }

  /// The columns that the expression reads.
  var columns: [String] {
    switch self {
    case .column(let name): [name]
    case .literal: []
    case .not(let part), .null(let part, _): part.columns
    case .binary(_, let a, let b): a.columns + b.columns
    case .list(let value, let elements, _): value.columns + elements.flatMap(\.columns)
    case .call(_, let parts): parts.flatMap(\.columns)
    }
  }
}

extension LiteralValue {
  func sql(forPostgreSQL: Bool) -> String {
    switch self {
    case .null: "NULL"
    case .boolean(let value):
      forPostgreSQL ? (value ? "TRUE" : "FALSE") : (value ? "1" : "0")
    case .number(let text): text
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes):
      forPostgreSQL
        ? "'\\x\(Self.hexadecimal(bytes))'::bytea" : "x'\(Self.hexadecimal(bytes))'"
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

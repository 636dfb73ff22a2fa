import SQLiteCore

@testable import Observe

/// A query of an observer.
struct ModelQuery: Sendable, CustomStringConvertible {
  struct Part: Sendable {
    var sql: String
    var values: [SQLiteValue] = []
    /// Indicates whether the rows have an order: otherwise, their order is unspecified.
    var isOrdered = false
  }

  var parts: [Part]
  /// Indicates whether it reads the part that a row selects: each fetch may read other tables.
  var isSelected = false
  /// The region it depends on; `nil` if SQLite reports it.
  var region: Region?

  var description: String {
    let sql = parts.map { "\($0.sql) \($0.values)" }.joined(separator: "; ")
    return "\(sql)\(isSelected ? " (selected)" : "") in \(region.map { "\($0)" } ?? "what is read")"
  }

  func rows(_ connection: Connection) throws -> [[SQLiteValue]] {
    guard isSelected else { return try parts.flatMap { try rows(of: $0, connection) } }
    var number = 0
    if case .integer(let n)? = try connection.rows("SELECT max(n) FROM selector").first?.first {
      number = abs(Int(n))
    }
    return try rows(of: parts[number % parts.count], connection)
  }

  private func rows(of part: Part, _ connection: Connection) throws -> [[SQLiteValue]] {
    let rows = try connection.rows(SQL(unsafe: part.sql), values: part.values)
    return part.isOrdered ? rows : rows.sorted { "\($0)" < "\($1)" }
  }

  func value(_ connection: Connection) throws -> ModelValue {
    var region = Region.nothing
    return try value(connection, &region)
  }

  /// Fetches the value, and sets the region of its rows: the version, which each transaction
  /// changes, is not part of it.
  func value(_ connection: Connection, _ region: inout Region) throws -> ModelValue {
    let (result, access) = connection.recordingAccess { Result { try rows(connection) } }
    region = self.region ?? Region(access)
    return ModelValue(
      version: try connection.value(Int.self, "SELECT n FROM version") ?? 0, rows: try result.get())
  }
}

/// The result of a fetch, and the transaction of its snapshot.
struct ModelValue: Sendable {
  var version: Int
  var rows: [[SQLiteValue]]

  var isPoisoned: Bool { rows.contains { $0.contains { ModelValues.isPoison($0) } } }
}

// MARK: Random queries

extension ModelQuery {
  init?(_ schema: ModelSchema, _ random: inout ModelRandom) {
    switch random.below(8) {
    case 0:
      parts = (0..<3).compactMap { _ in Self.part(schema, &random) }
      isSelected = true
      if parts.isEmpty { return nil }
    case 1, 2, 3:
      guard let part = Self.part(schema, &random) else { return nil }
      parts = [part]
    case 4, 5, 6:
      guard let (part, region) = Self.regional(schema, &random) else { return nil }
      (parts, self.region) = ([part], region)
    default:
      guard let a = Self.regional(schema, &random), let b = Self.regional(schema, &random) else {
        return nil
      }
      (parts, region) = ([a.0, b.0], a.1.union(b.1))
    }
  }

  /// A part whose region SQLite reports.
  private static func part(_ schema: ModelSchema, _ random: inout ModelRandom) -> Part? {
    guard let table = random.pick(schema.tables), let other = random.pick(schema.tables),
      let column = random.pick(table.columns)?.name, let second = random.pick(other.columns)?.name
    else { return nil }
    let (name, order) = (table.quoted, table.orderSQL)
    switch random.below(16) {
    case 0: return Part(sql: "SELECT * FROM \(name) ORDER BY \(order)", isOrdered: true)
    case 1: return Part(sql: "SELECT \(column) FROM \(name)")
    case 2: return Part(sql: "SELECT count(*) FROM \(name)")
    case 3: return Part(sql: "SELECT max(\(column)), count(\(column)) FROM \(name)")
    case 4: return Part(sql: "SELECT \(column), count(*) FROM \(name) GROUP BY 1 COLLATE BINARY")
    case 5, 6:
      let window = "LIMIT \(1 + random.below(4)) OFFSET \(random.below(3))"
      return Part(
        sql: "SELECT \(column) FROM \(name) ORDER BY \(column) DESC, \(order) \(window)",
        isOrdered: true)
    case 7, 8:
      let join = random.word("JOIN", "LEFT JOIN")
      return Part(
        sql: """
          SELECT count(*), min(a.\(column)), max(b.\(second)) FROM \(name) AS a
          \(join) \(other.quoted) AS b ON a.\(column) = b.\(second)
          """)
    case 9:
      return random.pick(schema.views).map { Part(sql: "SELECT x, y FROM \($0.quoted)") }
    case 10, 11:
      guard schema.hasText else { return nil }
      return random.once(in: 2)
        ? Part(sql: "SELECT rowid, body FROM ft WHERE ft MATCH 'alpha' ORDER BY rowid")
        : Part(sql: "SELECT count(*) FROM ft WHERE tag = 'a'")
    case 12:
      return Part(
        sql: """
          WITH x AS (SELECT \(column) AS c FROM \(name) WHERE \(column) IS NOT NULL)
          SELECT count(*) FROM x WHERE EXISTS (SELECT 1 FROM \(other.quoted) WHERE \(second) = c)
          """)
    case 13:
      return Part(
        sql: "SELECT \(column), row_number() OVER (ORDER BY \(order)) FROM \(name)")
    case 14: return Part(sql: "SELECT name, sql FROM sqlite_schema")
    default: return Part(sql: random.word("SELECT 1", "SELECT name, seq FROM sqlite_sequence"))
    }
  }

  /// A query whose region is explicit.
  private static func regional(
    _ schema: ModelSchema, _ random: inout ModelRandom
  ) -> (Part, Region)? {
    guard let table = random.pick(schema.tables) else { return nil }
    let chosen = random.some(of: table.columns.map(\.name))
    let list = chosen.joined(separator: ", ")
    let columns = Set(chosen.map { Region.ColumnName($0) })
    switch random.below(8) {
    case 0: return (Part(sql: "SELECT * FROM \(table.quoted)"), .table(table.name))
    case 1: return (Part(sql: "SELECT \(list) FROM \(table.quoted)"), .columns(table.name, columns))
    case 2: return (Part(sql: "SELECT count(*) FROM \(table.quoted)"), .columns(table.name, []))
    default:
      let predicate = predicate(table, depth: 2, &random)
      var values: [SQLiteValue] = []
      let condition = `Row predicates, evaluated natively`.sql(predicate.term, &values)
      let whole = condition.isEmpty ? "1" : condition
      let counts = random.once(in: 4)
      return (
        Part(
          sql: "SELECT \(counts ? "count(*)" : list) FROM \(table.quoted) WHERE \(whole)",
          values: values),
        .rows(of: table.name, where: predicate, reading: .some(counts ? [] : columns))
      )
    }
  }

  private static func predicate(
    _ table: TableSchema, depth: Int, _ random: inout ModelRandom
  ) -> Region.RowPredicate {
    let column = Region.ColumnName(random.pick(table.columns)?.name ?? "k")
    let value = random.pick(ModelValues.common) ?? .null
    switch random.below(depth > 0 ? 12 : 7) {
    case 0: return .isNull(column)
    case 1:
      return .column(column, random.pick(Region.RowPredicate.Comparison.allCases) ?? .less, value)
    case 2:
      return .column(
        column, in: (0...random.below(3)).compactMap { _ in random.pick(ModelValues.common) })
    case 3 where !table.isWithoutRowID:
      return .rowIDs((0...random.below(3)).map { _ in RowID(rawValue: Int64(random.below(9))) })
    case 7: return !predicate(table, depth: depth - 1, &random)
    case 8, 9:
      return predicate(table, depth: depth - 1, &random)
        && predicate(table, depth: depth - 1, &random)
    case 10, 11:
      return predicate(table, depth: depth - 1, &random)
        || predicate(table, depth: depth - 1, &random)
    default: return .column(column, equals: value)
    }
  }
}

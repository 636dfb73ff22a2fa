import QueryModel
import SQLSemantics
import SQLSyntax
import SQLiteCore
import Testing

/// The rows that a statement depends on, as observations use them.
@Suite struct `Row conditions of generated selects` {
  private static let seed: UInt64 = 0x526F_7773
  private static let count = CorpusFiles.step == 1 ? 20_000 : 500
  private static let roundCount = CorpusFiles.step == 1 ? 6 : 4
  private static let rowLimit = 300

  @Test func `exclude no row whose change has an effect on the result`() throws {
    let session = try Session(setup: RandomJoinGenerator.schema, takesStrings: false)
    var generator = RandomJoinGenerator(random: RandomSource(seed: Self.seed))
    generator.prefersConstants = true
    var queries: [(sql: String, reads: [TableAccess])] = []
    for _ in 0..<Self.count {
      let sql = generator.statement()
      guard let query = definition(sql, session), query.isReadOnly,
        (try? session.connection.prepare(SQL(unsafe: sql))) != nil
      else { continue }
      let reads = query.reads.filter { $0.rows != nil }
      if !reads.isEmpty { queries.append((sql, reads)) }
    }
    var fill = RandomFill(random: RandomSource(seed: Self.seed), rowCounts: [1, 2, 4])
    var (changes, effects) = (0, 0)
    for _ in 0..<Self.roundCount {
      try fill.refill(session.connection, isEmpty: false)
      for (sql, reads) in queries {
        guard let before = try rows(of: sql, session.connection) else { continue }
        for access in reads {
          guard let condition = access.rows else { continue }
          for change in try self.changes(of: access.table, &fill, session.connection) {
            try session.connection.execute("SAVEPOINT change")
            defer { try? session.connection.execute("ROLLBACK TO change; RELEASE change") }
            // The values of the changed row before and after satisfy the condition in none of both.
            guard try change.apply(unless: condition, session.connection) else { continue }
            changes += 1
            guard let after = try rows(of: sql, session.connection) else { continue }
            if after != before { effects += 1 }
            #expect(after == before, "\(sql)\n\(access.table): \(condition)\n\(change)")
          }
        }
      }
    }
    print(
      "row conditions, seed \(Self.seed): \(queries.count) selects, \(changes) changes of other rows, "
        + "\(effects) effects")
    #expect(queries.count * 8 > Self.count)
    #expect(changes > queries.count)
  }

  private func definition(_ sql: String, _ session: Session) -> QueryDefinition? {
    let source = SourceText("DEFINE QUERY q AS \(sql);")
    var diagnostics = DiagnosticList()
    let file = Parser.parseQueryFile(source, diagnostics: &diagnostics)
    return file.queries.first.flatMap {
      Analyzer(catalog: session.catalog).analyze($0, source: source, diagnostics: &diagnostics)
    }
  }

  /// Returns a statement's rows in a canonical order, or `nil` if there are too many.
  private func rows(of sql: String, _ connection: Connection) throws -> [String]? {
    let statement = try connection.prepare(SQL(unsafe: sql))
    defer { statement.reset() }
    var rows: [String] = []
    while try statement.step() {
      guard rows.count < Self.rowLimit else { return nil }
      let values = try (0..<statement.columnCount).map {
        try statement.row.value(at: ColumnIndex($0)).description
      }
      rows.append(values.joined(separator: ", "))
    }
    return rows.sorted()
  }

  /// Returns a deletion, an insertion and an update of random rows.
  private func changes(
    of table: String, _ fill: inout RandomFill, _ connection: Connection
  ) throws -> [RowChange] {
    let rowIDs = try connection.values(Int64.self, "SELECT rowid FROM \(unsafe: table)")
    let columns = try connection.rows("PRAGMA table_xinfo(\(unsafe: table))")
      .filter { $0[6] == .integer(0) }
    var values: [(String, SQLiteValue)] = []
    for column in columns {
      guard case .text(let name) = column[1], case .text(let type) = column[2] else { continue }
      let isNullable = column[3] == .integer(0) && column[5] == .integer(0)
      let value: SQLiteValue =
        isNullable && fill.random.isOne(in: 3)
        ? .null : fill.value(of: ValueType(declaredType: type), named: name)
      values.append(("\"\(name)\"", value))
    }
    var changes = [RowChange(table: table, rowID: nil, values: values)]
    if !rowIDs.isEmpty {
      changes.append(RowChange(table: table, rowID: fill.random.pick(rowIDs), values: []))
      changes.append(RowChange(table: table, rowID: fill.random.pick(rowIDs), values: values))
    }
    return changes
  }
}

/// A deletion, insertion or update of one row.
private struct RowChange {
  let table: String
  /// The row that is changed or deleted; `nil` for an insertion.
  let rowID: Int64?
  /// The columns of the row after the change; empty for a deletion.
  let values: [(column: String, value: SQLiteValue)]

  /// Changes the row if it satisfies the condition neither before nor after the change.
  ///
  /// - Returns: Whether a row was changed.
  func apply(unless condition: RowCondition, _ connection: Connection) throws -> Bool {
    if let rowID, try satisfies(condition, rowID, connection) { return false }
    var changed = rowID
    let names = values.map(\.column)
    if values.isEmpty {
      try connection.run("DELETE FROM \(unsafe: table) WHERE rowid = \(rowID ?? 0)")
      return true
    }
    if let rowID {
      let sets = names.map { "\($0) = ?" }.joined(separator: ", ")
      let sql = "UPDATE OR IGNORE \(table) SET \(sets) WHERE rowid = \(rowID)"
      guard try connection.run(SQL(unsafe: sql), values: values.map(\.value)).count > 0 else {
        return false
      }
      // An update of the key is an update of the rowid.
      if let key = values.first(where: { $0.column == "\"id\"" }),
        case .integer(let new) = key.value
      {
        changed = new
      }
    } else {
      let marks = names.map { _ in "?" }.joined(separator: ", ")
      let sql =
        "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
      guard try connection.run(SQL(unsafe: sql), values: values.map(\.value)).count > 0 else {
        return false
      }
      changed = connection.lastInsertedRowID.rawValue
    }
    return try changed.map { try !satisfies(condition, $0, connection) } ?? false
  }

  private func satisfies(
    _ condition: RowCondition, _ rowID: Int64, _ connection: Connection
  ) throws -> Bool {
    let sql = "SELECT count(*) FROM \(table) WHERE rowid = \(rowID) AND (\(condition.sql))"
    return try connection.value(Int.self, SQL(unsafe: sql)) != 0
  }
}

extension RowCondition {
  /// The condition as SQL; it has no parameters.
  fileprivate var sql: String {
    switch self {
    case .comparison(let column, let comparison, let value):
      "\"\(column)\" \(comparison.rawValue) \(value.sql)"
    case .isIn(let column, let values):
      "\"\(column)\" IN (\(values.map(\.sql).joined(separator: ", ")))"
    case .isInList: "1"
    case .isNull(let column): "\"\(column)\" IS NULL"
    case .isNotNull(let column): "\"\(column)\" IS NOT NULL"
    case .all(let parts): "(\(parts.map(\.sql).joined(separator: " AND ")))"
    case .any(let parts): "(\(parts.map(\.sql).joined(separator: " OR ")))"
    case .ifPresent: "1"
    }
  }
}

extension RowCondition.Value {
  fileprivate var sql: String {
    switch self {
    case .parameter(let number): "?\(number)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value.replacing("'", with: "''"))'"
    case .blob(let bytes):
      "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
  }
}

import PostgreSQL
import Primitives
import SQLiteCore
import Terminal

/// The rows of a table of SQLite, which are written to PostgreSQL while they are read.
///
/// `@unchecked Sendable`: only the task that copies the rows uses `statement`, `checksum`, `bytes`, `failure` and `bar`.
final class SQLiteRowReader: Sequence, IteratorProtocol, PostgreSQLRowEncodable,
  @unchecked Sendable
{
  private let statement: Statement
  private let moved: MovedTable
  private let keyNames: [String]
  private let file: String
  private let total: Int
  private let bar: ProgressBar?
  private var bytes: [UInt8] = []
  private(set) var checksum = TableChecksum()
  /// The error that ended the reading.
  private(set) var failure: (any Error)?

  /// - Parameters:
  ///   - name: The name of the table in the database.
  ///   - columns: The names of the columns to read, in the order of those in `moved`.
  init(
    _ connection: Connection, _ moved: MovedTable, name: String, columns: [String], file: String,
    bar: ProgressBar? = nil
  ) throws {
    self.moved = moved
    self.file = file
    self.bar = bar
    let table = try connection.table(name)
    if let rowID = table?.rowIDColumn ?? table?.rowIDName {
      keyNames = [rowID]
    } else {
      keyNames = table?.primaryKey.map(\.name) ?? []
    }
    let list = (columns + keyNames).map(SQLName.quoted).joined(separator: ", ")
    let source = SQLName.quoted(name)
    total =
      bar == nil
      ? 0 : try connection.value(Int.self, "SELECT count(*) FROM \(unsafe: source)") ?? 0
    statement = try connection.prepare(SQL(unsafe: "SELECT \(list) FROM \(source)"))
  }

  /// Reads the next row. The reader itself is its values.
  func next() -> SQLiteRowReader? {
    if failure != nil { return nil }
    do {
      return try statement.step() ? self : nil
    } catch {
      failure = error
      return self
    }
  }

  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    do {
      if let failure { throw failure }
      try read(statement.row) { try parameters.bind($0) }
    } catch {
      failure = error
      throw PostgreSQLError(code: .invalidText, message: "a row can't be copied")
    }
  }

  /// Reads all rows for their checksum.
  func readAll() throws {
    while try statement.step() { try read(statement.row) { _ in } }
  }

  /// Passes the values of the current row to `body`.
  private func read(_ row: borrowing Row, _ body: (DataValue) throws -> Void) throws {
    bytes.removeAll(keepingCapacity: true)
    for (index, column) in moved.columns.enumerated() {
      do {
        let value = try column.type.dataValue(row, at: ColumnIndex(index))
        if value.isNull, column.isRequired {
          throw UnsuitableValue("the value is NULL, but PostgreSQL's column can't be")
        }
        do {
          try body(value)
        } catch let error as PostgreSQLError {
          throw UnsuitableValue(Self.reason(error))
        }
        column.type.appendCanonical(value, to: &bytes)
      } catch let error as UnsuitableValue {
        throw MovedTable.failure(
          error, table: moved.sourceName, row: key(row), column: column.source, file: file)
      }
    }
    checksum.add(bytes)
    if checksum.rowCount & 255 == 0 { bar?.show(checksum.rowCount, of: total, moved.sourceName) }
  }

  /// Returns the client's message without the number of the parameter.
  private static func reason(_ error: PostgreSQLError) -> String {
    guard error.message.hasPrefix("parameter "), let colon = error.message.firstIndex(of: ":")
    else { return error.message }
    return String(error.message[colon...].dropFirst(2))
  }

  /// Returns the key of a row, for a message.
  private func key(_ row: borrowing Row) -> String {
    guard !keyNames.isEmpty else { return "\(checksum.rowCount + 1)" }
    return keyNames.enumerated().map { index, name in
      "\(name) = \(JSONText.oneLine(row[ColumnIndex(moved.columns.count + index)]))"
    }.joined(separator: ", ")
  }
}

/// Writes rows of PostgreSQL to a table of SQLite, or only computes their checksum.
///
/// `@unchecked Sendable`: only the task that copies the rows uses `statement`, `checksum`, `bytes` and `bar`.
final class ServerRowWriter: @unchecked Sendable {
  private let statement: Statement?
  private let moved: MovedTable
  private let file: String
  private let total: Int
  private let bar: ProgressBar?
  private var bytes: [UInt8] = []
  private(set) var checksum = TableChecksum()

  init(
    _ moved: MovedTable, into statement: Statement?, file: String, total: Int = 0,
    bar: ProgressBar? = nil
  ) {
    (self.moved, self.statement, self.file, self.total, self.bar) = (
      moved, statement, file, total, bar
    )
  }

  /// The query that reads the columns.
  static func query(
    _ columns: [(name: String, type: ColumnType)], of table: String, schema: String
  ) -> PostgreSQLQuery {
    let list = columns.map { $0.type.postgreSQLExpression(SQLName.quoted($0.name)) }
    return PostgreSQLQuery(
      unsafe:
        "SELECT \(list.joined(separator: ", ")) FROM \(PortableTable.qualified(table, schema))")
  }

  func add(_ row: borrowing PostgreSQLRow) throws {
    bytes.removeAll(keepingCapacity: true)
    for (index, column) in moved.columns.enumerated() {
      do {
        let value = try row.read(DataValue.self, at: index)
        if let statement {
          let stored = try column.type.sqliteValue(value)
          try statement.bind(stored, at: ParameterIndex(index + 1))
        }
        column.type.appendCanonical(value, to: &bytes)
      } catch let error as UnsuitableValue {
        throw MovedTable.failure(
          error, table: moved.sourceName, row: try key(row), column: column.source, file: file)
      } catch let error as PostgreSQLError {
        throw MovedTable.failure(
          UnsuitableValue(error.message), table: moved.sourceName, row: try key(row),
          column: column.source, file: file)
      }
    }
    try statement?.run()
    checksum.add(bytes)
    if checksum.rowCount & 255 == 0 {
      bar?.show(checksum.rowCount, of: total > 0 ? total : nil, moved.sourceName)
    }
  }

  /// Returns the key of a row, for a message.
  private func key(_ row: borrowing PostgreSQLRow) throws -> String {
    let names = moved.table.primaryKey
    guard !names.isEmpty else { return "\(checksum.rowCount + 1)" }
    var parts: [String] = []
    for name in names {
      guard let index = moved.columns.firstIndex(where: { $0.target == name }),
        let value = try? moved.columns[index].type.sqliteValue(row.read(DataValue.self, at: index))
      else { continue }
      parts.append("\(name) = \(JSONText.oneLine(value))")
    }
    return parts.joined(separator: ", ")
  }
}

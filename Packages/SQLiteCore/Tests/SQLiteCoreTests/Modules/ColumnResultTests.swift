import Primitives
import SQLiteCore
import Testing

/// Values that a cursor passes to SQLite itself, and declared types of columns.
@Suite struct `Column results of virtual tables` {
  /// A table with one column and the given values.
  private struct Values: VirtualTable.Module {
    let values: [SQLiteValue]

    final class Table: VirtualTable.Table {
      let columns = [VirtualTable.Column("value", declaredType: "NAME TEXT COLLATE NOCASE")]
      let values: [SQLiteValue]

      init(_ values: [SQLiteValue]) { self.values = values }

      func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? { VirtualTable.Plan() }
      func open() -> Cursor { Cursor(values: values) }
    }

    struct Cursor: VirtualTable.Cursor {
      let values: [SQLiteValue]
      var row = 0

      mutating func filter(
        indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
      ) {
        row = 0
      }

      mutating func next() { row += 1 }
      var isAtEnd: Bool { row == values.count }
      func column(_ column: ColumnIndex) -> SQLiteValue { .text("not used") }

      func column(
        _ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult
      ) throws {
        switch values[row] {
        case .null: if row == 0 { result.setNull() }
        case .integer(let value): result.set(value)
        case .real(let value): result.set(value)
        case .text("error"): throw SQLiteError(code: .range, message: "no value")
        case .text(let text):
          result.set(Int64(1))
          result.set(text: Array(text.utf8).elementSpan)
        case .blob: result.set(values[row])
        }
      }

      func rowID() -> RowID { RowID(rawValue: Int64(row)) }
    }

    func connect(_ table: TableName, arguments: [String]) -> Table { Table(values) }
  }

  private func connection(_ values: [SQLiteValue]) throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.register(module: Values(values: values), as: "t")
    return connection
  }

  @Test func `have every storage class`() throws {
    let values: [SQLiteValue] = [
      .null, .integer(.min), .real(-0.5), .text(""), .text("naïve"), .blob([0, 1]), .null,
    ]
    let connection = try connection(values)
    #expect(try connection.rows("SELECT value FROM t") == values.map { [$0] })
    #expect(try connection.value(Int.self, "SELECT count(value) FROM t") == 5)
  }

  @Test func `fail the statement with the cursor's error`() throws {
    let connection = try connection([.integer(1), .text("error")])
    let error = #expect(throws: SQLiteError.self) {
      try connection.rows("SELECT value FROM t")
    }
    #expect(error?.code == .range)
    #expect(error?.message == "no value")
  }

  @Test func `are compared with the collation of the declared type`() throws {
    let connection = try connection([.text("a"), .text("B"), .text("A")])
    let statement = try connection.prepare("SELECT value FROM t WHERE value = 'a'")
    #expect(statement.declaredType(at: 0) == "NAME TEXT")
    #expect(
      try connection.values(String.self, "SELECT value FROM t WHERE value = 'a'") == ["a", "A"])
    #expect(
      try connection.values(String.self, "SELECT value FROM t GROUP BY value ORDER BY value").count
        == 2)
  }
}

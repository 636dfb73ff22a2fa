import SQLiteCore

/// A table-valued function like SQLite's `generate_series`: the integers from `start` to `stop`.
struct Series: VirtualTable.Module {
  final class Table: VirtualTable.Table {
    let columns = [
      VirtualTable.Column("value", affinity: .integer),
      VirtualTable.Column("start", affinity: .integer, isHidden: true),
      VirtualTable.Column("stop", affinity: .integer, isHidden: true),
      VirtualTable.Column("step", affinity: .integer, isHidden: true),
    ]

    func bestIndex(_ info: VirtualTable.IndexInfo) throws -> VirtualTable.Plan? {
      var plan = VirtualTable.Plan()
      for column in 1...3 {
        let given = info.constraints.filter {
          $0.column == ColumnIndex(column) && $0.operator == .equal
        }
        guard let constraint = given.first else {
          guard column == 3 else {
            throw SQLiteError(code: .error, message: "series takes a start and a stop")
          }
          continue
        }
        guard constraint.isUsable else { return nil }
        plan.use(constraint, omit: true)
      }
      plan.estimatedCost = 10
      plan.estimatedRows = 1_000
      plan.consumesOrder =
        info.orderBy == [VirtualTable.OrderingTerm(column: 0)]
      return plan
    }

    func open() -> Cursor { Cursor() }
  }

  struct Cursor: VirtualTable.Cursor {
    private var bounds: [Int64] = [0, 0, 1]
    private var value: Int64 = 0

    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) throws {
      for index in 0..<arguments.count {
        guard case .integer(let bound) = arguments[index] else {
          throw SQLiteError(code: .mismatch, message: "series takes integers")
        }
        bounds[index] = bound
      }
      value = bounds[0]
    }

    mutating func next() { value += bounds[2] }

    var isAtEnd: Bool { value > bounds[1] }

    func column(_ column: ColumnIndex) -> SQLiteValue {
      .integer(column == 0 ? value : bounds[column.rawValue - 1])
    }

    func rowID() -> RowID { RowID(rawValue: value) }
  }

  func connect(_ table: TableName, arguments: [String]) -> Table { Table() }
}

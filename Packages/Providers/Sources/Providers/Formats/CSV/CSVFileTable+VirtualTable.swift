internal import Primitives
public import SQLiteCore

extension CSVFileTable {
  /// The name of the module in `CREATE VIRTUAL TABLE`.
  private static let moduleName = "holt_csv"

  /// Registers the module of the virtual table on a connection. Each connection to a database with
  /// the table needs it.
  ///
  /// - Throws: `SQLiteError` while a statement runs.
  public func register(on connection: Connection) throws {
    try connection.register(module: Module(file: self, connection: connection), as: Self.moduleName)
  }

  /// Creates the virtual table in the connection's `main` database.
  ///
  /// - Throws: `SQLiteError`, for example if there is a table with this name, or if the file has
  ///   more columns than SQLite permits.
  public func create(in connection: Connection) throws {
    try connection.execute(
      "CREATE VIRTUAL TABLE main.\(identifier: name) USING \(unsafe: Self.moduleName)")
  }

  private struct Module: VirtualTable.Module {
    let file: CSVFileTable
    weak var connection: Connection?
    var kind: VirtualTable.ModuleKind { .created }

    func connect(_ table: TableName, arguments: [String]) -> Table {
      Table(file, CSVInterruption(connection))
    }
  }

  private final class Table: VirtualTable.Table {
    private let file: CSVFileTable
    private let interruption: CSVInterruption
    let columns: [VirtualTable.Column]

    init(_ file: CSVFileTable, _ interruption: CSVInterruption) {
      self.file = file
      self.interruption = interruption
      var types: [Int: String] = [:]
      for (column, type) in zip(file.analysis?.selection.columns ?? [], file.analysis?.types ?? [])
      {
        types[column] = type.declaration
      }
      columns = file.columns.enumerated().map { index, name in
        VirtualTable.Column(name, declaredType: types[index] ?? "")
      }
    }

    /// - Returns: `nil` if the rows of a loaded table could have another order.
    func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? {
      // SQLite does not sort groups of one row, which a primary key determines.
      let key = file.keyColumn.map { ColumnIndex($0) }
      if isGrouping(info), let key, info.orderBy.dropFirst().contains(where: { $0.column == key }) {
        return nil
      }
      var plan = VirtualTable.Plan()
      let rowCount = file.analysis?.rowCount ?? 0
      plan.estimatedCost = Double(rowCount) + 1
      plan.estimatedRows = Int64(rowCount) + 1
      guard let analysis = file.analysis else { return plan }
      var query = CSVQuery()
      if let slots = groupSlots(info, analysis) {
        plan.consumesOrder = true
        query.groupSlots = slots
      }
      // SQLite checks the conditions again.
      for constraint in info.constraints {
        guard let condition = CSVCondition(constraint, analysis) else { continue }
        plan.use(constraint)
        query.conditions.append(condition)
      }
      plan.indexString = query.text
      return plan
    }

    private func isGrouping(_ info: VirtualTable.IndexInfo) -> Bool {
      info.needsOnlyGrouping && !info.allowsOmittingDuplicates
    }

    /// Returns the columns of `GROUP BY`, if the cursor can return the rows in their order: as SQLite
    /// would sort them, so that the groups have the same order.
    private func groupSlots(
      _ info: VirtualTable.IndexInfo, _ analysis: CSVFileTable.Analysis
    ) -> [Int]? {
      guard isGrouping(info) else { return nil }
      var slots: [Int] = []
      for term in info.orderBy {
        let slot = analysis.selection.columns.firstIndex { $0 == term.column?.rawValue }
        guard let slot, !term.isDescending, analysis.types[slot] != .decimal,
          !slots.contains(slot)
        else { return nil }
        slots.append(slot)
      }
      return slots.isEmpty ? nil : slots
    }

    func open() throws -> CSVCursor { CSVCursor(file, interruption) }
  }
}

/// Returns the rows of a CSV file to SQLite.
struct CSVCursor: VirtualTable.Cursor {
  private var rows: CSVQueryRows

  init(_ file: CSVFileTable, _ interruption: CSVInterruption) {
    rows = CSVQueryRows(file, interruption)
  }

  mutating func filter(
    indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
  ) throws {
    var query = CSVQuery(text: indexString ?? "")
    for index in query.conditions.indices {
      query.conditions[index].setValue(arguments[index])
    }
    try rows.begin(query)
  }

  mutating func next() throws { try rows.next() }
  var isAtEnd: Bool { rows.isAtEnd }
  func column(_ column: ColumnIndex) throws -> SQLiteValue { rows.value(column.rawValue) }

  func column(_ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult) throws {
    rows.pass(column.rawValue, to: result)
  }

  func rowID() throws -> RowID { RowID(rawValue: rows.number) }
}

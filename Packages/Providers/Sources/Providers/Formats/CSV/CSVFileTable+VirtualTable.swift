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
    try connection.register(module: Module(file: self), as: Self.moduleName)
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
    var kind: VirtualTable.ModuleKind { .created }

    func connect(_ table: TableName, arguments: [String]) -> Table { Table(file) }
  }

  private final class Table: VirtualTable.Table {
    private let file: CSVFileTable
    let columns: [VirtualTable.Column]

    init(_ file: CSVFileTable) {
      self.file = file
      var types: [Int: String] = [:]
      for (column, type) in zip(file.analysis?.selection.columns ?? [], file.analysis?.types ?? []) {
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
      if let slots = groupSlots(info) {
        plan.consumesOrder = true
        plan.indexString = slots.map(\.description).joined(separator: " ")
      }
      return plan
    }

    private func isGrouping(_ info: VirtualTable.IndexInfo) -> Bool {
      info.needsOnlyGrouping && !info.allowsOmittingDuplicates
    }

    /// Returns the columns of `GROUP BY`, if the cursor can return the rows in their order: as SQLite
    /// would sort them, so that the groups have the same order.
    private func groupSlots(_ info: VirtualTable.IndexInfo) -> [Int]? {
      guard let analysis = file.analysis, isGrouping(info) else { return nil }
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

    func open() throws -> CSVCursor { CSVCursor(file) }
  }
}

/// Reads the rows of a CSV file for a query.
///
/// The cursor is a class because SQLiteCore would copy a structure for each value.
final class CSVCursor: VirtualTable.Cursor {
  private let file: CSVFileTable
  private var reader: FileReader?
  private var scan: CSVScan?
  /// The rows in the order of their groups, if the query needs that.
  private var groups: CSVGroups?
  private var rows: CSVRows
  /// For each column, its index in the rows; -1 if it is not read.
  private let slots: [Int]
  /// The index of the current row in the rows.
  private var index = 0
  /// The number of rows before them.
  private var firstNumber: Int64 = 0

  init(_ file: CSVFileTable) {
    self.file = file
    var slots = Array(repeating: -1, count: file.columns.count)
    for (slot, column) in (file.analysis?.selection.columns ?? []).enumerated() {
      slots[column] = slot
    }
    self.slots = slots
    rows = CSVRows(file.analysis?.types ?? [])
  }

  func filter(
    indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
  ) throws {
    rows.removeAll()
    (index, firstNumber, groups) = (0, 0, nil)
    guard let analysis = file.analysis else { return }
    let reader = try file.reader()
    self.reader = reader
    let size = Int(file.stamp.size)
    if analysis.selection.columns.isEmpty {
      // The rows have no values that must be read.
      rows.count = analysis.rowCount
    } else {
      scan = CSVScan(
        reader, file.structure, analysis.selection, file.structure.rows..<size, fileSize: size,
        windowLength: file.lengths.window, checksUTF8: false)
      if let indexString { try group(by: indexString, analysis) }
      try readRows()
    }
  }

  /// Reads all rows, and sorts them by columns.
  private func group(by slots: String, _ analysis: CSVFileTable.Analysis) throws {
    var groups = CSVGroups(
      by: slots.split(separator: " ").compactMap { Int($0) }, slotCount: analysis.types.count,
      storesNumbers: analysis.readsRowID, runLength: file.lengths.run)
    try readScannedRows()
    while rows.count > 0 {
      try groups.add(rows, firstNumber: firstNumber + 1)
      try readScannedRows()
    }
    try groups.finish()
    self.groups = groups
  }

  private func readRows() throws {
    index = 0
    if groups != nil { try groups?.next(into: &rows) } else { try readScannedRows() }
  }

  private func readScannedRows() throws {
    firstNumber += Int64(rows.count)
    if try scan?.next() == true, let scan {
      guard rows.set(scan) else { throw ProviderError.fileChanged(file.path) }
      return
    }
    rows.removeAll()
    scan = nil
    guard let reader else { return }
    // The rows are those that were analyzed.
    try file.check(reader)
    guard firstNumber == file.analysis?.rowCount ?? 0 else {
      throw ProviderError.fileChanged(file.path)
    }
  }

  func next() throws {
    index &+= 1
    if index >= rows.count, scan != nil || groups != nil { try readRows() }
  }

  var isAtEnd: Bool { index >= rows.count }

  func column(_ column: ColumnIndex) throws -> SQLiteValue {
    let slot = slots[column.rawValue]
    return slot < 0 ? .null : rows.value(index, slot)
  }

  func column(
    _ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult
  ) throws {
    let slot = slots[column.rawValue]
    if slot >= 0 { rows.pass(index, slot, to: result) }
  }

  func rowID() throws -> RowID {
    RowID(
      rawValue: rows.numbers.isEmpty ? firstNumber + Int64(index) + 1 : rows.numbers[index])
  }
}

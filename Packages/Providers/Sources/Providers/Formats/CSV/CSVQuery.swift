internal import Primitives
internal import SQLiteCore

/// A plan of SQLite for a query on a CSV file.
struct CSVQuery {
  /// The columns by which the rows are grouped; empty if they have the order of the file.
  var groupSlots: [Int] = []
  /// The conditions that all rows satisfy. Others may be returned, too.
  var conditions: [CSVCondition] = []

  init() {}

  /// Creates a query from its text, without the values of the conditions.
  init(text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    groupSlots = parts[0].split(separator: " ").compactMap { Int($0) }
    let numbers = parts[1].split(separator: " ").compactMap { Int($0) }
    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
      conditions.append(
        CSVCondition(
          slot: numbers[index],
          operator: VirtualTable.Operator(rawValue: UInt8(clamping: numbers[index + 1]))))
    }
  }

  /// The text that SQLite stores with its plan.
  var text: String {
    let numbers = conditions.flatMap { [$0.slot, Int($0.operator.rawValue)] }
    return [groupSlots, numbers].map { $0.map(\.description).joined(separator: " ") }
      .joined(separator: "|")
  }
}

/// A comparison of a column with a value.
struct CSVCondition {
  let slot: Int
  let `operator`: VirtualTable.Operator
  private var value = SQLiteValue.null
  private var text: [UInt8] = []

  init(slot: Int, operator: VirtualTable.Operator) {
    self.slot = slot
    self.operator = `operator`
  }

  /// Returns `nil` if rows can't be selected by a constraint, or need not be.
  init?(_ constraint: VirtualTable.Constraint, _ analysis: CSVFileTable.Analysis) {
    guard constraint.isUsable, let column = constraint.column,
      let slot = analysis.selection.columns.firstIndex(of: column.rawValue),
      constraint.collation == "BINARY"
    else { return nil }
    switch constraint.operator {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: break
    // The values of an `IN` list are no literal. They would be used one after another, each with
    // the rows of the whole file.
    case .equal: if constraint.value == nil { return nil }
    default: return nil
    }
    self.init(slot: slot, operator: constraint.operator)
  }

  mutating func setValue(_ value: SQLiteValue) {
    self.value = value
    if case .text(let string) = value { text = Array(string.utf8) }
  }

  /// Returns whether a value can satisfy the condition. If the value would have to be converted for
  /// the comparison, the result is `true`.
  func canHold(_ cell: CSVRows.Cell, _ bytes: [UInt8]) -> Bool {
    switch (cell.kind, value) {
    case (CSVRows.Cell.null.kind, _), (_, .null): return false
    case (CSVRows.Cell.integer, .integer(let value)): return isTrue(cell.bits, value)
    case (CSVRows.Cell.integer, .real(let value)):
      guard let exact = Double(exactly: cell.bits) else { return true }
      return isTrue(exact, value)
    case (CSVRows.Cell.real, .real(let value)): return isTrue(cell.real, value)
    case (CSVRows.Cell.real, .integer(let value)):
      guard let exact = Double(exactly: value) else { return true }
      return isTrue(cell.real, exact)
    case (0..., .text): return isTrue(order(of: cell, bytes), 0)
    default: return true
    }
  }

  /// Compares a text with the value, byte by byte.
  private func order(of cell: CSVRows.Cell, _ bytes: [UInt8]) -> Int {
    let start = Int(cell.bits)
    for index in 0..<Swift.min(cell.kind, text.count) {
      let (a, b) = (bytes[start &+ index], text[index])
      if a != b { return a < b ? -1 : 1 }
    }
    return cell.kind &- text.count
  }

  @inline(__always)
  private func isTrue<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    switch `operator` {
    case .equal: a == b
    case .lessThan: a < b
    case .lessThanOrEqual: a <= b
    case .greaterThan: a > b
    case .greaterThanOrEqual: a >= b
    default: true
    }
  }
}

/// Reads the rows of a CSV file that can satisfy the conditions of a query, in the order of the
/// file.
struct CSVRowReader {
  private let file: CSVFileTable
  private let conditions: [CSVCondition]
  private let reader: FileReader
  private var scan: CSVScan
  /// The number of rows that were read.
  private var count = 0
  private let storesNumbers: Bool

  init(
    _ file: CSVFileTable, _ analysis: CSVFileTable.Analysis, _ conditions: [CSVCondition]
  ) throws(ProviderError) {
    self.file = file
    self.conditions = conditions
    storesNumbers = analysis.readsRowID
    reader = try file.reader()
    let size = Int(file.stamp.size)
    scan = CSVScan(
      reader, file.structure, analysis.selection, file.structure.rows..<size, fileSize: size,
      windowLength: file.lengths.window, checksUTF8: false)
  }

  /// Replaces rows by the next ones; by none at the end.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` if the rows are not those
  ///   that were analyzed.
  mutating func next(into rows: inout CSVRows) throws(ProviderError) {
    repeat {
      do {
        guard try scan.next() else { return try end(&rows) }
      } catch {
        // The records were valid when they were analyzed.
        throw error.code == .fileSystem ? error : .fileChanged(file.path)
      }
      guard rows.set(scan, firstNumber: storesNumbers ? Int64(count) + 1 : nil) else {
        throw .fileChanged(file.path)
      }
      count += scan.count
      if !conditions.isEmpty { rows.remove(unless: conditions) }
    } while rows.count == 0
  }

  private mutating func end(_ rows: inout CSVRows) throws(ProviderError) {
    rows.removeAll()
    try file.check(reader)
    guard count == file.analysis?.rowCount else { throw .fileChanged(file.path) }
  }
}

/// The rows of a query, and the current one.
struct CSVQueryRows: ~Copyable {
  private let file: CSVFileTable
  private var rows: CSVRows
  /// The index of the current row in ``rows``.
  private var index = 0
  /// The source of the next rows; `nil` if there are no others.
  private var reader: CSVRowReader?
  private var groups: CSVGroups?
  /// For each column, its index in the rows; -1 if it is not read.
  private let slots: [Int]

  init(_ file: CSVFileTable) {
    self.file = file
    var slots = Array(repeating: -1, count: file.columns.count)
    for (slot, column) in (file.analysis?.selection.columns ?? []).enumerated() {
      slots[column] = slot
    }
    self.slots = slots
    rows = CSVRows(file.analysis?.types ?? [])
  }

  mutating func begin(_ query: CSVQuery) throws {
    (index, reader, groups) = (0, nil, nil)
    rows.removeAll()
    guard let analysis = file.analysis else { return }
    guard !analysis.types.isEmpty else {
      // The rows have no values that must be read.
      _ = try file.reader()
      rows.count = analysis.rowCount
      return
    }
    if query.groupSlots.isEmpty {
      reader = try CSVRowReader(file, analysis, query.conditions)
    } else {
      groups = try groups(query, analysis)
    }
    try readRows()
  }

  /// Reads all rows, and sorts them by their groups.
  private mutating func groups(
    _ query: CSVQuery, _ analysis: CSVFileTable.Analysis
  ) throws -> CSVGroups {
    var groups = CSVGroups(
      by: query.groupSlots, slotCount: analysis.types.count, runLength: file.lengths.run)
    var reader = try CSVRowReader(file, analysis, query.conditions)
    try reader.next(into: &rows)
    while rows.count > 0 {
      try groups.add(rows)
      try reader.next(into: &rows)
    }
    try groups.finish()
    return groups
  }

  private mutating func readRows() throws {
    index = 0
    if groups != nil {
      try groups?.next(into: &rows)
    } else if reader != nil {
      try reader?.next(into: &rows)
    } else {
      return rows.removeAll()
    }
    if rows.count == 0 { (reader, groups) = (nil, nil) }
  }

  // MARK: The current row

  mutating func next() throws {
    index &+= 1
    if index >= rows.count { try readRows() }
  }

  var isAtEnd: Bool { index >= rows.count }

  /// The number of the row in the file. It is stored if queries read it.
  var number: Int64 { rows.numbers.isEmpty ? Int64(index) + 1 : rows.numbers[index] }

  func value(_ column: Int) -> SQLiteValue {
    let slot = slots[column]
    return slot < 0 ? .null : rows.value(index, slot)
  }

  @inline(__always)
  func pass(_ column: Int, to result: borrowing VirtualTable.ColumnResult) {
    let slot = slots[column]
    if slot >= 0 { rows.pass(index, slot, to: result) }
  }
}

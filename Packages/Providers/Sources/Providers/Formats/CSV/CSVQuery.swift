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

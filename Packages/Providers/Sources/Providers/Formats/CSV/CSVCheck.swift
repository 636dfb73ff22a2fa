internal import Dispatch
internal import Primitives
internal import SQLiteCore

/// The check of a file's rows, of which only the first ones were analyzed. The queries on the file
/// share it.
final class CSVCheck: Sendable {
  private enum State {
    case pending
    case passed(rowCount: Int)
    case contradicted
  }

  private let state = Mutex(State.pending)

  var isContradicted: Bool {
    state.withLock { if case .contradicted = $0 { true } else { false } }
  }

  /// The number of rows; `nil` unless the check has passed.
  var rowCount: Int? {
    state.withLock { if case .passed(let count) = $0 { count } else { nil } }
  }

  func pass(rowCount: Int) { state.withLock { $0 = .passed(rowCount: rowCount) } }

  /// Ends the check, and returns the error with which queries fail.
  func contradict(_ path: String) -> ProviderError {
    state.withLock { $0 = .contradicted }
    return ProviderError(
      .schemaMismatch, "the rows of the file contradict the first ones", file: path)
  }
}

/// Checks rows while a query reads them: that the types of their columns are those of the first
/// rows, and that the keys are ascending integers.
struct CSVRowCheck {
  private let analysis: CSVFileTable.Analysis
  private var kinds: [TableCollector.ColumnKinds]
  /// The columns whose values are texts that may not be of the kind that the column's type implies.
  private var classifiedSlots: [Bool]
  private var lastKey: Int64?

  init(_ analysis: CSVFileTable.Analysis) {
    self.analysis = analysis
    kinds = analysis.kinds
    classifiedSlots = zip(analysis.types, analysis.selection.textSlots).map { type, isText in
      switch type {
      // Only values of these types become cells.
      case .integer, .real, .boolean: false
      case .text, .date, .dateTime, .json, .decimal: !isText
      }
    }
    updateClassifiedSlots()
  }

  /// Values of other kinds do not change the type of a text column.
  private mutating func updateClassifiedSlots() {
    for slot in kinds.indices where kinds[slot].contains(.text) { classifiedSlots[slot] = false }
  }

  /// Adds the next rows.
  ///
  /// - Parameters:
  ///   - scan: The fields.
  ///   - rows: The values.
  /// - Returns: Whether the rows agree with the ones before.
  mutating func add(_ scan: borrowing CSVScan, _ rows: borrowing CSVRows) -> Bool {
    if classifiedSlots.contains(true) {
      var kinds = kinds
      scan.forEachValue { _, slot, text in
        guard classifiedSlots[slot] else { return }
        kinds[slot].formUnion(TableCollector.ColumnKinds(TableCollector.TextKind(text)))
      }
      self.kinds = kinds
      updateClassifiedSlots()
    }
    guard let keySlot = analysis.selection.keySlot else { return true }
    for row in 0..<rows.count {
      let cell = rows.cell(row, keySlot)
      guard cell.kind == CSVRows.Cell.integer, lastKey.map({ $0 < cell.bits }) ?? true else {
        return false
      }
      lastKey = cell.bits
    }
    return true
  }

  /// A Boolean value that indicates whether the types are those of all rows.
  var hasSameTypes: Bool {
    zip(analysis.types.indices, analysis.types).allSatisfy { slot, type in
      analysis.selection.textSlots[slot] || kinds[slot].type == type
    }
  }
}

/// Ends long work when the statement for which it is done is interrupted.
struct CSVInterruption {
  private weak var connection: Connection?

  /// - Parameter connection: The connection of the statement. It retains the table.
  init(_ connection: Connection?) { self.connection = connection }

  func check() throws(SQLiteError) {
    guard connection?.isInterrupted != true else {
      throw SQLiteError(code: .interrupt, message: "interrupted")
    }
  }

  /// Waits for another thread.
  func wait(for semaphore: DispatchSemaphore) throws(SQLiteError) {
    repeat { try check() } while semaphore.wait(timeout: .now() + .milliseconds(20)) == .timedOut
  }
}

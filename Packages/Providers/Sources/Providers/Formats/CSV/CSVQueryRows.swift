internal import Dispatch
internal import Primitives
internal import SQLiteCore

/// The rows of a query, and the current one.
struct CSVQueryRows {
  private let file: CSVFileTable
  private var rows: CSVRows
  /// The index of the current row in ``rows``.
  private var index = 0
  /// The source of the next rows; `nil` if there are no others.
  private var reader: CSVReadAhead?
  private var groups: CSVGroups?
  /// For each column, its index in the rows; -1 if it is not read.
  private let slots: [Int]
  private let interruption: CSVInterruption

  init(_ file: CSVFileTable, _ interruption: CSVInterruption) {
    self.file = file
    self.interruption = interruption
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
    // Rows that are grouped can be checked before the first one is returned.
    if query.groupSlots.isEmpty { try checkAllRows(analysis) }
    guard !analysis.types.isEmpty else {
      // The rows have no values that must be read.
      _ = try file.reader()
      rows.count = analysis.exactRowCount ?? 0
      return
    }
    if query.groupSlots.isEmpty {
      reader = try readAhead(query, analysis)
    } else {
      groups = try groups(query, analysis)
    }
    try readRows()
  }

  /// Analyzes all rows, unless that has been done.
  private func checkAllRows(_ analysis: CSVFileTable.Analysis) throws {
    guard let check = analysis.check, check.rowCount == nil else { return }
    let isCancelled = Atomic(false)
    let isDone = DispatchSemaphore(value: 0)
    let result = Mutex<Result<CSVFileTable.Analysis?, any Error>>(.success(nil))
    DispatchQueue.global().async { [file] in
      let found = Result {
        try CSVAnalysis(file, analysis.selection).run { isCancelled.load(ordering: .relaxed) }
      }
      result.withLock { $0 = found }
      isDone.signal()
    }
    do {
      try interruption.wait(for: isDone)
    } catch {
      isCancelled.store(true, ordering: .relaxed)
      isDone.wait()
      throw error
    }
    guard let found = try result.withLock({ $0 }).get(), found.types == analysis.types else {
      throw check.contradict(file.path)
    }
    check.pass(rowCount: found.rowCount)
  }

  private func readAhead(
    _ query: CSVQuery, _ analysis: CSVFileTable.Analysis
  ) throws -> CSVReadAhead {
    CSVReadAhead(
      try CSVRowReader(file, analysis, query.conditions), CSVRows(analysis.types),
      isConcurrent: Int(file.stamp.size) > 8 * file.lengths.window, interruption)
  }

  /// Reads all rows, and sorts them by their groups.
  private mutating func groups(
    _ query: CSVQuery, _ analysis: CSVFileTable.Analysis
  ) throws -> CSVGroups {
    var groups = CSVGroups(
      by: query.groupSlots, slotCount: analysis.types.count, runLength: file.lengths.run)
    let reader = try readAhead(query, analysis)
    try reader.next(into: &rows)
    while rows.count > 0 {
      try groups.add(rows)
      try reader.next(into: &rows)
    }
    try groups.finish()
    return groups
  }

  private mutating func readRows() throws {
    do {
      try readNextRows()
    } catch {
      rows.removeAll()
      (reader, groups) = (nil, nil)
      throw error
    }
  }

  private mutating func readNextRows() throws {
    index = 0
    if groups != nil {
      try groups?.next(into: &rows)
    } else if let reader {
      try reader.next(into: &rows)
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

internal import Dispatch
internal import Primitives

/// Reads a CSV file once, to determine the types of some columns, and the number of rows.
///
/// The file is divided into parts, which are read concurrently. A part begins after the first line
/// break at its offset. That is a guess, because a line break can be in a quoted field. A part whose
/// beginning is not the end of the part before it is therefore read again.
struct CSVAnalysis {
  private let table: CSVFileTable
  private let selection: CSVScan.Selection

  init(_ table: CSVFileTable, _ selection: CSVScan.Selection) {
    (self.table, self.selection) = (table, selection)
  }

  /// The properties of the rows in a part of the file.
  fileprivate struct Part: Sendable {
    /// The offsets of the first record, and after the last one.
    var start: Int
    var end: Int
    var rowCount = 0
    var kinds: [TableCollector.ColumnKinds]
    var firstKey: Int64?
    var lastKey: Int64?
    /// A Boolean value that indicates whether the keys are ascending integers.
    var hasKeys = true
    /// A Boolean value that indicates whether a record is not valid.
    var hasFailed = false
  }

  /// - Parameter isCancelled: Returns whether the analysis is not needed. It then returns `nil`.
  /// - Returns: The analysis; `nil` if a record is not valid, or if the key has an index.
  func run(
    unless isCancelled: @Sendable () -> Bool = { false }
  ) throws -> CSVFileTable.Analysis? {
    let (start, size) = (table.structure.rows, Int(table.stamp.size))
    let length = table.lengths.part
    let count = Swift.max(1, (size - start + length - 1) / length)
    let borders = (0...count).map { $0 == count ? size : start + $0 * length }
    let parts = Mutex<[Int: Part]>([:])
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: count) { index in
      guard !isCancelled() else { return }
      do {
        let file = try table.reader()
        let first =
          index == 0 ? start : try file.lineEnd(from: borders[index], fileSize: size)
        let part = try part(
          file, first, borders[index + 1], maximumRecordLength: 1 << 24, unless: isCancelled)
        parts.withLock { $0[index] = part }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    let file = try table.reader()
    var whole = Part(start: start, end: start, kinds: selection.columns.map { _ in [] })
    for index in 0..<count {
      guard !isCancelled(), var part = parts.withLock({ $0[index] }) else { return nil }
      if part.start != whole.end || part.hasFailed {
        part = try self.part(file, whole.end, borders[index + 1], unless: isCancelled)
      }
      if part.hasFailed { return nil }
      whole.add(part)
    }
    guard !isCancelled() else { return nil }
    try table.check(file)
    return analysis(of: whole, rowCount: whole.rowCount, check: nil)
  }

  /// Analyzes the first part of the file. The other rows are checked later.
  ///
  /// - Returns: The analysis; `nil` if a record is not valid, or if the key has an index.
  func runOnFirstPart() throws -> CSVFileTable.Analysis? {
    let (start, size) = (table.structure.rows, Int(table.stamp.size))
    guard start + table.lengths.part < size else { return try run() }
    let file = try table.reader()
    let part = try part(file, start, start + table.lengths.part)
    if part.hasFailed { return nil }
    try table.check(file)
    let rowCount =
      Double(part.rowCount) * Double(size - start)
      / Double(Swift.max(1, part.end - start))
    return analysis(of: part, rowCount: Int(rowCount), check: CSVCheck())
  }

  private func part(
    _ file: FileReader, _ start: Int, _ end: Int,
    maximumRecordLength: Int = CSVScan.maximumRecordLength,
    unless isCancelled: () -> Bool = { false }
  ) throws(ProviderError) -> Part {
    var part = Part(start: start, end: start, kinds: selection.columns.map { _ in [] })
    var scan = CSVScan(
      file, table.structure, selection, start..<Swift.max(start, end),
      fileSize: Int(table.stamp.size), maximumRecordLength: maximumRecordLength,
      windowLength: table.lengths.window, checksUTF8: true)
    do {
      while !isCancelled(), try scan.next() { add(scan, to: &part) }
    } catch {
      guard error.code != .fileChanged, error.code != .fileSystem else { throw error }
      part.hasFailed = true
    }
    part.end = scan.position
    return part
  }

  private func add(_ scan: borrowing CSVScan, to part: inout Part) {
    part.rowCount += scan.count
    guard !selection.columns.isEmpty else { return }
    var kinds = part.kinds
    var keyCount = 0
    scan.forEachValue { _, slot, text in
      if slot == selection.keySlot { keyCount += part.addKey(text) ? 1 : 0 }
      // Values of other kinds do not change the type of a text column.
      if kinds[slot].contains(.text) || selection.textSlots[slot] { return }
      kinds[slot].formUnion(TableCollector.ColumnKinds(TableCollector.TextKind(text)))
    }
    if selection.keySlot != nil, keyCount < scan.count { part.hasKeys = false }
    part.kinds = kinds
  }

  private func analysis(
    of part: Part, rowCount: Int, check: CSVCheck?
  ) -> CSVFileTable.Analysis? {
    var types: [TableCollector.ColumnType] = []
    for (kinds, isText) in zip(part.kinds, selection.textSlots) {
      guard let type = isText ? .text : kinds.type else { return nil }
      types.append(type)
    }
    if let keySlot = selection.keySlot {
      guard types[keySlot] == .integer, part.hasKeys, part.rowCount > 0 else { return nil }
    }
    return CSVFileTable.Analysis(
      selection: selection, kinds: part.kinds, types: types, rowCount: rowCount, check: check)
  }
}

extension CSVAnalysis.Part {
  /// Adds a key.
  ///
  /// - Returns: Whether the key is an integer that is greater than the last one.
  @inline(__always)
  fileprivate mutating func addKey(_ text: Span<UInt8>) -> Bool {
    guard case .integer(let key) = TableCollector.TextKind(text) else { return false }
    if let lastKey, key <= lastKey { return false }
    if firstKey == nil { firstKey = key }
    lastKey = key
    return true
  }

  /// Adds the next part.
  fileprivate mutating func add(_ next: Self) {
    end = next.end
    rowCount += next.rowCount
    for slot in kinds.indices { kinds[slot].formUnion(next.kinds[slot]) }
    if let lastKey, let nextKey = next.firstKey, nextKey <= lastKey { hasKeys = false }
    hasKeys = hasKeys && next.hasKeys
    firstKey = firstKey ?? next.firstKey
    lastKey = next.lastKey ?? lastKey
  }
}

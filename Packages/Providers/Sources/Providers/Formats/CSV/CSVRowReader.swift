internal import Dispatch
internal import Primitives

/// Reads the rows of a CSV file that can satisfy the conditions of a query, in the order of the
/// file.
struct CSVRowReader {
  private let file: CSVFileTable
  private let conditions: [CSVCondition]
  private let reader: FileReader
  private var scan: CSVScan
  /// The number of rows that were read.
  private var count = 0
  /// The number that must be read; `nil` if it is unknown.
  private let rowCount: Int?
  private var check: CSVRowCheck?
  private let storesNumbers: Bool

  init(
    _ file: CSVFileTable, _ analysis: CSVFileTable.Analysis, _ conditions: [CSVCondition]
  ) throws(ProviderError) {
    self.file = file
    self.conditions = conditions
    storesNumbers = analysis.readsRowID
    rowCount = analysis.exactRowCount
    if rowCount == nil { check = CSVRowCheck(analysis) }
    reader = try file.reader()
    let size = Int(file.stamp.size)
    scan = CSVScan(
      reader, file.structure, analysis.selection, file.structure.rows..<size, fileSize: size,
      windowLength: file.lengths.window, checksUTF8: rowCount == nil)
  }

  /// Replaces rows by the next ones; by none at the end.
  ///
  /// - Parameters:
  ///   - rows: Receives the rows.
  ///   - isCancelled: Returns whether no rows are needed.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` if the rows are not those
  ///   that were analyzed, or with ``ProviderError/Code/schemaMismatch`` if they contradict the
  ///   ones that were.
  mutating func next(
    into rows: inout CSVRows, unless isCancelled: () -> Bool = { false }
  ) throws(ProviderError) {
    repeat {
      guard !isCancelled() else { return rows.removeAll() }
      do {
        guard try scan.next() else { return try end(&rows) }
      } catch {
        // The records were valid when they were analyzed.
        throw error.code == .fileSystem || error.code == .fileChanged ? error : contradiction()
      }
      guard rows.set(scan, firstNumber: storesNumbers ? Int64(count) + 1 : nil),
        check?.add(scan, rows) ?? true
      else { throw contradiction() }
      count += scan.count
      if !conditions.isEmpty { rows.remove(unless: conditions) }
    } while rows.count == 0
  }

  private mutating func end(_ rows: inout CSVRows) throws(ProviderError) {
    rows.removeAll()
    try file.check(reader)
    if let rowCount {
      guard count == rowCount else { throw .fileChanged(file.path) }
    } else {
      guard check?.hasSameTypes != false else { throw contradiction() }
      file.analysis?.check?.pass(rowCount: count)
    }
  }

  private func contradiction() -> ProviderError {
    guard check != nil, let shared = file.analysis?.check else { return .fileChanged(file.path) }
    return shared.contradict(file.path)
  }
}

/// Reads the rows of a CSV file ahead, on another thread than SQLite's.
///
/// If the file is small, the rows are read when they are needed.
final class CSVReadAhead {
  private let work: Work
  private let isConcurrent: Bool
  private let interruption: CSVInterruption

  /// The rows that are read while the ones before them are used.
  ///
  /// `@unchecked Sendable`: `isDone` is signaled by the thread that reads, after its last access to
  /// `reader`, `rows` and `failure`, and awaited by the other one before its accesses.
  private final class Work: @unchecked Sendable {
    var reader: CSVRowReader
    var rows: CSVRows
    var failure: ProviderError?
    let isDone = DispatchSemaphore(value: 0)
    let isCancelled = Atomic(false)

    init(_ reader: CSVRowReader, _ rows: CSVRows) { (self.reader, self.rows) = (reader, rows) }

    func run() {
      do {
        try reader.next(into: &rows) { isCancelled.load(ordering: .relaxed) }
      } catch {
        failure = error
      }
      isDone.signal()
    }
  }

  private static let queue = DispatchQueue(label: "holt CSV reader", attributes: .concurrent)

  /// - Parameter isConcurrent: Whether the rows are read on another thread.
  init(
    _ reader: CSVRowReader, _ rows: CSVRows, isConcurrent: Bool, _ interruption: CSVInterruption
  ) {
    work = Work(reader, rows)
    self.interruption = interruption
    self.isConcurrent = isConcurrent
    if isConcurrent { start() }
  }

  deinit { work.isCancelled.store(true, ordering: .relaxed) }

  private func start() { Self.queue.async { [work] in work.run() } }

  /// Replaces rows by the next ones; by none at the end. The function must not be called after it
  /// has thrown an error or returned no rows.
  ///
  /// - Throws: The errors of ``CSVRowReader/next(into:unless:)``, or `SQLiteError` if the statement
  ///   was interrupted.
  func next(into rows: inout CSVRows) throws {
    guard isConcurrent else {
      try interruption.check()
      return try work.reader.next(into: &rows)
    }
    try interruption.wait(for: work.isDone)
    if let failure = work.failure { throw failure }
    swap(&work.rows, &rows)
    if rows.count > 0 { start() }
  }
}

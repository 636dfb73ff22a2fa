internal import Primitives
internal import SQLiteCore

/// Copies tables from one provider to another, whatever their sources are.
///
/// ```swift
/// let report = try DataTransfer().copy(from: jsonProvider, to: sqliteProvider)
/// print(report)  // Category: 12 rows, Person: 3,400 rows
/// ```
///
/// All that is read is of one moment of the source. Rows go over one by one, and are committed in batches; then counts
/// and checksums are compared. A copy that was interrupted can go on: see ``ExistingTables/continued``. Indexes, views
/// and triggers follow once all rows are there; triggers don't fire, neither those of the source nor those that the
/// target has, and references are looked at afterwards.
///
/// What a copy has come to is in a table `holt_transfer` of the target, until it is over.
public struct DataTransfer: Sendable {
  /// The tables to copy, each once; `nil` for all, with their indexes, views and triggers.
  public var tables: [String]?
  /// What becomes of tables that the target has already.
  public var existingTables: ExistingTables
  /// How many rows are committed together.
  public var batchSize: Int
  /// Whether the target is persisted after each table, so that a copy to a file can go on after a crash.
  public var persistsEachTable: Bool

  /// What becomes of tables that the target has already.
  public enum ExistingTables: Hashable, Sendable {
    /// The copy is refused, before anything is written.
    case refused
    /// They are dropped, with their rows, and made anew.
    case replaced
    /// They keep their rows, and get those of the source besides, column by column by their names. A copy that was
    /// interrupted can't go on: which rows are whose is not known afterwards.
    case appended
    /// They were begun by a copy that was interrupted: what is there already, and is what the source has, is not
    /// copied again. Others are refused, and so are those that have rows which are not this copy's.
    case continued
  }

  public init(
    tables: [String]? = nil, existingTables: ExistingTables = .refused, batchSize: Int = 5_000,
    persistsEachTable: Bool = false
  ) {
    self.tables = tables
    self.existingTables = existingTables
    self.batchSize = batchSize
    self.persistsEachTable = persistsEachTable
  }

  /// Copies, and persists the target.
  ///
  /// - Parameters:
  ///   - source: What is copied.
  ///   - target: Where to.
  ///   - progress: Is told of each batch. What it throws ends the copy; what was committed stays.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable`` for a table that the source lacks, with
  ///   ``ProviderError/Code/tableExists``, with ``ProviderError/Code/danglingReference`` where rows refer to a table that
  ///   is not copied, and the target lacks it, with ``ProviderError/Code/transferMismatch`` where the target holds other rows
  ///   than the source afterwards; as `DataProvider.persist(overwritingChanges:)` of the target; `SQLiteError` of a row
  ///   that the target refuses.
  @discardableResult
  public func copy(
    from source: some DataProvider, to target: some DataProvider,
    progress: (CopyProgress) throws -> Void = { _ in }
  ) throws -> Report {
    for provider in [source, target] as [any DataProvider] where provider.session.isInTransaction {
      throw ProviderError(.transactionOpen, "a transaction is open: end it before")
    }
    let report = try source.read { connection in
      var run = try TransferRun(self, from: connection, to: target)
      return try run.copy(progress)
    }
    try target.persist()
    return report
  }

  /// Copies, on a thread of its own. A task that is cancelled ends it after a batch; what was committed stays.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  @discardableResult
  public func copy(
    from source: some DataProvider, to target: some DataProvider,
    progress: @escaping @Sendable (CopyProgress) throws -> Void = { _ in }
  ) async throws -> Report {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await performBlocking {
        try copy(from: source, to: target) { step in
          try cancellation.check()
          try progress(step)
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

extension DataTransfer {
  /// How far a copy has come.
  public struct CopyProgress: Hashable, Sendable {
    /// The table that is copied.
    public var table: String
    /// The rows of it that are there.
    public var tableRows: Int
    /// The rows of all tables that are there.
    public var completedRows: Int
    /// The rows of all tables that are to be copied.
    public var totalRows: Int
  }
}

extension DataTransfer {
  /// What a copy came to.
  public struct Report: Hashable, Sendable, CustomStringConvertible {
    /// The tables, in the order in which they were copied.
    public internal(set) var tables: [Table] = []
    /// How many indexes, views and triggers were made.
    public internal(set) var countMismatch = 0

    /// A table that was copied.
    public struct Table: Hashable, Sendable {
      public let name: String
      /// How many rows the source has.
      public let rowCount: Int
      /// How many of these were there from an earlier copy.
      public let keptCount: Int
      /// The sum of the rows' checksums, which is that of the rows in the target.
      public let checksum: UInt64
    }

    /// How many rows the source has.
    public var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }

    public var description: String {
      tables.map { "\($0.name): \($0.rowCount) \($0.rowCount == 1 ? "row" : "rows")" }
        .joined(separator: ", ")
    }
  }
}

/// A wish to stop, told by one thread and heard by another.
final class Cancellation: Sendable {
  private let isCancelled = Atomic<Bool>(false)

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  func check() throws(CancellationError) {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }
}

internal import Primitives
internal import SQLiteCore

/// Copies tables between providers with any kinds of sources.
///
/// ```swift
/// let report = try DataTransfer().copy(from: jsonProvider, to: sqliteProvider)
/// print(report)  // Category: 12 rows, Person: 3,400 rows
/// ```
///
/// The copy reads one snapshot of the source. Rows are copied one by one and committed in batches;
/// then row counts and checksums are compared. An interrupted copy can be continued: see
/// ``ExistingTables/continued``. Indexes, views and triggers are created after all rows were
/// copied. Triggers of the source and of the target do not fire, and foreign keys are checked at
/// the end.
///
/// The state of an unfinished copy is in a table `holt_transfer` of the target.
public struct DataTransfer: Sendable {
  /// The tables to copy, without duplicates; `nil` for all tables, with their indexes, views and
  /// triggers.
  public var tables: [String]?
  /// The handling of tables that exist in the target.
  public var existingTables: ExistingTables
  /// The number of rows that are committed together.
  public var batchSize: Int
  /// A Boolean value that indicates whether to persist the target after each table, so that a copy
  /// to a file can be continued after a crash.
  public var persistsEachTable: Bool

  /// The handling of tables that exist in the target.
  public enum ExistingTables: Hashable, Sendable {
    /// The copy is refused before anything is written.
    case refused
    /// The tables are dropped, with their rows, and created again.
    case replaced
    /// The tables keep their rows. The source's rows are added, with columns matched by name. An
    /// interrupted copy can't be continued, because the origin of the rows is then unknown.
    case appended
    /// The tables were created by an interrupted copy: rows that were copied and are unchanged in
    /// the source are not copied again. Other tables are refused, including tables with rows that
    /// do not belong to the copy.
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

  /// Copies tables, and persists the target.
  ///
  /// - Parameters:
  ///   - source: The provider to copy from.
  ///   - target: The provider to copy to.
  ///   - progress: Called after each batch. An error that it throws ends the copy; committed rows
  ///     are kept.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable`` for a table that the
  ///   source lacks, with ``ProviderError/Code/tableExists``, with
  ///   ``ProviderError/Code/danglingReference`` if rows refer to a table that is neither copied nor
  ///   in the target, or with ``ProviderError/Code/transferMismatch`` if the target's rows differ
  ///   from the source's after the copy; the same errors as
  ///   `DataProvider.persist(overwritingChanges:)` of the target; `SQLiteError` for a row that the
  ///   target refuses.
  @discardableResult
  public func copy(
    from source: some DataProvider, to target: some DataProvider,
    progress: (CopyProgress) throws -> Void = { _ in }
  ) throws -> Report {
    for provider in [source, target] as [any DataProvider] where provider.session.isInTransaction {
      throw ProviderError(.transactionOpen, "a transaction is open: end it first")
    }
    let report = try source.read { connection in
      var run = try TransferRun(self, from: connection, to: target)
      return try run.copy(progress)
    }
    try target.persist()
    return report
  }

  /// Copies tables on another thread. Cancelling the task ends the copy after a batch; committed
  /// rows are kept.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  @discardableResult
  public func copy(
    from source: some DataProvider, to target: some DataProvider,
    progress: @escaping @Sendable (CopyProgress) throws -> Void = { _ in }
  ) async throws -> Report {
    let isCancelled = Atomic(false)
    return try await withTaskCancellationHandler {
      try await performBlocking {
        try copy(from: source, to: target) { step in
          if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
          try progress(step)
        }
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }
}

extension DataTransfer {
  /// The progress of a copy.
  public struct CopyProgress: Hashable, Sendable {
    /// The table that is being copied.
    public var table: String
    /// The number of the table's rows in the target.
    public var tableRows: Int
    /// The number of all tables' rows in the target.
    public var completedRows: Int
    /// The number of all tables' rows to copy.
    public var totalRows: Int
  }
}

extension DataTransfer {
  /// The result of a copy.
  public struct Report: Hashable, Sendable, CustomStringConvertible {
    /// The tables, in the order in which they were copied.
    public internal(set) var tables: [Table] = []
    /// The number of indexes, views and triggers that were created.
    public internal(set) var createdObjectCount = 0

    /// A table that was copied.
    public struct Table: Hashable, Sendable {
      public let name: String
      /// The number of rows in the source.
      public let rowCount: Int
      /// The number of these rows that an earlier copy had copied.
      public let keptCount: Int
      /// The sum of the checksums of the source's rows, which equals the sum for the target's rows.
      public let checksum: UInt64
    }

    /// The number of rows in the source.
    public var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }

    public var description: String {
      tables.map { "\($0.name): \($0.rowCount) \($0.rowCount == 1 ? "row" : "rows")" }
        .joined(separator: ", ")
    }
  }
}

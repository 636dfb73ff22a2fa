internal import SQLiteCore
internal import Primitives

/// Detects whether a staging database has changed since it was read or written.
///
/// SQLite counts row changes, including changes that a rollback reverts. A transaction's count is
/// therefore applied when it commits, and discarded when it rolls back. Writes to blobs are not
/// counted; the preupdate hook reports them.
///
/// `@unchecked Sendable`: `hasCommitted` is atomic; all other state is accessed only with exclusive
/// access to the connection.
final class DirtyTracker: TransactionObserver, @unchecked Sendable {
  /// A Boolean value that indicates whether a transaction has committed, which may not have changed
  /// anything.
  private let hasCommitted = Atomic<Bool>(false)
  private weak var connection: Connection?
  /// The connection's change count at the end of the last transaction.
  private var changeCount = 0
  private var hasWrittenBlob = false
  private var hasChangedRows = false
  /// The state of the database when it was last read or written; `nil` before that.
  private var cleanFingerprint: Fingerprint?

  let interests: Hooks.ChangeInterests? = Hooks.ChangeInterests(Hooks.ChangeInterest())

  init(_ connection: Connection) throws {
    self.connection = connection
    try connection.hooks.add(self)
  }

  /// A Boolean value that indicates whether the database may have changed. Can be called on any
  /// thread.
  var mayHaveChanged: Bool { hasCommitted.load(ordering: .relaxed) }

  /// Returns whether the database has changed.
  func hasChanged(_ connection: Connection) throws -> Bool {
    try hasChangedRows || cleanFingerprint == nil || cleanFingerprint != Fingerprint(of: connection)
  }

  /// Marks the current state as unchanged.
  func markClean(_ connection: Connection) throws {
    cleanFingerprint = try Fingerprint(of: connection)
    changeCount = connection.totalChangeCount
    (hasChangedRows, hasWrittenBlob) = (false, false)
    hasCommitted.store(false, ordering: .relaxed)
  }

  func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool { false }

  func willChange(_ change: borrowing Hooks.RowChange) {
    if change.blobColumn != nil { hasWrittenBlob = true }
  }

  func didCommit() {
    if takeChangeCount() || hasWrittenBlob { hasChangedRows = true }
    hasWrittenBlob = false
    hasCommitted.store(true, ordering: .relaxed)
  }

  func didRollback() {
    _ = takeChangeCount()
    hasWrittenBlob = false
  }

  /// Returns whether rows changed in the transaction that has ended, and updates the change count.
  private func takeChangeCount() -> Bool {
    guard let count = connection?.totalChangeCount else { return true }
    defer { changeCount = count }
    return count != changeCount
  }

  /// Counters that change with modifications other than row changes.
  private struct Fingerprint: Equatable {
    let content: UInt64
    let values: [Int]

    init(of connection: Connection) throws {
      content = connection.contentGeneration
      // The last one changes when another connection commits.
      values = try ["schema_version", "user_version", "application_id", "data_version"].map {
        try connection.pragma($0, as: Int.self) ?? 0
      }
    }
  }
}

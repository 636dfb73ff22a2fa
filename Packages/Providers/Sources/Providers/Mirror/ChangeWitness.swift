internal import SQLiteCore
internal import Primitives

/// Tells whether a private database has changed since it was read or written.
///
/// Rows are counted by SQLite, also those that a rollback brings back: so that what was counted in a transaction is
/// taken for changed once that is committed, and forgotten where it is rolled back. Bytes that are written into a blob
/// are not counted; of them the hook tells that comes before each change.
///
/// `@unchecked Sendable`: `hasCommitted` is atomic; all else is used in the turn of the connection, by whoever has it.
final class ChangeWitness: TransactionObserver, @unchecked Sendable {
  /// Whether there was a commit, which may have changed nothing.
  private let hasCommitted = Atomic<Bool>(false)
  private weak var connection: Connection?
  /// The connection's count of changes as the last transaction ended.
  private var changeCount = 0
  private var hasWrittenBlob = false
  private var hasChangedRows = false
  /// The database as it was read or written; `nil` where it was neither.
  private var numbers: Numbers?

  let interests: Hooks.ChangeInterests? = Hooks.ChangeInterests(Hooks.ChangeInterest())

  init(_ connection: Connection) throws {
    self.connection = connection
    try connection.hooks.add(self)
  }

  /// Whether the database may have changed: asked at any time, by anyone.
  var mayHaveChanged: Bool { hasCommitted.load(ordering: .relaxed) }

  /// Whether the database has changed.
  func hasChanged(_ connection: Connection) throws -> Bool {
    try hasChangedRows || numbers == nil || numbers != Numbers(of: connection)
  }

  /// Takes it as it is from now on for unchanged.
  func begin(_ connection: Connection) throws {
    numbers = try Numbers(of: connection)
    changeCount = connection.totalChangeCount
    (hasChangedRows, hasWrittenBlob) = (false, false)
    hasCommitted.store(false, ordering: .relaxed)
  }

  func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool { false }

  func willChange(_ change: borrowing Hooks.RowChange) {
    if change.blobColumn != nil { hasWrittenBlob = true }
  }

  func didCommit() {
    if settledCount() || hasWrittenBlob { hasChangedRows = true }
    hasWrittenBlob = false
    hasCommitted.store(true, ordering: .relaxed)
  }

  func didRollback() {
    _ = settledCount()
    hasWrittenBlob = false
  }

  /// Whether rows were counted in the transaction that has ended.
  private func settledCount() -> Bool {
    guard let count = connection?.totalChangeCount else { return true }
    defer { changeCount = count }
    return count != changeCount
  }

  /// What tells of changes that no row does.
  private struct Numbers: Equatable {
    let content: UInt64
    let values: [Int]

    init(of connection: Connection) throws {
      content = connection.contentGeneration
      // The last one changes as another connection commits.
      values = try ["schema_version", "user_version", "application_id", "data_version"].map {
        try connection.pragma($0, as: Int.self) ?? 0
      }
    }
  }
}

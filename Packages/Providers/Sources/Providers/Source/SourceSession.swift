internal import Primitives
internal import SQLiteCore

/// Manages the open source of a ``DataProvider``.
///
/// Releasing a session with unsaved changes discards them, because writing errors could not be
/// reported.
public final class SourceSession: Sendable {
  struct State {
    var source: (any OpenedSource)?
    var isReadOnly = false
    var transaction: Database.Transaction?
    /// Incremented for each opened source. Saving a source to another file does not change it.
    var openGeneration: UInt64 = 0
  }

  private let store: any Store
  private let directories: Directories
  let state = Mutex(State())
  /// Serializes opening, writing and closing a source, and beginning and ending a transaction.
  private let lifecycle = Mutex(())

  public init(store: some Store, directories: Directories = .standard) {
    self.store = store
    self.directories = directories
  }

  var isOpen: Bool { state.withLock { $0.source != nil } }
  var isReadOnly: Bool { state.withLock { $0.source != nil && $0.isReadOnly } }
  var path: String? { state.withLock(\.source)?.path }
  var hasUnsavedChanges: Bool { state.withLock(\.source)?.hasUnsavedChanges ?? false }

  func source() throws(ProviderError) -> any OpenedSource {
    guard let source = state.withLock(\.source) else { throw Self.notOpen }
    return source
  }

  func writableSource() throws(ProviderError) -> any OpenedSource {
    let (source, isReadOnly) = state.withLock { ($0.source, $0.isReadOnly) }
    guard let source else { throw Self.notOpen }
    guard !isReadOnly else { throw Self.readOnly(source) }
    return source
  }

  static let notOpen = ProviderError(.notOpen, "no source is open")

  static func readOnly(_ source: any OpenedSource) -> ProviderError {
    ProviderError(.readOnly, "the source was opened as read-only", file: source.path)
  }

  // MARK: Mutual exclusion

  /// Serializes operations that open, write or close a source.
  ///
  /// The operation may wait for the database. A call inside an access to the database is refused,
  /// because it would deadlock.
  func withLifecycleLock<Result>(_ body: () throws -> Result) throws -> Result {
    try state.withLock(\.source)?.database.checkNotNested()
    return try lifecycle.withLock { _ in try body() }
  }

  /// Calls `body` while writers of the source are blocked.
  private func blockingWriters<Result>(
    of source: any OpenedSource, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let database = source.database
    // If there is only one connection, a read blocks writers.
    return database.path == nil || database.configuration.isReadOnly
      ? try database.read(body) : try database.writeWithoutTransaction(body)
  }

  // MARK: Opening and closing

  func open(_ location: Location, isReadOnly: Bool) throws {
    try replace(by: location, isReadOnly: isReadOnly, mustCreate: false)
  }

  func create(_ location: Location) throws {
    try replace(by: location, isReadOnly: false, mustCreate: true)
  }

  private func replace(
    by location: Location, isReadOnly: Bool, mustCreate: Bool
  ) throws {
    let path = try directories.path(of: location)
    try withLifecycleLock {
      try closeLocked(discardingChanges: false)
      var request = Request(path: path, isReadOnly: isReadOnly, mustCreate: mustCreate)
      switch location {
      case .bundle(let name):
        request.isImmutable = isReadOnly
        guard let template = path, !isReadOnly else { break }
        request.path = try directories.path(of: .documents(name))
        try request.path.map { try store.copy(template, toPath: $0) }
      case .documents:
        if !isReadOnly { try path.map { try SourceFiles.createParentFolder(of: $0) } }
      case .path, .memory: break
      }
      let source = try store.open(request)
      state.withLock { state in
        state.source = source
        state.isReadOnly = isReadOnly
        state.openGeneration += 1
      }
    }
  }

  func close(discardingChanges: Bool) throws {
    try withLifecycleLock { try closeLocked(discardingChanges: discardingChanges) }
  }

  private func closeLocked(discardingChanges: Bool) throws {
    guard let source = state.withLock(\.source) else { return }
    if !discardingChanges { try refuseInTransaction() }
    guard !discardingChanges, !isReadOnly, !source.writesImmediately else { return detach(source) }
    // Writes that succeeded before this access are in the file; later writers are refused.
    try blockingWriters(of: source) { connection in
      if source.hasUnsavedChanges {
        try source.persist(connection, overwritingChanges: false)
      }
      detach(source)
    }
  }

  /// Closes the source. Waiting accesses fail because the database is closed and no source is open.
  private func detach(_ source: any OpenedSource) {
    let transaction = state.withLock { state in
      state.source = nil
      return state.transaction.take()
    }
    transaction?.rollBack()
    source.close()
  }

  // MARK: Writing

  func persist(overwritingChanges: Bool) throws {
    try withLifecycleLock {
      let source = try source()
      try refuseInTransaction()
      guard !isReadOnly, source.hasUnsavedChanges else { return }
      try blockingWriters(of: source) { connection in
        try source.persist(connection, overwritingChanges: overwritingChanges)
      }
    }
  }

  func save(to location: Location) throws {
    guard let path = try directories.path(of: location) else {
      throw ProviderError(.invalidName, "a source can only be saved to a file")
    }
    try withLifecycleLock {
      let source = try source()
      try refuseInTransaction()
      if case .documents = location { try SourceFiles.createParentFolder(of: path) }
      let former = source.path
      try blockingWriters(of: source) { connection in
        let saved = try source.saved(connection, toPath: path)
        state.withLock { state in
          // The source may be the same object with another path.
          if saved.path != former { state.isReadOnly = false }
          state.source = saved
        }
        // Waiting writers continue with the new source.
        if saved !== source { source.close() }
      }
    }
  }

  func delete(_ location: Location) throws {
    guard let path = try directories.path(of: location) else {
      throw ProviderError(.invalidName, "a source in memory can't be deleted: close it")
    }
    try withLifecycleLock {
      guard let open = state.withLock(\.source)?.path,
        SourceFiles.isSameEntry(path, as: open)
      else { return try store.delete(atPath: path) }
      try closeLocked(discardingChanges: true)
      do {
        try store.delete(atPath: path)
      } catch let error as ProviderError where error.code == .notFound {
        // The source was new, and has never been written.
      }
    }
  }

  private func refuseInTransaction() throws(ProviderError) {
    guard !isInTransaction else {
      throw ProviderError(.transactionOpen, "a transaction is open: end it first")
    }
  }
}

/// Transactions that stay open between calls.
extension SourceSession {
  /// A Boolean value that indicates whether a transaction begun by ``beginTransaction()`` is open.
  var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

  func beginTransaction() throws {
    try withLifecycleLock {
      let source = try writableSource()
      if let transaction = state.withLock(\.transaction) {
        try transaction.savepoint()
      } else {
        let transaction = try source.database.beginTransaction()
        state.withLock { $0.transaction = transaction }
      }
    }
  }

  func endTransaction() throws {
    try finishTransaction {
      try $0.releaseSavepoint()
    } end: {
      try $0.commit()
    }
  }

  func rollBackTransaction() throws {
    try finishTransaction {
      try $0.rollBackSavepoint()
    } end: {
      $0.rollBack()
    }
  }

  private func finishTransaction(
    savepoint: (Database.Transaction) throws -> Void, end: (Database.Transaction) throws -> Void
  ) throws {
    try withLifecycleLock {
      guard let transaction = state.withLock(\.transaction) else {
        _ = try source()
        throw ProviderError(.noTransaction, "no transaction is open")
      }
      if transaction.savepointCount > 0 { return try savepoint(transaction) }
      // Accesses that begin now wait for the transaction's end, whether it succeeds or fails.
      state.withLock { $0.transaction = nil }
      try end(transaction)
    }
  }
}

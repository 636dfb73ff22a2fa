internal import Primitives
internal import SQLiteCore

/// What a provider has open: the engine behind ``DataProvider``.
///
/// One that is let go with changes that were not written loses them: nobody could be told why they can't be
/// written.
public final class SourceSession: Sendable {
  struct State {
    var source: (any OpenedSource)?
    var isReadOnly = false
    var transaction: Database.Transaction?
    /// Another number for each source that is opened; one that is saved under another name is still the same.
    var opening: UInt64 = 0
  }

  private let store: any Store
  private let directories: Directories
  let state = Mutex(State())
  /// Held by what opens, writes or closes a source, and by what begins or ends a transaction: one of these at a time.
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

  static let notOpen = ProviderError(.notOpen, "the provider has no source open")

  static func readOnly(_ source: any OpenedSource) -> ProviderError {
    ProviderError(.readOnly, "the source was opened for reading alone", file: source.path)
  }

  // MARK: One at a time

  /// Runs what opens, writes or closes a source.
  ///
  /// It may wait for the database. So who is inside an access to that doesn't wait for it: each would wait for the
  /// other.
  func inTurn<Result>(_ body: () throws -> Result) throws -> Result {
    try state.withLock(\.source)?.database.checkNotNested()
    return try lifecycle.withLock { _ in try body() }
  }

  /// Runs `body` while nobody writes to the source: what was written before is all that there will be until it ends.
  private func withoutWriters<Result>(
    of source: any OpenedSource, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let database = source.database
    // Where there is one connection, who reads has that.
    return database.path == nil || database.configuration.isReadOnly
      ? try database.read(body) : try database.writeWithoutTransaction(body)
  }

  // MARK: Opening and closing

  func open(_ location: CallSite, isReadOnly: Bool) throws {
    try replace(by: location, isReadOnly: isReadOnly, isToExist: false)
  }

  func create(_ location: CallSite) throws {
    try replace(by: location, isReadOnly: false, isToExist: true)
  }

  private func replace(
    by location: CallSite, isReadOnly: Bool, isToExist: Bool
  ) throws {
    let path = try directories.path(of: location)
    try inTurn {
      try closeInTurn(discardingChanges: false)
      var request = Request(path: path, isReadOnly: isReadOnly, isToExist: isToExist)
      switch location {
      case .bundle(let name):
        request.isImmutable = isReadOnly
        guard let template = path, !isReadOnly else { break }
        request.path = try directories.path(of: .documents(name))
        try request.path.map { try store.copy(template, toPath: $0) }
      case .documents:
        if !isReadOnly { try path.map { try SourceFiles.makeFolder(of: $0) } }
      case .path, .memory: break
      }
      let source = try store.open(request)
      state.withLock { state in
        state.source = source
        state.isReadOnly = isReadOnly
        state.opening += 1
      }
    }
  }

  func close(discardingChanges: Bool) throws {
    try inTurn { try closeInTurn(discardingChanges: discardingChanges) }
  }

  private func closeInTurn(discardingChanges: Bool) throws {
    guard let source = state.withLock(\.source) else { return }
    if !discardingChanges { try refuseInTransaction() }
    guard !discardingChanges, !isReadOnly, !source.writesAtOnce else { return leave(source) }
    // Who is told that they have written has done so before this, and is in the file; who comes later is refused.
    try withoutWriters(of: source) { connection in
      if source.hasUnsavedChanges {
        try source.persist(connection, overwritingChanges: false)
      }
      leave(source)
    }
  }

  /// Who waits for the database finds that it is closed, and that there is none.
  private func leave(_ source: any OpenedSource) {
    let transaction = state.withLock { state in
      state.source = nil
      return state.transaction.take()
    }
    transaction?.rollBack()
    source.close()
  }

  // MARK: Writing

  func persist(overwritingChanges: Bool) throws {
    try inTurn {
      let source = try source()
      try refuseInTransaction()
      guard !isReadOnly, source.hasUnsavedChanges else { return }
      try withoutWriters(of: source) { connection in
        try source.persist(connection, overwritingChanges: overwritingChanges)
      }
    }
  }

  func save(to location: CallSite) throws {
    guard let path = try directories.path(of: location) else {
      throw ProviderError(.invalidName, "a source is saved to a file")
    }
    try inTurn {
      let source = try source()
      try refuseInTransaction()
      if case .documents = location { try SourceFiles.makeFolder(of: path) }
      let former = source.path
      try withoutWriters(of: source) { connection in
        let saved = try source.saved(connection, toPath: path)
        state.withLock { state in
          // The source may be the same, and at another path by now.
          if saved.path != former { state.isReadOnly = false }
          state.source = saved
        }
        // Who waits to write finds the other one.
        if saved !== source { source.close() }
      }
    }
  }

  func delete(_ location: CallSite) throws {
    guard let path = try directories.path(of: location) else {
      throw ProviderError(.invalidName, "a source in memory is deleted as it is closed")
    }
    try inTurn {
      guard let open = state.withLock(\.source)?.path,
        SourceFiles.removing(path, removes: open)
      else { return try store.delete(atPath: path) }
      try closeInTurn(discardingChanges: true)
      do {
        try store.delete(atPath: path)
      } catch let error as ProviderError where error.code == .notFound {
        // It was new, and never written.
      }
    }
  }

  private func refuseInTransaction() throws(ProviderError) {
    guard !isInTransaction else {
      throw ProviderError(.transactionOpen, "a transaction is open: end it before")
    }
  }
}

/// Transactions that stay open from one call to the next.
extension SourceSession {
  /// Whether a transaction is open that ``beginTransaction()`` began.
  var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

  func beginTransaction() throws {
    try inTurn {
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
    try leaveTransaction {
      try $0.releaseSavepoint()
    } end: {
      try $0.commit()
    }
  }

  func rollBackTransaction() throws {
    try leaveTransaction {
      try $0.rollBackSavepoint()
    } end: {
      $0.rollBack()
    }
  }

  private func leaveTransaction(
    part: (Database.Transaction) throws -> Void, end: (Database.Transaction) throws -> Void
  ) throws {
    try inTurn {
      guard let transaction = state.withLock(\.transaction) else {
        _ = try source()
        throw ProviderError(.noTransaction, "no transaction was begun")
      }
      if transaction.savepointCount > 0 { return try part(transaction) }
      // Accesses that begin from here on wait for the transaction's end, whether by success or failure.
      state.withLock { $0.transaction = nil }
      try end(transaction)
    }
  }
}

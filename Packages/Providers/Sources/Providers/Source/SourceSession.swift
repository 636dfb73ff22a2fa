internal import SQLiteCore
internal import Synchronization

/// What a provider has open: the engine behind ``DataProvider``.
///
/// One that is let go with changes that were not written loses them: nobody could be told why they can't be
/// written.
public final class SourceSession: Sendable {
  private struct State {
    var source: (any OpenedSource)?
    var isReadOnly = false
    var transaction: DatabaseTransaction?
    /// How many transactions have begun inside of it.
    var depth = 0
  }

  private let store: any SourceStore
  private let directories: SourceDirectories
  private let state = Mutex(State())
  /// Held by what opens, writes or closes a source: one of these at a time.
  private let lifecycle = Mutex(())

  public init(store: some SourceStore, directories: SourceDirectories = .standard) {
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

  private static let notOpen = ProviderError(.notOpen, "the provider has no source open")

  // MARK: Opening and closing

  func open(_ location: SourcePlace, isReadOnly: Bool) throws {
    try replace(by: location, isReadOnly: isReadOnly, isToExist: false)
  }

  func create(_ location: SourcePlace) throws {
    try replace(by: location, isReadOnly: false, isToExist: true)
  }

  private func replace(
    by location: SourcePlace, isReadOnly: Bool, isToExist: Bool
  ) throws {
    let path = try directories.path(of: location)
    try lifecycle.withLock { _ in
      try closeHoldingLock(discardingChanges: false)
      var request = SourceRequest(path: path, isReadOnly: isReadOnly, isToExist: isToExist)
      switch location {
      case .bundle(let name):
        request.isImmutable = isReadOnly
        guard let template = path, !isReadOnly else { break }
        request.path = try directories.path(of: .documents(name))
        try request.path.map { try SourceFiles.copyTemplate(template, to: $0) }
      case .documents:
        if !isReadOnly { try path.map { try SourceFiles.makeFolder(of: $0) } }
      case .path, .memory: break
      }
      let source = try store.open(request)
      state.withLock { state in
        state.source = source
        state.isReadOnly = isReadOnly
      }
    }
  }

  func close(discardingChanges: Bool) throws {
    try lifecycle.withLock { _ in try closeHoldingLock(discardingChanges: discardingChanges) }
  }

  private func closeHoldingLock(discardingChanges: Bool) throws {
    guard let source = state.withLock(\.source) else { return }
    if discardingChanges {
      state.withLock { $0.transaction.take() }?.rollBack()
    } else {
      try persistHoldingLock(source, overwritingChanges: false)
    }
    let transaction = state.withLock { state in
      state.source = nil
      state.depth = 0
      return state.transaction.take()
    }
    transaction?.rollBack()
    source.close()
  }

  // MARK: Writing

  func persist(overwritingChanges: Bool) throws {
    try lifecycle.withLock { _ in
      try persistHoldingLock(source(), overwritingChanges: overwritingChanges)
    }
  }

  private func persistHoldingLock(
    _ source: any OpenedSource, overwritingChanges: Bool
  ) throws {
    try refuseInTransaction()
    guard !isReadOnly, source.hasUnsavedChanges else { return }
    try source.persist(overwritingChanges: overwritingChanges)
  }

  func save(to location: SourcePlace) throws {
    guard let path = try directories.path(of: location) else {
      throw ProviderError(.invalidName, "a source is saved to a file")
    }
    try lifecycle.withLock { _ in
      let source = try source()
      try refuseInTransaction()
      if case .documents = location { try SourceFiles.makeFolder(of: path) }
      let saved = try source.saved(toPath: path)
      state.withLock { state in
        if saved.path != source.path || !state.isReadOnly { state.isReadOnly = false }
        state.source = saved
      }
      if saved !== source { source.close() }
    }
  }

  func delete(_ location: SourcePlace) throws {
    guard let path = try directories.path(of: location) else {
      throw ProviderError(.invalidName, "a source in memory is deleted as it is closed")
    }
    try lifecycle.withLock { _ in
      if let open = state.withLock(\.source)?.path, SourceFiles.isSameFile(open, path) {
        try closeHoldingLock(discardingChanges: true)
      }
      try store.delete(atPath: path)
    }
  }

  private func refuseInTransaction() throws(ProviderError) {
    guard state.withLock({ $0.transaction == nil }) else {
      throw ProviderError(.transactionOpen, "a transaction is open: end it before")
    }
  }

  // MARK: Transactions

  func beginTransaction() throws {
    try lifecycle.withLock { _ in
      let source = try writableSource()
      if let transaction = state.withLock(\.transaction) {
        try transaction.savepoint()
        state.withLock { $0.depth += 1 }
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
    part: (DatabaseTransaction) throws -> Void, end: (DatabaseTransaction) throws -> Void
  ) throws {
    try lifecycle.withLock { _ in
      let (found, depth) = state.withLock { ($0.transaction, $0.depth) }
      guard let transaction = found else {
        _ = try source()
        throw ProviderError(.noTransaction, "no transaction was begun")
      }
      guard depth == 0 else {
        try part(transaction)
        return state.withLock { $0.depth -= 1 }
      }
      // Accesses that begin from here on wait for the transaction's end, whether by success or failure.
      state.withLock { $0.transaction = nil }
      try end(transaction)
    }
  }

  func writableSource() throws(ProviderError) -> any OpenedSource {
    let (source, isReadOnly) = state.withLock { ($0.source, $0.isReadOnly) }
    guard let source else { throw Self.notOpen }
    guard !isReadOnly else {
      throw ProviderError(
        .readOnly, "the source was opened for reading alone", file: source.path)
    }
    return source
  }

  /// Whether a transaction is open that ``beginTransaction()`` began.
  var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

  // MARK: Accesses

  /// Whether a transaction is no longer what accesses are a part of.
  private func hasEnded(_ transaction: DatabaseTransaction) -> Bool {
    state.withLock { $0.transaction !== transaction }
  }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let database = try source().database
    while let transaction = state.withLock(\.transaction) {
      do {
        return try transaction.read(body)
      } catch let error as SQLiteError
        where error.code == .transactionClosed && hasEnded(transaction)
      {
        // It ended meanwhile, and `body` was not called.
      }
    }
    return try database.read(body)
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let database = try writableSource().database
    while let transaction = state.withLock(\.transaction) {
      do {
        return try transaction.write(body)
      } catch let error as SQLiteError
        where error.code == .transactionClosed && hasEnded(transaction)
      {
        // As above.
      }
    }
    return try database.write(body)
  }

  /// Writes outside of a transaction, unless one is open: for changes of a table that others refer to.
  func writeWithoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let database = try writableSource().database
    if isInTransaction { return try write(body) }
    return try database.writeWithoutTransaction(body)
  }

  /// Writes likewise, on a thread of its own.
  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    let database = try writableSource().database
    if isInTransaction { return try await write(body) }
    return try await database.writeWithoutTransaction(body)
  }

  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    let database = try source().database
    while let transaction = state.withLock(\.transaction) {
      do {
        return try await transaction.read(body)
      } catch let error as SQLiteError
        where error.code == .transactionClosed && hasEnded(transaction)
      {
        // As above.
      }
    }
    return try await database.read(body)
  }

  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    let database = try writableSource().database
    while let transaction = state.withLock(\.transaction) {
      do {
        return try await transaction.write(body)
      } catch let error as SQLiteError
        where error.code == .transactionClosed && hasEnded(transaction)
      {
        // As above.
      }
    }
    return try await database.write(body)
  }
}

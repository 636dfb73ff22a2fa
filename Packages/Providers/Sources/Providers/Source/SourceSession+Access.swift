internal import SQLiteCore
internal import Primitives

/// Reading and writing the open source.
///
/// While an access waits, its transaction can end and its source can be closed. Unless its closure
/// was called, the access is then repeated with the successor: after the end of a transaction, or
/// if the source was saved to another file.
extension SourceSession {
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try access(.read, body)
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try access(.write, body)
  }

  /// Writes without a transaction, unless one is open: for changes of a table that others refer to.
  func writeWithoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try access(.writeWithoutTransaction, body)
  }

  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await access(.read, body)
  }

  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await access(.write, body)
  }

  /// Writes without a transaction on another thread, unless one is open.
  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await access(.writeWithoutTransaction, body)
  }

  private func access<Result>(
    _ mode: AccessMode, _ body: (Connection) throws -> Result
  ) throws -> Result {
    var target = try target(of: mode)
    while true {
      let hasBegun = Atomic(false)
      do {
        return try target.access(mode) { connection in
          hasBegun.store(true, ordering: .relaxed)
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, mode, hasBegun.load(ordering: .relaxed), error)
      }
    }
  }

  private func access<Result>(
    _ mode: AccessMode, _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    var target = try target(of: mode)
    while true {
      let hasBegun = Atomic(false)
      do {
        return try await target.access(mode) { connection -> sending Result in
          hasBegun.store(true, ordering: .relaxed)
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, mode, hasBegun.load(ordering: .relaxed), error)
      }
    }
  }

  private func target(of mode: AccessMode) throws(ProviderError) -> AccessTarget {
    let state = state.withLock { $0 }
    guard let source = state.source else { throw Self.notOpen }
    if mode != .read, state.isReadOnly { throw Self.readOnly(source) }
    return AccessTarget(
      source: source, openGeneration: state.openGeneration, transaction: state.transaction)
  }

  /// Returns the successor of a target that was closed before an access to it began.
  ///
  /// - Throws: `error` if the target was not closed; ``ProviderError`` with
  ///   ``ProviderError/Code/notOpen`` if there is no successor.
  private func successor(
    of target: AccessTarget, _ mode: AccessMode, _ hasBegun: Bool, _ error: any Error
  ) throws -> AccessTarget {
    guard !hasBegun, let code = (error as? SQLiteError)?.code else { throw error }
    let state = state.withLock { $0 }
    let isClosed =
      switch code {
      case .transactionClosed:
        target.transaction != nil && state.transaction !== target.transaction
      case .closed: state.source !== target.source
      default: false
      }
    guard isClosed else { throw error }
    guard state.openGeneration == target.openGeneration else { throw Self.notOpen }
    return try self.target(of: mode)
  }
}

private enum AccessMode {
  case read, write, writeWithoutTransaction
}

/// The target of an access: the open transaction, or the database.
private struct AccessTarget {
  let source: any SourceSession.OpenedSource
  let openGeneration: UInt64
  let transaction: Database.Transaction?

  func access<Result>(
    _ mode: AccessMode, _ body: (Connection) throws -> Result
  ) throws -> Result {
    switch (mode, transaction) {
    case (.read, let transaction?): try transaction.read(body)
    case (_, let transaction?): try transaction.write(body)
    case (.read, nil): try source.database.read(body)
    case (.write, nil): try source.database.write(body)
    case (.writeWithoutTransaction, nil): try source.database.writeWithoutTransaction(body)
    }
  }

  func access<Result>(
    _ mode: AccessMode, _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    switch (mode, transaction) {
    case (.read, let transaction?): return try await transaction.read(body)
    case (_, let transaction?): return try await transaction.write(body)
    case (.read, nil): return try await source.database.read(body)
    case (.write, nil): return try await source.database.write(body)
    case (.writeWithoutTransaction, nil):
      return try await source.database.writeWithoutTransaction(body)
    }
  }
}

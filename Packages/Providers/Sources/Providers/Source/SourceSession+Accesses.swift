internal import SQLiteCore
internal import Primitives

/// Reading and writing the open source.
///
/// While an access waits, its transaction can end and its source can be closed. Unless its closure
/// was called, the access is then repeated with the successor: after the end of a transaction, or
/// if the source was saved to another file.
extension SourceSession {
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    var target = try target(isWriting: false)
    while true {
      let progress = AccessStartFlag()
      do {
        return try target.read { connection in
          progress.begin()
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, isWriting: false, progress, error)
      }
    }
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    var target = try target(isWriting: true)
    while true {
      let progress = AccessStartFlag()
      do {
        return try target.write { connection in
          progress.begin()
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, isWriting: true, progress, error)
      }
    }
  }

  /// Writes without a transaction, unless one is open: for changes of a table that others refer to.
  func writeWithoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    var target = try target(isWriting: true)
    while true {
      let progress = AccessStartFlag()
      do {
        return try target.writeWithoutTransaction { connection in
          progress.begin()
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, isWriting: true, progress, error)
      }
    }
  }

  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    var target = try target(isWriting: false)
    while true {
      let progress = AccessStartFlag()
      do {
        return try await target.read { connection -> sending Result in
          progress.begin()
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, isWriting: false, progress, error)
      }
    }
  }

  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    var target = try target(isWriting: true)
    while true {
      let progress = AccessStartFlag()
      do {
        return try await target.write { connection -> sending Result in
          progress.begin()
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, isWriting: true, progress, error)
      }
    }
  }

  /// Writes without a transaction on another thread, unless one is open.
  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    var target = try target(isWriting: true)
    while true {
      let progress = AccessStartFlag()
      do {
        return try await target.writeWithoutTransaction { connection -> sending Result in
          progress.begin()
          return try body(connection)
        }
      } catch {
        target = try successor(of: target, isWriting: true, progress, error)
      }
    }
  }

  private func target(isWriting: Bool) throws(ProviderError) -> AccessTarget {
    let state = state.withLock { $0 }
    guard let source = state.source else { throw Self.notOpen }
    if isWriting, state.isReadOnly { throw Self.readOnly(source) }
    return AccessTarget(
      source: source, openGeneration: state.openGeneration, transaction: state.transaction)
  }

  /// Returns the successor of a target that was closed before an access to it began.
  ///
  /// - Throws: `error` if the target was not closed; ``ProviderError`` with
  ///   ``ProviderError/Code/notOpen`` if there is no successor.
  private func successor(
    of target: AccessTarget, isWriting: Bool, _ progress: AccessStartFlag, _ error: any Error
  ) throws -> AccessTarget {
    guard !progress.hasBegun, let code = (error as? SQLiteError)?.code else { throw error }
    let state = state.withLock { $0 }
    let isGone =
      switch code {
      case .transactionClosed:
        target.transaction != nil && state.transaction !== target.transaction
      case .closed: state.source !== target.source
      default: false
      }
    guard isGone else { throw error }
    guard state.openGeneration == target.openGeneration else { throw Self.notOpen }
    return try self.target(isWriting: isWriting)
  }
}

/// Records whether an access has called its closure.
private final class AccessStartFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  func begin() { flag.store(true, ordering: .relaxed) }
  var hasBegun: Bool { flag.load(ordering: .relaxed) }
}

/// The target of an access: the open transaction, or the database.
private struct AccessTarget {
  let source: any SourceSession.OpenedSource
  let openGeneration: UInt64
  let transaction: Database.Transaction?

  private var database: Database { source.database }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    if let transaction { return try transaction.read(body) }
    return try database.read(body)
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    if let transaction { return try transaction.write(body) }
    return try database.write(body)
  }

  func writeWithoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    if let transaction { return try transaction.write(body) }
    return try database.writeWithoutTransaction(body)
  }

  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    if let transaction { return try await transaction.read(body) }
    return try await database.read(body)
  }

  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    if let transaction { return try await transaction.write(body) }
    return try await database.write(body)
  }

  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    if let transaction { return try await transaction.write(body) }
    return try await database.writeWithoutTransaction(body)
  }
}

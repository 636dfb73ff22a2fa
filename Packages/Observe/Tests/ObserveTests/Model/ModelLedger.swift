import Foundation
import SQLiteCore

/// The true history, as reported by the writers: the observers' values are checked against it.
///
/// `@unchecked Sendable`: `lock` guards the other properties.
final class ModelLedger: @unchecked Sendable {
  private let lock = NSLock()
  private var lastVersion = 0
  private var committed: Set<Int> = [0]
  private var last = 0
  private var rollbackCount = 0
  private var found: [String] = []
  private var lines: [String] = []
  private var commitCount = 0

  /// Returns a number for a transaction that begins: later ones have higher numbers, whether or not they commit.
  func newVersion() -> Int {
    lock.withLock {
      lastVersion += 1
      return lastVersion
    }
  }

  func didCommit(_ version: Int?) {
    lock.withLock {
      commitCount += 1
      guard let version else { return }
      committed.insert(version)
      last = max(last, version)
    }
  }

  func didRollback() { lock.withLock { rollbackCount += 1 } }

  func isCommitted(_ version: Int) -> Bool { lock.withLock { committed.contains(version) } }

  /// The last committed transaction.
  var lastCommitted: Int { lock.withLock { last } }

  var rollbacks: Int { lock.withLock { rollbackCount } }

  var commits: Int { lock.withLock { commitCount } }

  // MARK: Problems

  func report(_ problem: String) { lock.withLock { found.append(problem) } }

  var problems: [String] { lock.withLock { found } }

  /// Records a step; the last ones are printed with a failure.
  func trace(_ line: String) {
    lock.withLock {
      lines.append(line)
      if lines.count > 200 { lines.removeFirst(100) }
    }
  }

  var recent: [String] { lock.withLock { lines.suffix(60) } }
}

/// Follows the transactions of one writer, independently of the tested engine, and vetoes the commits that must fail.
///
/// `@unchecked Sendable`: `lock` guards `version` and `isVeto`.
final class ModelWitness: TransactionObserver, @unchecked Sendable {
  struct Veto: Error {}

  private let ledger: ModelLedger
  private let lock = NSLock()
  private var version: Int?
  private var isVeto = false

  init(_ ledger: ModelLedger) { self.ledger = ledger }

  /// Assigns a number to the current transaction, which readers find in their snapshot: in a table that no observer
  /// depends on.
  func begin(_ connection: Connection) throws {
    // Makes the transaction write, so that no other database commits between the number and the commit.
    try connection.execute("UPDATE version SET n = -1")
    let new = ledger.newVersion()
    lock.withLock { version = new }
    try connection.execute("UPDATE version SET n = \(new)")
  }

  func veto(_ isVeto: Bool) { lock.withLock { self.isVeto = isVeto } }

  func forget() { lock.withLock { version = nil } }

  func willCommit() throws { if lock.withLock({ isVeto }) { throw Veto() } }

  func didCommit() {
    ledger.didCommit(
      lock.withLock {
        defer { version = nil }
        return version
      })
  }

  func didRollback() {
    forget()
    ledger.didRollback()
  }
}

/// Blocks slow observers until it is opened.
///
/// `@unchecked Sendable`: `lock` guards the other properties.
final class ModelGate: @unchecked Sendable {
  private let lock = NSLock()
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    await withCheckedContinuation { continuation in
      let passes = lock.withLock {
        if !isOpen { waiting.append(continuation) }
        return isOpen
      }
      if passes { continuation.resume() }
    }
  }

  func open() {
    let released = lock.withLock {
      isOpen = true
      defer { waiting = [] }
      return waiting
    }
    for continuation in released { continuation.resume() }
  }

  func close() { lock.withLock { isOpen = false } }
}

/// The keys that instances had before a transaction, to be restored when it is rolled back.
final class KeyUndoLog {
  private var restoring: [() -> Void] = []

  /// Adds a closure that restores an instance's key.
  func note(_ restore: @escaping () -> Void) { restoring.append(restore) }

  /// Adds the keys recorded by a part of the transaction.
  func add(_ other: KeyUndoLog) { restoring += other.restoring }

  /// Restores the keys in reverse order.
  func restore() {
    for restore in restoring.reversed() { restore() }
    restoring = []
  }
}

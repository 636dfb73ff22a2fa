/// The keys that instances had before a transaction, to be restored when it is rolled back.
final class KeyUndoLog {
  private var entries: [() -> Void] = []

  /// Adds a closure that restores an instance's key.
  func append(_ restore: @escaping () -> Void) { entries.append(restore) }

  /// Adds the entries of a nested transaction.
  func append(contentsOf other: KeyUndoLog) { entries += other.entries }

  /// Restores the keys in reverse order.
  func restore() {
    for restore in entries.reversed() { restore() }
    entries = []
  }
}

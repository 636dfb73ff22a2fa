/// The keys that instances had before a transaction, to be given back to them where it is undone.
final class AdoptedKeys {
  private var restoring: [() -> Void] = []

  /// Adds a closure that gives one instance its key back.
  func note(_ restore: @escaping () -> Void) { restoring.append(restore) }

  /// Takes over what a part of the transaction has noted.
  func add(_ part: AdoptedKeys) { restoring += part.restoring }

  /// Gives the keys back, the last first.
  func restore() {
    for restore in restoring.reversed() { restore() }
    restoring = []
  }
}

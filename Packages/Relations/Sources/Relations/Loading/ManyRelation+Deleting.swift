internal import SQLiteCore

extension ManyRelation {
  /// Removes deleted rows from the list without recording changes to save.
  ///
  /// - Parameter revision: The session's revision of the deletion. Rows that were read before are
  ///   not shown.
  func applyDeletion(_ type: any Table.Type, _ deletedKeys: KeyMap<Void>, at revision: UInt64) {
    guard type == Target.Row.self else { return }
    let known = withCompactState { compact in
      compact.metadata.version = Swift.max(compact.metadata.version, revision)
      return compact.rows
    }
    if let known, !Self.rows(of: known).contains(where: { deletedKeys.contains($0.id.keyValues) }) {
      return
    }
    let (released, subscription) = with { $0.applyDeletion(deletedKeys, at: revision) }
    withExtendedLifetime(released) {}
    subscription?.touch(self)
  }
}

extension ManyRelation.State {
  /// Removes the rows with deleted keys.
  ///
  /// - Returns: The rows to release after the lock, and the subscription that must read again.
  mutating func applyDeletion(
    _ deletedKeys: KeyMap<Void>, at revision: UInt64
  ) -> ([Target], ListSubscription<Target>?) {
    schedule.recordWrite(at: revision)
    metadata.version += 1
    // The received rows may have been read before the deletion.
    let missed = pendingResult == nil ? nil : subscription
    pendingResult = nil
    guard !elements.isEmpty || !tail.isEmpty else { return ([], missed) }
    preserveShownOrder()
    let all = (elements + tail).map(\.object)
    // A deleted row is removed even if the list's kind does not allow edits.
    elements.removeAll { deletedKeys.contains($0.object.id.keyValues) }
    tail.removeAll { deletedKeys.contains($0.object.id.keyValues) }
    return (all, missed)
  }
}

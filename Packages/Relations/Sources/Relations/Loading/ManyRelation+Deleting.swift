internal import SQLiteCore

extension ManyRelation {
  /// Removes deleted rows from the list without recording changes to save.
  ///
  /// - Parameter moment: The session's revision of the deletion. Rows that were read before are not shown.
  func noteDeleted(_ type: any Table.Type, _ gone: KeyGroup, at moment: UInt64) {
    guard type == Target.Row.self else { return }
    let known = quietly { quiet in
      quiet.metadata.version = Swift.max(quiet.metadata.version, moment)
      return quiet.rows
    }
    if let known, !Self.rows(of: known).contains(where: { gone.contains($0.id.keyValues) }) {
      return
    }
    let (taken, follower) = with { $0.noteDeleted(gone, at: moment) }
    withExtendedLifetime(taken) {}
    follower?.touch(self)
  }
}

extension ManyRelation.State {
  /// Removes the rows with deleted keys.
  ///
  /// - Returns: The rows to release after the lock, and the subscription that must read again.
  mutating func noteDeleted(
    _ gone: KeyGroup, at moment: UInt64
  ) -> ([Target], ListFollower<Target>?) {
    schedule.noteWrite(at: moment)
    metadata.version += 1
    // The received rows may have been read before the deletion.
    let missed = life.arrived == nil ? nil : follower
    life.arrived = nil
    guard !elements.isEmpty || !tail.isEmpty else { return ([], missed) }
    keepShown()
    let all = (elements + tail).map(\.object)
    // A deleted row is removed even if the list's kind does not allow edits.
    elements.removeAll { gone.contains($0.object.id.keyValues) }
    tail.removeAll { gone.contains($0.object.id.keyValues) }
    return (all, missed)
  }
}

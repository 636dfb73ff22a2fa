internal import SQLiteCore

extension ManyRelation {
  /// Takes rows that were deleted out of the list: nothing is left to be written of them.
  ///
  /// - Parameter moment: The session's moment when the deletion was noted: rows that were read before are not shown.
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
  /// - Returns: What is to be released after the lock, and the follower that is to read again.
  mutating func noteDeleted(
    _ gone: KeyGroup, at moment: UInt64
  ) -> ([Target], ListFollower<Target>?) {
    schedule.noteWrite(at: moment)
    metadata.version += 1
    // What has arrived may have been read before.
    let missed = life.arrived == nil ? nil : follower
    life.arrived = nil
    guard !elements.isEmpty || !tail.isEmpty else { return ([], missed) }
    keepShown()
    let all = (elements + tail).map(\.object)
    // Those of owners that refuse to be without them are there no longer either.
    elements.removeAll { gone.contains($0.object.id.keyValues) }
    tail.removeAll { gone.contains($0.object.id.keyValues) }
    return (all, missed)
  }
}

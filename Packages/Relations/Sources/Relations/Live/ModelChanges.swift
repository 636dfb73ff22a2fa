extension ModelSession {
  /// What has become of models because their rows were changed by someone else, or by this session's own saves.
  public struct Changes: Sendable {
    /// Those that have become what their rows say by now.
    public var changed: [any Model] = []
    /// Those whose rows say something else, but that have changes of their own, which stay. Their other columns have become what
    /// the rows say, where the type's policy is ``ModelSession/ConflictPolicy/keepMine``.
    public var conflicting: [any Model] = []
    /// Those whose rows are gone. Saving one is an error with code ``RelationError/Code/missingRow``.
    public var deleted: [any Model] = []

    public var isEmpty: Bool { changed.isEmpty && conflicting.isEmpty && deleted.isEmpty }

    mutating func add(_ other: Changes) {
      changed += other.changed
      conflicting += other.conflicting
      deleted += other.deleted
    }
  }
}

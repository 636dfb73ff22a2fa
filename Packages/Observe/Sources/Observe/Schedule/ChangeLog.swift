/// The change sets of a database's recent commits, by number; older ones are merged into one.
///
/// Who knows up to which commit he has seen can so be told what he missed, however long he was away:
/// exactly, or, after very long, by tables and columns.
struct ChangeLog {
  /// How much is kept apart.
  struct Limits: Sendable {
    var count = 256
    var bytes = 4 * 1_024 * 1_024
  }

  /// The number of the last commit; 0 before the first.
  private(set) var latest: UInt64 = 0
  private let limits: Limits
  private var recent: [ChangeSet] = []
  private var recentWeight = 0
  /// Everything before ``recent``.
  private var merged: ChangeSet?

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Numbers a commit and keeps what it changed.
  mutating func append(_ changes: ChangeSet) -> ChangeSet {
    latest += 1
    var changes = changes
    changes.sequences = latest...latest
    recent.append(changes)
    recentWeight += changes.weight
    if recent.count > limits.count || (recentWeight > limits.bytes && recent.count > 1) {
      mergeOldest()
    }
    return changes
  }

  /// Numbers a commit that matters to nobody who has seen less, and forgets all that came before.
  mutating func skip() {
    latest += 1
    recent.removeAll(keepingCapacity: true)
    recentWeight = 0
    merged = nil
  }

  /// Whether a value that was read when commit `sequence` was the last may be another by now.
  func overlaps(_ region: Region, after sequence: UInt64) -> Bool {
    if sequence >= latest { return false }
    if sequence < firstRecent - 1, let merged, region.overlaps(merged) { return true }
    return recent[index(after: sequence)...].contains { region.overlaps($0) }
  }

  /// The first change set after a commit that matters to a region.
  func next(after sequence: UInt64, in region: Region) -> ChangeSet? {
    if sequence >= latest { return nil }
    if sequence < firstRecent - 1, var merged, region.overlaps(merged) {
      merged.sequences = (sequence + 1)...merged.sequences.upperBound
      return merged
    }
    return recent[index(after: sequence)...].first { region.overlaps($0) }
  }

  private var firstRecent: UInt64 { latest + 1 - UInt64(recent.count) }

  private func index(after sequence: UInt64) -> Int {
    sequence < firstRecent ? 0 : Int(sequence + 1 - firstRecent)
  }

  /// Half at once, so that most commits cost nothing here.
  private mutating func mergeOldest() {
    let count = max(1, recent.count / 2)
    for changes in recent[..<count] {
      if merged == nil { merged = changes }
      merged?.merge(changes)
    }
    recent.removeFirst(count)
    recentWeight = recent.reduce(0) { $0 + $1.weight }
  }
}

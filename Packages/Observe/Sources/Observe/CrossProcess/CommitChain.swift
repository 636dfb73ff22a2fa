@_spi(Observing) internal import SQLiteCore

/// The commits of all processes to one file, as successive states of its log, with the changes that
/// this process has received.
///
/// A commit of this process, or of one that exchanges its changes, is a link from one state to the
/// next. States that no links connect indicate a commit of a process that does not publish its
/// changes.
struct CommitChain {
  struct Link: Equatable {
    var before: Connection.WALState
    /// `nil` if others committed before the state could be read.
    var after: Connection.WALState?
    /// The changes of another process; `nil` for a commit that was already delivered.
    var changes: ChangeSet?
  }

  /// The time to wait for the links of unknown commits.
  enum GapTimeout: Equatable {
    /// No process will publish the commit.
    case none
    case indefinite
    /// The wait for the commit after this state has timed out.
    case expiredAt(Connection.WALState)
  }

  /// The changes that have become known, and the state before a commit whose changes are not known
  /// yet, if there is one.
  typealias Progress = (changes: [ChangeSet], gap: Connection.WALState?)

  /// The state up to which all changes have been delivered.
  private(set) var known: Connection.WALState
  private var links: [Connection.WALState: Link] = [:]
  /// The states before this process's commits in progress.
  private var inProgress: Set<Connection.WALState> = []

  init(at state: Connection.WALState) { known = state }

  /// Called when a commit of this process begins. No other process can commit before it ends.
  mutating func begin(on before: Connection.WALState) { inProgress.insert(before) }

  mutating func rollBack(on before: Connection.WALState) { inProgress.remove(before) }

  /// Called when a commit of this process is done.
  ///
  /// - Returns: Whether others may have committed before it, so that ``advance(to:_:)`` must be
  ///   called.
  mutating func commit(on before: Connection.WALState, now: Connection.WALState) -> Bool {
    inProgress.remove(before)
    if before == now { return false }
    let isNext = now.number == before.number &+ 1
    guard known == before, isNext else {
      add(Link(before: before, after: isNext ? now : nil, changes: nil))
      return true
    }
    known = now
    return false
  }

  /// Adds a commit. Commits that are already known or delivered are ignored.
  mutating func add(_ link: Link) {
    guard !isPast(link.before), links[link.before] == nil else { return }
    links[link.before] = link
    if links.count > Self.maximumCount {
      // The chain has not advanced for a long time: the missing commits count as unknown.
      links = [:]
    }
  }

  private static let maximumCount = 4_096

  /// Indicates whether a commit of this process is in progress, which may be the missing link.
  var hasCommitInProgress: Bool { !inProgress.isEmpty }

  /// Advances to a state of the log.
  ///
  /// - Parameter gapTimeout: The time to wait for unknown commits. After that, they count as
  ///   changes of everything.
  mutating func advance(to current: Connection.WALState, _ gapTimeout: GapTimeout) -> Progress {
    var progress: Progress = ([], nil)
    while known != current {
      guard let link = links[known], let next = next(after: link, until: current) else {
        if gapTimeout == .none || gapTimeout == .expiredAt(known) {
          progress.changes.append(ChangeSet(isUnbounded: true))
          known = current
        } else {
          progress.gap = known
        }
        break
      }
      if let changes = link.changes { progress.changes.append(changes) }
      // Links written by other processes may form a cycle.
      links[known] = nil
      known = next
    }
    links = links.filter { !isPast($0.key) }
    return progress
  }

  /// Returns the state after a link: its own, or else the state before the next commit.
  private func next(after link: Link, until current: Connection.WALState) -> Connection.WALState? {
    if let after = link.after { return after }
    let number = link.before.number &+ 1
    if current.number == number { return current }
    return links.keys.first { $0.number == number }
  }

  /// Returns whether a state is older than the known one.
  private func isPast(_ state: Connection.WALState) -> Bool {
    Int32(bitPattern: state.number &- known.number) < 0
  }
}

/// The commits of this process's databases to one file, delivered in commit order.
///
/// A database takes a ticket before it commits, while no other database can commit. Its commit is
/// delivered when all earlier ones have been: by its own thread, or by the thread of a late earlier
/// commit.
struct CommitQueue<Commit> {
  private var last: UInt64 = 0
  /// A commit is `nil` until its outcome is known.
  private var slots: [(ticket: UInt64, commit: Commit?)] = []

  /// Indicates whether all commits have been delivered.
  var isEmpty: Bool { slots.isEmpty }

  /// Indicates whether the next commit can be delivered.
  var hasNext: Bool { slots.first?.commit != nil }

  mutating func take() -> UInt64 {
    last += 1
    slots.append((last, nil))
    return last
  }

  /// Records the commit of a ticket.
  mutating func finish(_ ticket: UInt64, _ commit: Commit) {
    guard let index = slots.firstIndex(where: { $0.ticket == ticket }) else { return }
    slots[index].commit = commit
  }

  /// Removes a ticket whose commit failed.
  mutating func withdraw(_ ticket: UInt64) { slots.removeAll { $0.ticket == ticket } }

  /// Returns the next commit that can be delivered, and removes it.
  mutating func next() -> Commit? {
    guard let commit = slots.first?.commit else { return nil }
    slots.removeFirst()
    return commit
  }
}

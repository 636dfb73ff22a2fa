@_spi(Observing) internal import SQLiteCore

/// The commits to one file by all processes, as states of its log that follow each other: which of them
/// this process has been told of, and which not.
///
/// A commit of this process, or of one that exchanges its changes, is a link from one state to the next. What
/// lies between two states that no links connect was committed by someone who tells nothing.
struct CommitChain {
  struct Link: Equatable {
    var before: Connection.LogState
    /// `nil` where others have committed before the state could be read.
    var after: Connection.LogState?
    /// What another process has changed; `nil` for a commit that has been told of already.
    var changes: ChangeSet?
  }

  /// How long commits are waited for of which nothing is known yet.
  enum Patience: Equatable {
    /// Nobody is going to tell.
    case none
    case endless
    /// The one that followed on this state has been waited for long enough.
    case endsAt(Connection.LogState)
  }

  /// What has become known.
  struct News: Equatable {
    var changes: [ChangeSet] = []
    /// The state on which a commit followed of which nothing is known yet.
    var gap: Connection.LogState?
  }

  /// The state up to which everything has been told.
  private(set) var known: Connection.LogState
  private var links: [Connection.LogState: Link] = [:]
  /// The states on which commits of this process that are under way follow.
  private var underWay: Set<Connection.LogState> = []

  init(at state: Connection.LogState) { known = state }

  /// A commit of this process begins, and nobody else can commit before it ends.
  mutating func begin(on before: Connection.LogState) { underWay.insert(before) }

  mutating func rollBack(on before: Connection.LogState) { underWay.remove(before) }

  /// A commit of this process is done.
  ///
  /// - Returns: Whether others may have committed before it, so that ``advance(to:_:)`` is due.
  mutating func commit(on before: Connection.LogState, now: Connection.LogState) -> Bool {
    underWay.remove(before)
    if before == now { return false }
    let isNext = now.number == before.number &+ 1
    guard known == before, isNext else {
      add(Link(before: before, after: isNext ? now : nil, changes: nil))
      return true
    }
    known = now
    return false
  }

  /// A commit has become known. One that is known already, or that was told of, is ignored.
  mutating func add(_ link: Link) {
    guard !isPast(link.before), links[link.before] == nil else { return }
    links[link.before] = link
    if links.count > Self.maximumCount {
      // Nobody has asked for long: what is missing is taken for unknown.
      links = [:]
    }
  }

  private static let maximumCount = 4_096

  /// Whether a commit of this process is under way, which may explain what is missing.
  var isExpecting: Bool { !underWay.isEmpty }

  /// Takes up what has happened until the log came to a state.
  ///
  /// - Parameter patience: Where what is not known is waited for no longer, and may have changed anything.
  mutating func advance(to current: Connection.LogState, _ patience: Patience) -> News {
    var news = News()
    while known != current {
      guard let link = links[known], let next = next(after: link, until: current) else {
        if patience == .none || patience == .endsAt(known) {
          news.changes.append(ChangeSet(isUnbounded: true))
          known = current
        } else {
          news.gap = known
        }
        break
      }
      if let changes = link.changes { news.changes.append(changes) }
      // What others have written may lead in a circle.
      links[known] = nil
      known = next
    }
    links = links.filter { !isPast($0.key) }
    return news
  }

  /// The state to which a link leads: which it says itself, or else the one on which the next commit follows.
  private func next(after link: Link, until current: Connection.LogState) -> Connection.LogState? {
    if let after = link.after { return after }
    let number = link.before.number &+ 1
    if current.number == number { return current }
    return links.keys.first { $0.number == number }
  }

  /// Whether a state is one before the one that is known.
  private func isPast(_ state: Connection.LogState) -> Bool {
    Int32(bitPattern: state.number &- known.number) < 0
  }
}

/// The commits of several databases of this process to one file, told in the order in which they were made.
///
/// A database takes its place before it commits, when no other can. Its commit is told when all before it are:
/// by its own thread, or by the one that is late.
struct CommitQueue<Commit> {
  private struct Place {
    let ticket: UInt64
    /// `nil` until it is known what has become of it.
    var commit: Commit?
  }

  private var last: UInt64 = 0
  private var places: [Place] = []

  /// Whether a commit is made that has not been told.
  var isEmpty: Bool { places.isEmpty }

  /// Whether the next one can be told.
  var hasNext: Bool { places.first?.commit != nil }

  mutating func take() -> UInt64 {
    last += 1
    places.append(Place(ticket: last))
    return last
  }

  /// A commit is made.
  mutating func finish(_ ticket: UInt64, _ commit: Commit) {
    guard let index = places.firstIndex(where: { $0.ticket == ticket }) else { return }
    places[index].commit = commit
  }

  /// A commit was not made.
  mutating func leave(_ ticket: UInt64) { places.removeAll { $0.ticket == ticket } }

  /// The next commit that can be told; it counts as told.
  mutating func next() -> Commit? {
    guard let commit = places.first?.commit else { return nil }
    places.removeFirst()
    return commit
  }
}

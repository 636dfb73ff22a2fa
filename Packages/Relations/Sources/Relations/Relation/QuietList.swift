internal import Observation
internal import Primitives

/// What a list knows, whatever its rows are: what is done for many lists at once is done with these.
///
/// Those who follow a list hold this, and not the list. As the list goes, it is emptied: it holds its owner no longer, nor rows.
@usableFromInline
final class ListCore: Sendable {
  let quiet = Mutex(QuietList())

  /// Notes that the list is there no longer.
  func release() {
    let former = quiet.withLock { quiet -> QuietList in
      let former = quiet
      quiet = QuietList()
      quiet.isReleased = true
      // What is being read for it comes too late.
      quiet.version = .max
      return former
    }
    // What was known is let go behind the lock.
    withExtendedLifetime(former) {}
  }

  var isReleased: Bool { quiet.withLock(\.isReleased) }

  /// Says whose property a quiet list is, and which.
  ///
  /// - Parameter key: The owner's key, where others share what tells of it.
  /// - Returns: Whether it is quiet.
  func attach(_ owner: RelationOwner, _ key: StoredKey, _ property: String) -> Bool {
    quiet.withLock { quiet in
      if quiet.full != nil { return false }
      quiet.setOwner(owner, key)
      quiet.property = property
      return true
    }
  }

  /// Has the list of a value that was not changed be followed.
  ///
  /// - Parameter follower: Its ``ListFollower``; `nil` where it stays as it is.
  /// - Returns: The owner's key; `nil` if the list is not of that kind.
  func note(_ follower: (any AnyObject & Sendable)?, linkKeys: Int) -> StoredKey? {
    quiet.withLock { quiet in
      guard quiet.full == nil, let key = quiet.lastingKey else { return nil }
      if let follower {
        quiet.follower = follower
        quiet.linkKeys = linkKeys
      }
      return key
    }
  }

  enum Taken {
    case taken
    /// The rows are not shown, since others were read or deleted after the read began.
    case stale
    /// The list has changes, or was looked at.
    case other
  }

  /// Shows rows that were read, if nothing is known that is newer.
  ///
  /// - Parameters:
  ///   - rows: The rows that were read; afterwards those that were shown before, to be released after the lock.
  ///   - moment: The session's moment when the read began.
  func take(_ rows: inout (any Sendable)?, at moment: UInt64) -> Taken {
    quiet.withLock { quiet in
      guard quiet.full == nil, quiet.registrar == nil else { return .other }
      guard moment >= quiet.version else { return .stale }
      swap(&rows, &quiet.rows)
      quiet.isLoaded = true
      quiet.version = moment
      return .taken
    }
  }
}

/// What is known of a list that was not changed, and not read but as a whole: this has one shape for lists of all types, and few
/// lists ever know more.
struct QuietList: Sendable {
  /// Whose it is, or what tells so of several.
  private var teller: RelationOwner?
  /// The owner's key, where others share what tells of it.
  private var key = StoredKey.none
  var property: String?
  var isLoaded = false
  /// Whether the list is there no longer.
  var isReleased = false
  /// How many of the values that its rows are ordered by are the keys of their links.
  var linkKeys = 0
  /// The session's moment as of which the rows are known.
  var version: UInt64 = 0
  /// All of its rows as they were read, an array; `nil` where there are none.
  var rows: (any Sendable)?
  /// Its ``ListFollower``.
  var follower: (any AnyObject & Sendable)?
  var registrar: ObservationRegistrar?
  /// Its ``FullList``, as soon as there is more to be known: then that alone counts.
  var full: (any AnyObject & Sendable)?

  init() {}

  /// Whose it is.
  var owner: RelationOwner? {
    if case .none = key { return teller }
    return teller.map { RelationOwner($0, key: key) }
  }

  /// The key of the owner, where that is a value.
  var lastingKey: StoredKey? {
    if case .none = key { return teller?.lastingKey }
    return key
  }

  mutating func setOwner(_ owner: RelationOwner, _ key: StoredKey) {
    teller = owner
    self.key = key
  }
}

/// All that a list may know.
final class FullList<Target: TableModel>: @unchecked Sendable {
  // Guarded by the lock of the list that has it.
  var state: ManyRelation<Target>.State

  init(_ state: ManyRelation<Target>.State) { self.state = state }
}

extension ManyRelation {
  /// Runs `body` with the state of the one that is the property by now.
  @inline(__always)
  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    var current = self
    while true {
      var successor: ManyRelation?
      let result = current.core.quiet.withLock { quiet -> Result? in
        let full = Self.full(&quiet)
        successor = full.state.successor
        return successor == nil ? body(&full.state) : nil
      }
      if let result { return result }
      // There is one or the other.
      if let successor { current = successor }
    }
  }

  /// Runs `body` with the list as long as it is quiet.
  ///
  /// - Returns: `nil` where it is not.
  @inline(__always)
  func quietly<Result: Sendable>(_ body: (inout QuietList) -> Result) -> Result? {
    core.quiet.withLock { quiet in quiet.full == nil ? body(&quiet) : nil }
  }

  /// Whether no more is known of it than that.
  var isQuiet: Bool { core.quiet.withLock { $0.full == nil } }

  /// The list that has taken the place of this one as a property.
  var successor: ManyRelation? {
    core.quiet.withLock { ($0.full as? FullList<Target>)?.state.successor }
  }

  /// Has the list know all that it may.
  private static func full(_ quiet: inout QuietList) -> FullList<Target> {
    if let known = quiet.full as? FullList<Target> { return known }
    let made = FullList(State(quiet))
    let isReleased = quiet.isReleased
    quiet = QuietList()
    quiet.isReleased = isReleased
    quiet.full = made
    return made
  }

  /// The rows of a quiet list.
  static func rows(of quiet: (any Sendable)?) -> [Target] { quiet as? [Target] ?? [] }
}

extension ManyRelation.State {
  fileprivate init(_ quiet: QuietList) {
    owner = quiet.owner
    property = quiet.property
    isLoaded = quiet.isLoaded
    elements = ManyRelation.rows(of: quiet.rows).map {
      ManyRelation.Element(position: 0, object: $0)
    }
    life.follower = (quiet.follower as? HeldFollower<Target>)?.follower
    life.linkKeys = quiet.linkKeys
    life.version = quiet.version
    life.registrar = quiet.registrar
    schedule = ListSchedule(current: quiet.version)
    // Nobody looks at the rows without having them observed.
    isShown = quiet.registrar != nil
  }
}

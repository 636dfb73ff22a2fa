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
      quiet.metadata.version = .max
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
      quiet.metadata.setOwner(owner, key)
      quiet.metadata.property = property
      return true
    }
  }

  /// Has the list of a value that was not changed be followed.
  ///
  /// - Parameter follower: Its ``ListFollower``; `nil` where it stays as it is.
  /// - Returns: The owner's key; `nil` if the list is not of that kind.
  func note(_ follower: (any AnyObject & Sendable)?, linkKeys: Int) -> StoredKey? {
    quiet.withLock { quiet in
      guard quiet.full == nil, let key = quiet.metadata.lastingKey else { return nil }
      if let follower {
        quiet.metadata.follower = follower
        quiet.metadata.linkKeys = linkKeys
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
      guard quiet.full == nil, quiet.metadata.registrar == nil else { return .other }
      guard moment >= quiet.metadata.version else { return .stale }
      swap(&rows, &quiet.rows)
      quiet.metadata.isLoaded = true
      quiet.metadata.version = moment
      return .taken
    }
  }
}

/// The state of a list that was not changed, and was only read as a whole: one layout for lists of all types. Few lists ever need more.
struct QuietList: Sendable {
  var metadata = ListMetadata()
  /// Whether the list is there no longer.
  var isReleased = false
  /// All of its rows as they were read, an array; `nil` where there are none.
  var rows: (any Sendable)?
  /// Its ``FullList``, as soon as there is more to be known: then that alone counts.
  var full: (any AnyObject & Sendable)?
}

/// The part of a list's state that does not depend on its rows.
struct ListMetadata: Sendable {
  /// The owner, or the object that the owners of several lists share.
  private var teller: RelationOwner?
  /// The owner's key, if others share ``teller``.
  private var key = StoredKey.none
  var property: String?
  /// Whether rows were fetched, or the owner is new and has none.
  var isLoaded = false
  /// The number of ordering values that are keys of links.
  var linkKeys = 0
  /// The session's moment as of which the rows of a quiet list are known. Of any other list, it changes with what was fetched, what
  /// has arrived and what was saved.
  var version: UInt64 = 0
  /// The list's ``HeldFollower``.
  var follower: (any AnyObject & Sendable)?
  var registrar: ObservationRegistrar?

  var owner: RelationOwner? {
    get {
      if case .none = key { return teller }
      return teller.map { RelationOwner($0, key: key) }
    }
    set {
      teller = newValue
      key = .none
    }
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

  /// Runs `body` with the metadata, however much is known of the list.
  @inline(__always)
  func metadata<Result: Sendable>(_ body: (inout ListMetadata) -> Result) -> Result {
    quietly { body(&$0.metadata) } ?? with { body(&$0.metadata) }
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
    metadata = quiet.metadata
    // It is asked for often from now on.
    metadata.owner = quiet.metadata.owner
    elements = ManyRelation.rows(of: quiet.rows).map {
      ManyRelation.Element(position: 0, object: $0)
    }
    schedule = ListSchedule(current: metadata.version)
    // Nobody looks at the rows without having them observed.
    isShown = metadata.registrar != nil
  }
}

/// What few values of a type have: where it is not there, it takes the room of one pointer.
struct Rare<Value: Sendable>: Sendable {
  // An array that is empty needs no memory of its own, and one of one element is changed where it stands.
  private(set) var held: [Value]

  init() { held = [] }

  var isThere: Bool { !held.isEmpty }

  /// Changes it; what it is where nothing is there, is made.
  subscript(or made: @autoclosure () -> Value) -> Value {
    get { held.isEmpty ? made() : held[0] }
    _modify {
      if held.isEmpty { held.append(made()) }
      yield &held[0]
    }
  }
}

internal import Observation
internal import Synchronization

/// What is known of a list that was not changed, and not read but as a whole: this has one shape for lists of all types, and few
/// lists ever know more.
struct QuietList: Sendable {
  var owner: RelationOwner?
  var property: String?
  var isLoaded = false
  /// Its ``ListRows``, all of them, as they were read; `nil` where there are none.
  var rows: (any AnyObject & Sendable)?
  /// Its ``ListFollower``.
  var follower: (any AnyObject & Sendable)?
  /// How many of the values that its rows are ordered by are the keys of their links.
  var linkKeys = 0
  /// Counts what was fetched and what has arrived.
  var version = 0
  var registrar: ObservationRegistrar?
  /// Its ``FullList``, as soon as there is more to be known: then that alone counts.
  var full: (any AnyObject & Sendable)?
}

/// Rows of a list.
final class ListRows<Target: TableModel>: Sendable {
  let all: [Target]

  init(_ all: [Target]) { self.all = all }
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
      let result = current.quiet.withLock { quiet -> Result? in
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
    quiet.withLock { quiet in quiet.full == nil ? body(&quiet) : nil }
  }

  /// Whether no more is known of it than that.
  var isQuiet: Bool { quiet.withLock { $0.full == nil } }

  /// The list that has taken the place of this one as a property.
  var successor: ManyRelation? {
    quiet.withLock { ($0.full as? FullList<Target>)?.state.successor }
  }

  /// Has the list know all that it may.
  private static func full(_ quiet: inout QuietList) -> FullList<Target> {
    if let known = quiet.full as? FullList<Target> { return known }
    let made = FullList(State(quiet))
    quiet = QuietList(full: made)
    return made
  }

  /// The rows of a quiet list.
  static func rows(of quiet: (any AnyObject & Sendable)?) -> [Target] {
    (quiet as? ListRows<Target>)?.all ?? []
  }
}

extension ManyRelation.State {
  fileprivate init(_ quiet: QuietList) {
    owner = quiet.owner
    property = quiet.property
    isLoaded = quiet.isLoaded
    elements = ManyRelation.rows(of: quiet.rows).map {
      ManyRelation.Element(position: 0, object: $0)
    }
    life.follower = quiet.follower as? ListFollower<Target>
    life.linkKeys = quiet.linkKeys
    life.version = quiet.version
    life.registrar = quiet.registrar
  }
}

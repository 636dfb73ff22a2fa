internal import Observation
internal import Primitives

/// The part of a list that does not depend on the type of its rows, so that operations on many
/// lists need no generic code.
///
/// Subscriptions hold the core, not the list. When the list is deallocated, its core is emptied,
/// which releases its owner and rows.
@usableFromInline
final class ListCore: Sendable {
  let compact = Mutex(CompactListState())

  /// Marks the list as deallocated.
  func release() {
    let former = compact.withLock { compact -> CompactListState in
      let former = compact
      compact = CompactListState()
      compact.isReleased = true
      // Rows that are being read for the list are discarded.
      compact.metadata.version = .max
      return former
    }
    // The former state is released after the lock.
    withExtendedLifetime(former) {}
  }

  var isReleased: Bool { compact.withLock(\.isReleased) }

  /// Sets the owner and property name of a list in compact state.
  ///
  /// - Parameter key: The owner's key, if several rows share `owner`.
  /// - Returns: Whether the list is in compact state.
  func attach(_ owner: RelationOwner, _ key: StoredKey, _ property: String) -> Bool {
    compact.withLock { compact in
      if compact.full != nil { return false }
      compact.metadata.setOwner(owner, key)
      compact.metadata.property = property
      return true
    }
  }

  /// Subscribes the unchanged list of a value to commits.
  ///
  /// - Parameter subscription: The list's ``ListSubscription``; `nil` leaves the subscription
  ///   unchanged.
  /// - Returns: The owner's key; `nil` if the list has changes or its owner is an instance.
  func subscribe(to subscription: (any AnyObject & Sendable)?, linkKeys: Int) -> StoredKey? {
    compact.withLock { compact in
      guard compact.full == nil, let key = compact.metadata.valueKey else { return nil }
      if let subscription {
        compact.metadata.subscription = subscription
        compact.metadata.linkKeys = linkKeys
      }
      return key
    }
  }

  enum ShowResult {
    case shown
    /// The rows are not shown, because newer rows were read, or rows were deleted, after the read
    /// began.
    case stale
    /// The list has changes or is observed.
    case needsFullState
  }

  /// Shows the rows that were read, unless the list has newer state.
  ///
  /// - Parameters:
  ///   - rows: The rows that were read. On return, the rows that were shown before, to be released
  ///     after the lock.
  ///   - revision: The session's revision when the read began.
  func show(_ rows: inout (any Sendable)?, at revision: UInt64) -> ShowResult {
    compact.withLock { compact in
      guard compact.full == nil, compact.metadata.registrar == nil else { return .needsFullState }
      guard revision >= compact.metadata.version else { return .stale }
      swap(&rows, &compact.rows)
      compact.metadata.isLoaded = true
      compact.metadata.version = revision
      return .shown
    }
  }
}

/// The state of an unchanged list that was only read as a whole, with the same layout for all row
/// types. Few lists ever need more.
struct CompactListState: Sendable {
  var metadata = ListMetadata()
  /// A Boolean value that indicates whether the list has been deallocated.
  var isReleased = false
  /// All rows of the list as an array; `nil` if there are none.
  var rows: (any Sendable)?
  /// The ``FullListState``, once the list needs one. It then holds the whole state.
  var full: (any AnyObject & Sendable)?
}

/// The part of a list's state that does not depend on its rows.
struct ListMetadata: Sendable {
  /// The owner, or the object shared by the owners of several lists.
  private var sharedOwner: RelationOwner?
  /// The owner's key, if others share ``sharedOwner``.
  private var key = StoredKey.none
  var property: String?
  /// A Boolean value that indicates whether rows were fetched, or the owner is new and has none.
  var isLoaded = false
  /// The number of ordering values that are keys of links.
  var linkKeys = 0
  /// For a list in compact state, the session's revision at which the rows were read. For any other
  /// list, a counter that changes with each fetch, received change and save.
  var version: UInt64 = 0
  /// The list's ``ListSubscriptionBox``.
  var subscription: (any AnyObject & Sendable)?
  var registrar: ObservationRegistrar?

  var owner: RelationOwner? {
    get {
      if case .none = key { return sharedOwner }
      return sharedOwner.map { RelationOwner($0, key: key) }
    }
    set {
      sharedOwner = newValue
      key = .none
    }
  }

  /// The owner's key, if the owner is a value.
  var valueKey: StoredKey? {
    if case .none = key { return sharedOwner?.valueKey }
    return key
  }

  mutating func setOwner(_ owner: RelationOwner, _ key: StoredKey) {
    sharedOwner = owner
    self.key = key
  }
}

/// The complete state of a list.
final class FullListState<Target: TableModel>: @unchecked Sendable {
  // Guarded by the lock of the list's core.
  var state: ManyRelation<Target>.State

  init(_ state: ManyRelation<Target>.State) { self.state = state }
}

extension ManyRelation {
  /// Calls `body` with the state of the list that is currently the property.
  @inline(__always)
  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    var current = self
    while true {
      var successor: ManyRelation?
      let result = current.core.compact.withLock { compact -> Result? in
        let full = Self.full(&compact)
        successor = full.state.successor
        return successor == nil ? body(&full.state) : nil
      }
      if let result { return result }
      // Either `result` or `successor` is non-nil.
      if let successor { current = successor }
    }
  }

  /// Calls `body` with the compact state.
  ///
  /// - Returns: `nil` if the list has full state.
  @inline(__always)
  func withCompactState<Result: Sendable>(_ body: (inout CompactListState) -> Result) -> Result? {
    core.compact.withLock { compact in compact.full == nil ? body(&compact) : nil }
  }

  /// Calls `body` with the metadata, in either state.
  @inline(__always)
  func metadata<Result: Sendable>(_ body: (inout ListMetadata) -> Result) -> Result {
    withCompactState { body(&$0.metadata) } ?? with { body(&$0.metadata) }
  }

  /// A Boolean value that indicates whether the list is in compact state.
  var isCompact: Bool { core.compact.withLock { $0.full == nil } }

  /// The list that has replaced this one as a property.
  var successor: ManyRelation? {
    core.compact.withLock { ($0.full as? FullListState<Target>)?.state.successor }
  }

  /// Returns the full state, converting the compact state if necessary.
  private static func full(_ compact: inout CompactListState) -> FullListState<Target> {
    if let existing = compact.full as? FullListState<Target> { return existing }
    let fullState = FullListState(State(compact))
    let isReleased = compact.isReleased
    compact = CompactListState()
    compact.isReleased = isReleased
    compact.full = fullState
    return fullState
  }

  /// Returns the rows of a list in compact state.
  static func rows(of compact: (any Sendable)?) -> [Target] { compact as? [Target] ?? [] }
}

extension ManyRelation.State {
  fileprivate init(_ compact: CompactListState) {
    metadata = compact.metadata
    // The owner is read often in full state, so it is created once.
    metadata.owner = compact.metadata.owner
    elements = ManyRelation.rows(of: compact.rows).map {
      ManyRelation.Element(position: 0, object: $0)
    }
    schedule = ListSchedule(current: metadata.version)
    // Rows are only shown by a property that registers observation.
    isShown = metadata.registrar != nil
  }
}

public import Observation
internal import SQLiteCore

extension ManyRelation: Observable {
  /// What has a list follow the commits.
  struct Life: Sendable {
    var follower: ListFollower<Target>?
    /// What was read for it, until somebody looks at it.
    var arrived: ListFollower<Target>.Answer?
    /// How many of the values that its rows are ordered by are the keys of their links.
    var linkKeys = 0
    /// Counts what was fetched and what has arrived.
    var version = 0
    /// Whether rows that are not shown stand before some that are.
    var hasUnshown = false
    var failure: (any Error)?
    var registrar: ObservationRegistrar?
  }

  /// What a follower has to know of a list.
  struct Asking: Sendable {
    let version: Int
    let places: Set<ListPlace<Target.ID>>
    /// How many rows have to be read, if none was added.
    let count: Int
  }

  var asking: Asking {
    let known = quietly { ($0.version, $0.rows) }
    if let (version, rows) = known {
      let places = Self.rows(of: rows).map { ListPlace(position: 0, link: [], id: $0.id) }
      return Asking(version: version, places: Set(places), count: places.count)
    }
    return with { state in
      let shown = state.elements.compactMap { ListPlace($0) }
      return Asking(
        version: state.life.version, places: Set(shown),
        count: shown.count + state.removed.count + state.removedLinks.count)
    }
  }

  func holds(_ keys: Set<[SQLiteValue]>) -> Bool {
    objects.contains { keys.contains($0.id.keyValues) }
  }

  // MARK: Beginning

  /// Has the list follow the commits from before it is read on.
  func follow(_ owner: RelationOwner, _ query: ListQuery<Target>) async throws {
    let key = owner.currentStoredKey
    guard let follower = follower(of: owner, query) else { return }
    try await follower.start()
    follower.add(FollowedLists(Followed(core: core, stored: key)))
    note(HeldFollower(follower), query)
  }

  /// - Returns: What is shown by now.
  @discardableResult
  func note(_ follower: HeldFollower<Target>, _ query: ListQuery<Target>) -> Int {
    let linkKeys = query.linkKeyCount
    let version = quietly { quiet in
      quiet.follower = follower
      quiet.linkKeys = linkKeys
      return quiet.version
    }
    return version
      ?? with { state in
        state.life.follower = follower.follower
        state.life.linkKeys = linkKeys
        return state.life.version
      }
  }

  /// What has lists of this relation follow the commits; `nil` where they don't.
  func follower(
    of owner: RelationOwner, _ query: ListQuery<Target>
  ) -> ListFollower<Target>? {
    guard let property = quietly(\.property) ?? with(\.property) else { return nil }
    return owner.session.listFollowers.follower(
      of: "\(owner.type.tableName) \(property) \(ObjectIdentifier(Target.self))"
    ) { ListFollower(query, owner.session) }
  }

  /// Counts a fetch whose rows are shown now.
  ///
  /// - Parameter version: What was shown as it began.
  func noteFetched(since version: Int) {
    let follower = with { state -> ListFollower<Target>? in
      let isOld = state.life.version != version
      state.life.version += 1
      return isOld ? state.life.follower : nil
    }
    // What has arrived meanwhile may be newer.
    follower?.touch(self)
  }

  /// Has the list be read again, where it is followed: what was fetched may be of an earlier moment.
  func noteFetchedEarlier() {
    let follower =
      if let follower = quietly(\.follower) {
        (follower as? HeldFollower<Target>)?.follower
      } else {
        with(\.life.follower)
      }
    follower?.touch(self)
  }

  // MARK: Commits

  /// Takes what a follower has read.
  ///
  /// - Returns: Whether it is newer than what is shown.
  func arrive(_ answer: ListFollower<Target>.Answer, since version: Int) -> Bool {
    let (isSame, isNew) = with { ($0.isShown(answer), $0.life.version == version) }
    guard isNew else { return false }
    var isTaken = true
    let take = {
      isTaken = self.with { state in
        guard state.life.version == version else { return false }
        state.life.failure = nil
        if !isSame {
          state.life.version += 1
          state.life.arrived = answer
        }
        return true
      }
    }
    if isSame, with({ $0.life.failure == nil }) { take() } else { mutate(take) }
    return isTaken
  }

  func fail(_ error: any Error) {
    mutate { with { $0.life.failure = error } }
  }

  /// Shows what has arrived, on the actor of whoever looks: instances are made and changed here.
  func absorb() {
    if !isQuiet { absorbArrived() }
  }

  @inline(never)
  private func absorbArrived() {
    guard with({ $0.life.arrived != nil }) else { return }
    let (answer, owner, pending) = with { state in
      defer { state.life.arrived = nil }
      return (state.life.arrived, state.owner, state)
    }
    guard let answer, let owner else { return }
    var rows = answer.rows
    if case .links = kind, !pending.removed.isEmpty {
      let removed = Set(pending.removed)
      rows.removeAll { removed.contains(Removed(position: $0.position, id: $0.fetched.row.id)) }
    }
    let isKept = pending.shows(rows)
    // Those that are being saved here are found already.
    var added = Set(pending.elements.filter { $0.position == nil }.map(\.object.id))
    added.formUnion(pending.tail.map(\.object.id))
    var kept: [ListQuery<Target>.Found] = []
    var hasOthers = false
    var isBefore = false
    for (found, isKept) in zip(rows, isKept) {
      if isKept {
        kept.append(found)
        isBefore = isBefore || hasOthers
      } else if !added.contains(found.fetched.row.id) {
        hasOthers = true
      }
    }
    let shown: [Element] =
      if case .links = kind {
        elements(kept, owner)
      } else {
        present(kept, owner, linkKeys: pending.life.linkKeys)
      }
    with { state in
      state.elements = state.merged(shown)
      state.hasUnfetched = hasOthers || !answer.isWhole
      // Behind what is shown by now. Pages of other lists go on behind those that were fetched, whatever came before these.
      if case .links = kind {
        state.life.hasUnshown = isBefore
        state.cursor = kept.last.map { [.integer($0.position)] }
      } else if kept.isEmpty {
        state.cursor = nil
      }
    }
  }

  // MARK: Observation

  /// What went wrong as a commit was followed, until that succeeds again; ``items`` stay as they were.
  public var failure: (any Error)? {
    access()
    return with(\.life.failure)
  }

  func access() {
    let known = quietly { quiet -> ObservationRegistrar in
      if let known = quiet.registrar { return known }
      let made = ObservationRegistrar()
      quiet.registrar = made
      return made
    }
    if let known { return Watched.access(by: known) }
    let registrar = with { state -> ObservationRegistrar in
      if let known = state.life.registrar { return known }
      let made = ObservationRegistrar()
      state.life.registrar = made
      return made
    }
    Watched.access(by: registrar)
  }

  func mutate(_ body: (inout State) -> Void) { mutate { with(body) } }

  /// Runs what changes the list, and tells those who have looked at it.
  func mutate(_ body: () -> Void) {
    guard let registrar = quietly(\.registrar) ?? with({ $0.life.registrar }) else {
      return body()
    }
    Watched.mutate(by: registrar, body)
  }
}

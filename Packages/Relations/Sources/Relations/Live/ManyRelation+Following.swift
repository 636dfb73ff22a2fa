public import Observation
internal import SQLiteCore

extension ManyRelation: Observable {
  /// What has a list follow the commits.
  struct Life: Sendable {
    /// What was read for it, until somebody looks at it.
    var arrived: ListFollower<Target>.Answer?
    /// Whether rows that are not shown stand before some that are.
    var hasUnshown = false
    var failure: (any Error)?
  }

  /// What a follower has to know of a list.
  struct Asking: Sendable {
    let version: UInt64
    let places: Set<ListPlace>
    /// How many rows have to be read, if none was added.
    let count: Int
  }

  var asking: Asking {
    let known = quietly { ($0.metadata.version, $0.rows) }
    if let (version, rows) = known {
      let places = Self.rows(of: rows).map {
        ListPlace(position: 0, link: [], key: StoredKey($0.id))
      }
      return Asking(version: version, places: Set(places), count: places.count)
    }
    return with { state in
      let shown = state.elements.compactMap { ListPlace($0) }
      return Asking(
        version: state.metadata.version, places: Set(shown),
        // Those that are not saved here may be so elsewhere.
        count: state.elements.count + state.tail.count + state.removed.count
          + state.removedLinks.count)
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

  func note(_ follower: HeldFollower<Target>, _ query: ListQuery<Target>) {
    let linkKeys = query.linkKeyCount
    metadata { metadata in
      metadata.follower = follower
      metadata.linkKeys = linkKeys
    }
  }

  /// What has lists of this relation follow the commits; `nil` where they don't.
  func follower(
    of owner: RelationOwner, _ query: ListQuery<Target>
  ) -> ListFollower<Target>? {
    guard let property = metadata(\.property) else { return nil }
    return owner.session.listFollowers.follower(
      of: "\(owner.type.tableName) \(property) \(ObjectIdentifier(Target.self))"
    ) { ListFollower(query, owner.session) }
  }

  /// Has the list be read again, where it is followed: what was fetched may be of an earlier moment.
  func noteFetchedEarlier() {
    (metadata(\.follower) as? HeldFollower<Target>)?.follower.touch(self)
  }

  // MARK: Commits

  /// Takes what a follower has read.
  ///
  /// - Returns: Whether it is newer than what is shown.
  func arrive(_ answer: ListFollower<Target>.Answer, since version: UInt64) -> Bool {
    let (isSame, isNew) = with { ($0.isShown(answer), $0.metadata.version == version) }
    guard isNew else { return false }
    var isTaken = true
    let take = {
      isTaken = self.with { state in
        guard state.metadata.version == version else { return false }
        state.life.failure = nil
        if !isSame {
          state.metadata.version += 1
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
  ///
  /// While the list is loaded or saved, that waits: what arrives then may be older than what is read, or saved.
  func absorb() {
    if !isQuiet, with(\.schedule.isIdle) { showArrived() }
  }

  @inline(never)
  func showArrived() {
    guard let (arrival, owner) = with({ $0.takeArrived(isInverse: isInverse) }) else { return }
    let shown =
      hasPositions
      ? elements(arrival.kept, owner)
      : present(arrival.kept, owner, linkKeys: arrival.linkKeys)
    with { $0.show(shown, arrival, hasPositions: hasPositions) }
  }

  // MARK: Observation

  /// What went wrong as a commit was followed, until that succeeds again; ``items`` stay as they were.
  public var failure: (any Error)? {
    access()
    return with(\.life.failure)
  }

  func access() {
    let registrar = metadata { metadata -> ObservationRegistrar in
      if let known = metadata.registrar { return known }
      let made = ObservationRegistrar()
      metadata.registrar = made
      return made
    }
    Watched.access(by: registrar)
  }

  func mutate(_ body: (inout State) -> Void) { mutate { with(body) } }

  /// Runs what changes the list, and tells those who have looked at it.
  func mutate(_ body: () -> Void) {
    guard let registrar = metadata(\.registrar) else { return body() }
    Watched.mutate(by: registrar, body)
  }
}

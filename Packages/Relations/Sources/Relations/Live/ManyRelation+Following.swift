public import Observation
internal import SQLiteCore

extension ManyRelation: Observable {
  /// What has a list follow the commits.
  struct Life: Sendable {
    var follower: ListFollower<Target>?
    /// What was read for it, until somebody looks at it.
    var arrived: ListFollower<Target>.Answer?
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
    let ids: Set<Target.ID>
    /// How many rows have to be read, if none was added.
    let count: Int
  }

  var asking: Asking {
    with { state in
      let shown = state.elements.filter { $0.position != nil }.map(\.object.id)
      return Asking(
        version: state.life.version, ids: Set(shown), count: shown.count + state.removed.count)
    }
  }

  func holds(_ keys: Set<[SQLiteValue]>) -> Bool {
    with { $0.elements.map(\.object.id) }.contains { keys.contains($0.keyValues) }
  }

  // MARK: Beginning

  /// Has the list follow the commits from before it is read on.
  func follow(_ owner: RelationOwner, _ query: ListQuery<Target>) async throws {
    // Of a way through other tables it is not known which rows lead to an owner.
    if case .path = kind { return }
    guard let property = with(\.property) else { return }
    let key = owner.currentKey
    let follower = owner.session.listFollowers.follower(
      of: "\(owner.type.tableName) \(property) \(ObjectIdentifier(Target.self))"
    ) { ListFollower(query, owner.session.database) }
    try await follower.start()
    follower.add(self, key)
    with { $0.life.follower = follower }
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

  /// Gives up what has arrived, since all rows were loaded; if that was newer, it arrives once more.
  func dropArrived() {
    let follower = with { state -> ListFollower<Target>? in
      let hadArrived = state.life.arrived != nil
      state.life.arrived = nil
      state.life.version += 1
      return hadArrived ? state.life.follower : nil
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
    let (answer, owner, pending) = with { state in
      defer { state.life.arrived = nil }
      return (state.life.arrived, state.owner, state)
    }
    guard let answer, let owner else { return }
    var left: [Target.ID: Int] = [:]
    for element in pending.elements where element.position != nil {
      left[element.object.id, default: 0] += 1
    }
    let removed = Set(pending.removed)
    var kept: [ListQuery<Target>.Found] = []
    var others: [ListQuery<Target>.Found] = []
    for found in answer.rows {
      if case .links = kind, removed.contains(found.position) { continue }
      if let count = left[found.fetched.row.id], count > 0 {
        left[found.fetched.row.id] = count - 1
        kept.append(found)
      } else {
        others.append(found)
      }
    }
    // Those that are being saved here are found already.
    var added = Set(pending.elements.filter { $0.position == nil }.map(\.object.id))
    added.formUnion(pending.tail.map(\.object.id))
    others.removeAll { added.contains($0.fetched.row.id) }
    let isBefore = kept.last.map { last in
      others.contains { $0.position < last.position }
    }
    let shown: [Element] =
      if case .links = kind { elements(kept, owner) } else { present(kept, owner, linkKeys: 0) }
    with { state in
      state.elements = state.merged(shown)
      state.hasUnfetched = !others.isEmpty || !answer.isWhole
      state.life.hasUnshown = isBefore ?? false
      if case .links = kind, let last = kept.last { state.cursor = [.integer(last.position)] }
    }
  }

  // MARK: Observation

  /// What went wrong as a commit was followed, until that succeeds again; ``items`` stay as they were.
  public var failure: (any Error)? {
    access(\.failure)
    return with(\.life.failure)
  }

  func access<Value>(_ path: KeyPath<ManyRelation, Value>) {
    let registrar = with { state -> ObservationRegistrar in
      if let known = state.life.registrar { return known }
      let made = ObservationRegistrar()
      state.life.registrar = made
      return made
    }
    registrar.access(self, keyPath: path)
  }

  func mutate(_ body: (inout State) -> Void) { mutate { with(body) } }

  /// Runs what changes the list, and tells those who have looked at it.
  func mutate(_ body: () -> Void) {
    guard let registrar = with(\.life.registrar) else { return body() }
    registrar.withMutation(of: self, keyPath: \.items) {
      registrar.withMutation(of: self, keyPath: \.hasMore) {
        registrar.withMutation(of: self, keyPath: \.failure) { body() }
      }
    }
  }
}

extension ManyRelation.State {
  /// Whether rows are just those that are shown.
  fileprivate func isShown(_ answer: ListFollower<Target>.Answer) -> Bool {
    guard life.arrived == nil, removed.isEmpty else { return false }
    let shown = elements.filter { $0.position != nil }
    let hasOthers = answer.rows.count > shown.count || !answer.isWhole
    return hasOthers == hasUnfetched && answer.rows.count >= shown.count
      && zip(answer.rows, shown).allSatisfy {
        $0.position == $1.position && $0.fetched.row.id == $1.object.id
          && ($1.object is any Model || $0.fetched.row == $1.object.row)
      }
  }

  /// Rows in their order, with those that were added here behind those that they stood behind.
  fileprivate func merged(
    _ shown: [ManyRelation<Target>.Element]
  ) -> [ManyRelation<Target>.Element] {
    // A row may be in a list several times: its first place is the first one's, and so on.
    var places = Dictionary(grouping: shown.indices, by: { shown[$0].object.id })
    var added: [Int: [ManyRelation<Target>.Element]] = [:]
    var place = -1
    for element in elements {
      if element.position == nil {
        added[place, default: []].append(element)
      } else if let found = places[element.object.id]?.first {
        places[element.object.id]?.removeFirst()
        place = found
      }
    }
    var all = added[-1] ?? []
    for (place, element) in shown.enumerated() {
      all.append(element)
      all += added[place] ?? []
    }
    return all
  }
}

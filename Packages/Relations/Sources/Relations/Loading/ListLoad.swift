internal import SQLiteCore

/// Lists that are loaded together.
struct ListLoad<Target: TableModel> {
  /// The keys of the owners, none of them twice.
  private(set) var keys: [StoredKey] = []
  private var lists: [ManyRelation<Target>] = []
  /// That of each owner's key.
  private var places: [Int] = []
  /// What each shows before the rows are read.
  private var versions: [Int] = []

  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` where a list has no owner.
  init(_ lists: [ManyRelation<Target>]) throws {
    var known = KeyMap<Int>()
    keys.reserveCapacity(lists.count)
    self.lists.reserveCapacity(lists.count)
    places.reserveCapacity(lists.count)
    versions.reserveCapacity(lists.count)
    for list in lists {
      let (owner, version) = list.owned
      guard let owner else {
        throw RelationError(
          .noOwner, "the list belongs to no row that was made or fetched",
          table: Target.Row.tableName)
      }
      if owner.isUnsaved {
        list.markEmpty()
        continue
      }
      let key = owner.currentStoredKey
      let place = known[key] ?? keys.count
      if place == keys.count {
        known[key] = place
        keys.append(key)
      }
      self.lists.append(list)
      places.append(place)
      versions.append(version)
    }
  }

  /// Has the lists follow the commits from now on.
  mutating func follow(_ query: ListQuery<Target>) async throws {
    guard let first = lists.first, let owner = first.owned.owner,
      let follower = first.follower(of: owner, query)
    else { return }
    try await follower.start()
    follower.add(lists, keys, places)
    for index in lists.indices { versions[index] = lists[index].note(follower, query) }
  }

  /// Takes what was read.
  func take(_ found: [[ListQuery<Target>.Found]], _ query: ListQuery<Target>, limit: Int?) {
    for index in lists.indices {
      guard let owner = lists[index].owned.owner else { continue }
      lists[index].setLoaded(
        found[places[index]], limit: limit, owner, linkKeys: query.linkKeyCount)
      lists[index].noteFetched(since: versions[index])
    }
  }

  /// Takes the rows that were read of each owner.
  ///
  /// - Parameter isAttached: Whether their relations know already whose they are.
  func take(
    _ runs: RowRuns<Target.Row>, _ direct: DirectShape<Target.Row>, at moment: UInt64,
    isAttached: Bool, in session: ModelSession
  ) {
    let found: [[Target]]
    let all: Any = runs.lists
    if let rows = all as? [[Target]] {
      // Values are their own rows.
      if !isAttached { direct.attach(runs.lists, in: session) }
      found = rows
    } else {
      found = runs.lists.map {
        Target.instances(of: FetchedRows($0, [], direct, moment: moment), in: session)
      }
    }
    // Which of the found lists each owner's is.
    var runPlaces = RunPlaces(keys: runs.keys)
    let ofKeys = keys.map { runPlaces.place(of: $0) ?? -1 }
    for index in lists.indices {
      let place = ofKeys[places[index]]
      lists[index].setLoaded(place < 0 ? [] : found[place], since: versions[index])
    }
  }

  /// Has lists be read again that are followed.
  func noteFetchedEarlier() {
    for list in lists { list.noteFetchedEarlier() }
  }
}

/// Finds keys among others. Most often both are in one order, and the one that is looked for is the next.
private struct RunPlaces {
  let keys: [SQLiteValue]
  private var next = 0
  private var known: KeyMap<Int>?

  init(keys: [SQLiteValue]) { self.keys = keys }

  mutating func place(of key: StoredKey) -> Int? {
    if next < keys.count, keys[next] == key.column {
      next += 1
      return next - 1
    }
    let known = known ?? made()
    self.known = known
    let place = known[key]
    if let place { next = place + 1 }
    return place
  }

  private func made() -> KeyMap<Int> {
    var made = KeyMap<Int>()
    for (place, key) in keys.enumerated() { made[[key]] = place }
    return made
  }
}

internal import SQLiteCore

/// Lists that are loaded together.
struct ListLoad<Target: TableModel> {
  private struct Loaded {
    let list: ManyRelation<Target>
    let owner: RelationOwner
    /// That of the owner's key.
    let place: Int
    /// What is shown before the rows are read.
    var version: Int
  }

  /// The keys of the owners, none of them twice.
  private(set) var keys: [StoredKey] = []
  private var loaded: [Loaded] = []

  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` where a list has no owner.
  init(_ lists: [ManyRelation<Target>]) throws {
    var places = KeyPlaces()
    loaded.reserveCapacity(lists.count)
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
      let place = places[key] ?? keys.count
      if place == keys.count {
        places[key] = place
        keys.append(key)
      }
      loaded.append(Loaded(list: list, owner: owner, place: place, version: version))
    }
  }

  /// Has the lists follow the commits from now on.
  mutating func follow(_ query: ListQuery<Target>) async throws {
    guard let first = loaded.first, let follower = first.list.follower(of: first.owner, query)
    else { return }
    try await follower.start()
    follower.add(loaded.map { ($0.list, keys[$0.place]) })
    for place in loaded.indices { loaded[place].version = loaded[place].list.note(follower, query) }
  }

  /// Takes what was read.
  func take(_ found: [[ListQuery<Target>.Found]], _ query: ListQuery<Target>, limit: Int?) {
    for loaded in loaded {
      loaded.list.setLoaded(
        found[loaded.place], limit: limit, loaded.owner, linkKeys: query.linkKeyCount)
      loaded.list.noteFetched(since: loaded.version)
    }
  }

  /// Takes the rows that were read of each owner.
  func take(
    _ runs: RowRuns<Target.Row>, _ direct: DirectShape<Target.Row>, at moment: UInt64,
    in session: ModelSession
  ) {
    let lists: [[Target]]
    let all: Any = runs.lists
    if let rows = all as? [[Target]] {
      // Values are their own rows.
      direct.attach(runs.lists, in: session)
      lists = rows
    } else {
      lists = runs.lists.map {
        Target.instances(of: FetchedRows($0, [], direct, moment: moment), in: session)
      }
    }
    var places = KeyPlaces()
    for (place, key) in runs.keys.enumerated() { places[StoredKey(column: key)] = place }
    for loaded in loaded {
      let place = places[keys[loaded.place]]
      loaded.list.setLoaded(
        place.map { lists[$0] } ?? [], loaded.owner, since: loaded.version)
    }
  }

  /// Has lists be read again that are followed.
  func noteFetchedEarlier() {
    for loaded in loaded { loaded.list.noteFetchedEarlier() }
  }
}

internal import SQLiteCore

/// Lists that are loaded together.
struct ListLoad<Target: TableModel> {
  private struct Loaded {
    let list: ManyRelation<Target>
    let owner: RelationOwner
    /// That of the owner's key.
    let place: Int
  }

  /// The keys of the owners, none of them twice.
  private(set) var keys: [[SQLiteValue]] = []
  private var loaded: [Loaded] = []

  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` where a list has no owner.
  init(_ lists: [ManyRelation<Target>]) throws {
    var places: [[SQLiteValue]: Int] = [:]
    places.reserveCapacity(lists.count)
    for list in lists {
      guard let owner = list.with(\.owner) else {
        throw RelationError(
          .noOwner, "the list belongs to no row that was made or fetched",
          table: Target.Row.tableName)
      }
      if owner.isUnsaved {
        list.markEmpty()
        continue
      }
      let key = owner.currentKey
      let place = places[key] ?? keys.count
      if place == keys.count {
        places[key] = place
        keys.append(key)
      }
      loaded.append(Loaded(list: list, owner: owner, place: place))
    }
  }

  /// Has the lists follow the commits from now on.
  func follow(_ query: ListQuery<Target>) async throws {
    guard let first = loaded.first, let follower = first.list.follower(of: first.owner, query)
    else { return }
    try await follower.start()
    follower.add(loaded.map { ($0.list, keys[$0.place]) })
    for loaded in loaded { loaded.list.note(follower, query) }
  }

  /// What the lists show by now.
  var versions: [Int] { loaded.map { $0.list.with(\.life.version) } }

  /// Takes what was read.
  func take(_ found: [[ListQuery<Target>.Found]], _ query: ListQuery<Target>, limit: Int?) {
    for loaded in loaded {
      loaded.list.setLoaded(
        found[loaded.place], limit: limit, loaded.owner, linkKeys: query.linkKeyCount)
    }
  }

  /// Takes the rows that were read of each owner.
  func take(_ runs: RowRuns<Target.Row>, _ query: ListQuery<Target>, in session: ModelSession) {
    var places: [SQLiteValue: Int] = [:]
    places.reserveCapacity(runs.keys.count)
    for (place, key) in runs.keys.enumerated() { places[key] = place }
    for loaded in loaded {
      let rows = places[keys[loaded.place][0]].map { runs.lists[$0] } ?? []
      let fetched = FetchedRows(rows, [], query.runs?.direct)
      loaded.list.setLoaded(Target.instances(of: fetched, in: session), loaded.owner)
    }
  }

  /// Has lists be read again that are followed.
  func noteFetchedEarlier() {
    for loaded in loaded { loaded.list.noteFetchedEarlier() }
  }

  func noteFetched(since versions: [Int]) {
    for (loaded, version) in zip(loaded, versions) { loaded.list.noteFetched(since: version) }
  }
}

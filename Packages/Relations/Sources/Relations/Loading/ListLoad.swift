internal import SQLiteCore

/// Lists that are loaded together.
struct ListLoad<Target: TableModel> {
  private let lists: [ManyRelation<Target>]
  private let query: ListQuery<Target>
  private let marks: ListMarks

  /// Has the lists follow the commits from now on, where they are read from the database as it is.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` where a list has no owner; `SQLiteError`.
  init(
    _ lists: [ManyRelation<Target>], _ cores: [ListCore], _ query: ListQuery<Target>,
    isFollowing: Bool
  ) async throws {
    var follower: ListFollower<Target>?
    if isFollowing, let first = lists.first, let owner = first.owned.owner {
      follower = first.follower(of: owner, query)
      try await follower?.start()
    }
    var marks = ListMarks(cores)
    let linkKeys = query.linkKeyCount
    let held = follower.map { HeldFollower($0) }
    var unsaved: Set<Int> = []
    var index = marks.noteQuiet(from: 0, held, linkKeys: linkKeys)
    while index < lists.count {
      if try !Self.note(lists[index], held, query, in: &marks) { unsaved.insert(index) }
      index = marks.noteQuiet(from: index + 1, held, linkKeys: linkKeys)
    }
    if !unsaved.isEmpty { marks.leave(unsaved) }
    follower?.add(FollowedLists(marks))
    self.lists =
      unsaved.isEmpty ? lists : lists.indices.filter { !unsaved.contains($0) }.map { lists[$0] }
    self.query = query
    self.marks = marks
  }

  /// Notes a list that is not plain.
  ///
  /// - Returns: Whether there is something to be read for it.
  private static func note(
    _ list: ManyRelation<Target>, _ follower: HeldFollower<Target>?, _ query: ListQuery<Target>,
    in marks: inout ListMarks
  ) throws -> Bool {
    let (known, version) = list.owned
    guard let owner = known else {
      throw RelationError(
        .noOwner, "the list belongs to no row that was made or fetched",
        table: Target.Row.tableName)
    }
    if owner.isUnsaved {
      list.markEmpty()
      return false
    }
    let shown = follower.map { list.note($0, query) } ?? version
    marks.note(of: owner, owner.currentStoredKey, shown)
    return true
  }

  /// The keys of the owners, none of them twice.
  var keys: [StoredKey] { marks.keys }

  /// Takes what was read.
  func take(_ found: [[ListQuery<Target>.Found]], limit: Int?) {
    for index in lists.indices {
      guard let owner = lists[index].owned.owner else { continue }
      lists[index].setLoaded(
        found[marks.places[index]], limit: limit, owner, linkKeys: query.linkKeyCount)
      lists[index].noteFetched(since: marks.versions[index])
    }
  }

  /// Takes the rows that were read of each owner; the relations of values know whose they are.
  func take(
    _ runs: ReadRuns, _ direct: DirectShape<Target.Row>, at moment: UInt64,
    in session: ModelSession
  ) {
    // Values are their own rows.
    guard Target.self == Target.Row.self else {
      let found = runs.takeLists().map { rows in
        let rows = rows as? [Target.Row] ?? []
        return Target.instances(of: FetchedRows(rows, [], direct, moment: moment), in: session)
      }
      let places = marks.places(among: runs.keys)
      for index in lists.indices {
        let place = places[marks.places[index]]
        lists[index].setLoaded(place < 0 ? [] : found[place], since: marks.versions[index])
      }
      return
    }
    marks.take(
      runs.keys, runs.takeLists(),
      other: { index, rows in
        lists[index].setLoaded(ManyRelation.rows(of: rows), since: marks.versions[index])
      }, missed: { lists[$0].noteFetchedEarlier() })
    for index in marks.ofInstances where !lists[index].objects.isEmpty {
      lists[index].owned.owner?.noteLoaded()
    }
  }

  /// Has lists be read again that are followed.
  func noteFetchedEarlier() {
    for list in lists { list.noteFetchedEarlier() }
  }
}

internal import SQLiteCore

/// Lists that are loaded together.
struct ListLoad<Target: TableModel> {
  private let lists: [ManyRelation<Target>]
  private let query: ListQuery<Target>
  private let marks: ListMarks

  /// Prepares a load, and subscribes the lists to commits if `isFollowing` is `true`.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` if a list has no owner; `SQLiteError`.
  init(
    _ lists: [ManyRelation<Target>], _ cores: [ListCore], _ query: ListQuery<Target>,
    isFollowing: Bool
  ) async throws {
    var follower: ListFollower<Target>?
    if isFollowing, let first = lists.first, let owner = first.owner {
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

  /// Adds a list that has changes or whose owner is an instance.
  ///
  /// - Returns: Whether the list must be read.
  private static func note(
    _ list: ManyRelation<Target>, _ follower: HeldFollower<Target>?, _ query: ListQuery<Target>,
    in marks: inout ListMarks
  ) throws -> Bool {
    guard let owner = list.owner else {
      throw RelationError(
        .noOwner, "the list is not a property of a created or fetched row",
        table: Target.Row.tableName)
    }
    if owner.isUnsaved {
      list.markEmpty()
      return false
    }
    if let follower { list.note(follower, query) }
    marks.note(of: owner, owner.currentStoredKey)
    return true
  }

  /// The distinct keys of the owners.
  var keys: [StoredKey] { marks.keys }

  /// Shows the rows that were read.
  ///
  /// - Parameter moment: The session's revision when the read began.
  /// - Returns: The lists that don't show the rows because they are loaded or saved at the same time, or have newer
  ///   rows.
  func take(
    _ found: [[ListQuery<Target>.Found]], limit: Int?, at moment: UInt64
  ) -> [ManyRelation<Target>] {
    lists.indices.compactMap { index in
      guard let owner = lists[index].owner else { return nil }
      let isShown = lists[index].setLoaded(
        found[marks.places[index]], limit: limit, owner, linkKeys: query.linkKeyCount, at: moment)
      return isShown ? nil : lists[index]
    }
  }

  /// Shows the rows that were read for each owner. The relations of values must have their owners.
  ///
  /// - Returns: The same lists as ``take(_:limit:at:)``.
  func take(
    _ runs: ReadRuns, _ accessors: RowAccessors<Target.Row>, at moment: UInt64,
    in session: ModelSession
  ) -> [ManyRelation<Target>] {
    // Values are their own rows.
    guard Target.self == Target.Row.self else {
      let found = runs.takeLists().map { rows in
        let rows = rows as? [Target.Row] ?? []
        return Target.instances(
          of: ModelSession.FetchedRows(rows, [], accessors, moment: moment), in: session)
      }
      let places = marks.places(among: runs.keys, query.ownerCollation)
      return lists.indices.compactMap { index in
        let place = places[marks.places[index]]
        let isShown = lists[index].setLoaded(place < 0 ? [] : found[place], at: moment)
        return isShown ? nil : lists[index]
      }
    }
    let stale = marks.take(runs.keys, runs.takeLists(), query.ownerCollation, at: moment) {
      lists[$0].setLoaded(ManyRelation.rows(of: $1), at: moment)
    }
    for index in marks.ofInstances where !lists[index].objects.isEmpty {
      lists[index].owner?.noteLoaded()
    }
    return stale.map { lists[$0] }
  }

  /// Requests that the subscription read the lists again, because they were read from a snapshot.
  func noteFetchedEarlier() {
    for list in lists { list.noteFetchedEarlier() }
  }
}

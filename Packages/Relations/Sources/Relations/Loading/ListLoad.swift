internal import SQLiteCore

/// Lists that are loaded together.
struct ListLoad<Target: TableModel> {
  private let lists: [ManyRelation<Target>]
  private let query: ListQuery<Target>
  private let batch: ListBatch

  /// Prepares a load, and subscribes the lists to commits if `isFollowing` is `true`.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` if a list has no owner;
  ///   `SQLiteError`.
  init(
    _ lists: [ManyRelation<Target>], _ cores: [ListCore], _ query: ListQuery<Target>,
    isFollowing: Bool
  ) async throws {
    var subscription: ListSubscription<Target>?
    if isFollowing, let first = lists.first, let owner = first.owner {
      subscription = first.subscription(of: owner, query)
      try await subscription?.start()
    }
    var batch = ListBatch(cores)
    let linkKeys = query.linkKeyCount
    let held = subscription.map { ListSubscriptionBox($0) }
    var unsaved: Set<Int> = []
    var index = batch.recordUnchangedLists(from: 0, held, linkKeys: linkKeys)
    while index < lists.count {
      if try !Self.note(lists[index], held, query, in: &batch) { unsaved.insert(index) }
      index = batch.recordUnchangedLists(from: index + 1, held, linkKeys: linkKeys)
    }
    batch.finish(without: unsaved)
    subscription?.add(batch)
    self.lists =
      unsaved.isEmpty ? lists : lists.indices.filter { !unsaved.contains($0) }.map { lists[$0] }
    self.query = query
    self.batch = batch
  }

  /// Adds a list that has changes or whose owner is an instance.
  ///
  /// - Returns: Whether the list must be read.
  private static func note(
    _ list: ManyRelation<Target>, _ subscription: ListSubscriptionBox<Target>?,
    _ query: ListQuery<Target>,
    in batch: inout ListBatch
  ) throws -> Bool {
    guard let owner = list.owner else {
      throw ManyRelation<Target>.noOwnerError
    }
    if owner.isUnsaved {
      list.markLoadedEmpty()
      return false
    }
    if let subscription { list.note(subscription, query) }
    batch.note(of: owner, owner.currentStoredKey)
    return true
  }

  /// The distinct keys of the owners.
  var keys: [StoredKey] { batch.keys }

  /// Shows the rows that were read.
  ///
  /// - Parameter revision: The session's revision when the read began.
  /// - Returns: The lists that don't show the rows because they are loaded or saved at the same
  ///   time, or have newer rows.
  func take(
    _ found: [[ListQuery<Target>.ListedRow]], limit: Int?, at revision: UInt64
  ) -> [ManyRelation<Target>] {
    lists.indices.compactMap { index in
      guard let owner = lists[index].owner else { return nil }
      let isShown = lists[index].setLoaded(
        found[batch.places[index]], limit: limit, owner, linkKeys: query.linkKeyCount, at: revision)
      return isShown ? nil : lists[index]
    }
  }

  /// Shows the rows that were read for each owner. The relations of values must have their owners.
  ///
  /// - Returns: The same lists as ``take(_:limit:at:)``.
  func take(
    _ runs: GroupedRowLists, _ accessors: RowAccessors<Target.Row>, at revision: UInt64,
    in session: ModelSession
  ) -> [ManyRelation<Target>] {
    // Values are their own rows.
    guard Target.self == Target.Row.self else {
      let found = runs.takeLists().map { rows in
        let rows = rows as? [Target.Row] ?? []
        return Target.instances(
          of: ModelSession.FetchedRows(rows, [], accessors, revision: revision), in: session)
      }
      let places = batch.places(among: runs.keys, query.ownerCollation)
      return lists.indices.compactMap { index in
        let place = places[batch.places[index]]
        let isShown = lists[index].setLoaded(place < 0 ? [] : found[place], at: revision)
        return isShown ? nil : lists[index]
      }
    }
    let stale = batch.take(runs.keys, runs.takeLists(), query.ownerCollation, at: revision) {
      lists[$0].setLoaded(ManyRelation.rows(of: $1), at: revision)
    }
    for index in batch.ofInstances where !lists[index].objects.isEmpty {
      lists[index].owner?.relationDidLoad()
    }
    return stale.map { lists[$0] }
  }

  /// Requests that the subscription read the lists again, because they were read from a snapshot.
  func refetchAfterSnapshot() {
    for list in lists { list.refetchAfterSnapshot() }
  }
}

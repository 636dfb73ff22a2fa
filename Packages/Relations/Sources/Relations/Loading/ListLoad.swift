internal import SQLiteCore

/// Lists that are loaded together.
struct ListLoad<Target: TableModel> {
  private let lists: [ManyRelation<Target>]
  private let query: ListQuery<Target>
  private let batch: ListBatch

  /// Prepares a load, and subscribes the lists to commits if `isSubscribing` is `true`.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` if a list has no owner;
  ///   `SQLiteError`.
  init(
    _ lists: [ManyRelation<Target>], _ cores: [ListCore], _ query: ListQuery<Target>,
    isSubscribing: Bool
  ) async throws {
    var subscription: ListSubscription<Target>?
    if isSubscribing, let first = lists.first, let owner = first.owner {
      subscription = first.subscription(of: owner, query)
      try await subscription?.start()
    }
    var batch = ListBatch(cores)
    let linkKeys = query.linkKeyCount
    let box = subscription.map { ListSubscriptionBox($0) }
    var unsaved: Set<Int> = []
    var index = batch.addUnchangedLists(from: 0, box, linkKeys: linkKeys)
    while index < lists.count {
      if try !Self.add(lists[index], box, query, in: &batch) { unsaved.insert(index) }
      index = batch.addUnchangedLists(from: index + 1, box, linkKeys: linkKeys)
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
  private static func add(
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
    if let subscription { list.setSubscription(subscription, query) }
    batch.add(owner, owner.currentStoredKey)
    return true
  }

  /// The distinct keys of the owners.
  var keys: [StoredKey] { batch.keys }

  /// Shows the rows that were read.
  ///
  /// - Parameter revision: The session's revision when the read began.
  /// - Returns: The lists that don't show the rows because they are loaded or saved at the same
  ///   time, or have newer rows.
  func show(
    _ found: [[ListQuery<Target>.ListedRow]], limit: Int?, at revision: UInt64
  ) -> [ManyRelation<Target>] {
    lists.indices.compactMap { index in
      guard let owner = lists[index].owner else { return nil }
      let isShown = lists[index].setLoaded(
        found[batch.keyIndexes[index]], limit: limit, owner, linkKeys: query.linkKeyCount,
        at: revision)
      return isShown ? nil : lists[index]
    }
  }

  /// Shows the rows that were read for each owner. The relations of values must have their owners.
  ///
  /// - Returns: The same lists as ``show(_:limit:at:)``.
  func show(
    _ groups: GroupedRowLists, _ accessors: RowAccessors<Target.Row>, at revision: UInt64,
    in session: ModelSession
  ) -> [ManyRelation<Target>] {
    // Values are their own rows.
    guard Target.self == Target.Row.self else {
      let found = groups.removeLists().map { rows in
        let rows = rows as? [Target.Row] ?? []
        return Target.instances(
          of: ModelSession.FetchedRows(rows, [], accessors, revision: revision), in: session)
      }
      let groupIndexes = batch.keyIndexes(among: groups.keys, query.ownerCollation)
      return lists.indices.compactMap { index in
        let groupIndex = groupIndexes[batch.keyIndexes[index]]
        let isShown = lists[index].setLoaded(groupIndex < 0 ? [] : found[groupIndex], at: revision)
        return isShown ? nil : lists[index]
      }
    }
    let stale = batch.show(groups.keys, groups.removeLists(), query.ownerCollation, at: revision) {
      lists[$0].setLoaded(ManyRelation.rows(of: $1), at: revision)
    }
    for index in batch.instanceOwned where !lists[index].objects.isEmpty {
      lists[index].owner?.relationDidLoad()
    }
    return stale.map { lists[$0] }
  }

  /// Requests that the subscription read the lists again, because they were read from a snapshot.
  func refetchAfterSnapshot() {
    for list in lists { list.refetchAfterSnapshot() }
  }
}

internal import Observe
internal import SQLiteCore
internal import Primitives

/// Updates all loaded lists of one relation after each commit. For each commit, one statement reads
/// the lists that the commit may have changed.
final class ListSubscription<Target: TableModel>: Sendable {
  private let query: ListQuery<Target>
  private let database: Database
  private let state = Mutex(State())
  /// A notification of a change in this region makes the subscription read the requested lists again.
  private let refreshRegion = Region.refresh()

  private struct State: Sendable {
    private var lists: [ObjectIdentifier: SubscribedList] = [:]
    /// Lists added since the last call of `all()`. They are added to the dictionary only when it is
    /// needed.
    private var pendingLists: [ListBatch] = []
    private var pendingCount = 0
    private var removalThreshold = 64
    var requested: Set<ObjectIdentifier> = []
    /// Lists that were replaced while a commit is processed: the commit's rows may have been read
    /// for the former lists.
    ///
    /// The former lists are retained, so that no new list can have the same object identifier.
    var successors: [ObjectIdentifier: (former: SubscribedList, next: SubscribedList)]?
    var task: Task<Void, Never>?

    mutating func add(_ lists: ListBatch) {
      if lists.count == 0 { return }
      if self.lists.count + pendingCount > removalThreshold {
        self.lists = all().filter { !$0.value.core.isReleased }
        removalThreshold = Swift.max(64, 2 * (self.lists.count + lists.count))
      }
      pendingLists.append(lists)
      pendingCount += lists.count
    }

    /// Returns all lists by their identifiers.
    mutating func all() -> [ObjectIdentifier: SubscribedList] {
      lists.reserveCapacity(lists.count + pendingCount)
      for batch in pendingLists {
        for (core, keyIndex) in zip(batch.cores, batch.keyIndexes) {
          lists[ObjectIdentifier(core)] = SubscribedList(core: core, stored: batch.keys[keyIndex])
        }
      }
      (pendingLists, pendingCount) = ([], 0)
      return lists
    }

    mutating func remove(_ identity: ObjectIdentifier) -> SubscribedList? {
      _ = all()
      return lists.removeValue(forKey: identity)
    }
  }

  private let clock: LogicalClock

  init(_ query: ListQuery<Target>, _ session: ModelSession) {
    self.query = query
    database = session.database
    clock = session.clock
  }

  deinit { state.withLock { $0.task }?.cancel() }

  /// Starts observing commits, unless the observation has already started. A list that is read
  /// after this call misses no commit.
  func start() async throws {
    guard state.withLock({ $0.task == nil }) else { return }
    try await database.startObserving()
    // The iterator is created before the first read, so that waiting until the database is idle
    // includes this subscription.
    let commits = database.changes(in: region).makeAsyncIterator()
    // A detached task does not inherit task-local values, which would retain the caller's session.
    let task = Task.detached { [weak self] in
      var commits = commits
      do {
        while let changes = try await commits.next() {
          guard let self else { return }
          await self.refreshLists(changes)
        }
      } catch {
        self?.fail(error)
      }
      if !Task.isCancelled { self?.state.withLock { $0.task = nil } }
    }
    let isFirst = state.withLock { state in
      if state.task == nil { state.task = task }
      return state.task == task
    }
    if !isFirst { task.cancel() }
  }

  /// Adds lists to the subscription.
  func add(_ lists: ListBatch) { state.withLock { $0.add(lists) } }

  /// Replaces a list by another list of the same owner.
  func replace(_ former: ManyRelation<Target>, by list: ManyRelation<Target>) {
    state.withLock { state in
      guard let replaced = state.remove(ObjectIdentifier(former.core)) else { return }
      let subscribed = SubscribedList(core: list.core, stored: replaced.stored)
      state.add(ListBatch(list.core, replaced.stored))
      if state.requested.remove(replaced.identity) != nil {
        state.requested.insert(subscribed.identity)
      }
      state.successors?[replaced.identity] = (replaced, subscribed)
      // A replaced list may become the property again.
      state.successors?[subscribed.identity] = nil
    }
  }

  /// Requests that a list be read again.
  func requestRefresh(of list: ManyRelation<Target>) {
    state.withLock { _ = $0.requested.insert(ObjectIdentifier(list.core)) }
    database.notifyChanges(in: refreshRegion)
  }

  /// Returns a list that wraps a core; `nil` if the list has been deallocated.
  private func list(_ subscribed: SubscribedList) -> ManyRelation<Target>? {
    subscribed.core.isReleased ? nil : ManyRelation(borrowing: subscribed.core)
  }

  // MARK: Commits

  private var region: Region {
    let target = Region.table(TableName(query.metadata.table))
    let own =
      switch query.source {
      case .links(let links): target.union(.table(TableName(links.name)))
      case .inverse: target
      case .path(let path):
        path.tableNames.reduce(target) { $0.union(.table(TableName($1))) }
      }
    return own.union(refreshRegion)
  }

  private func refreshLists(_ changes: ChangeSet) async {
    var lists = affected(by: changes)
    defer { state.withLock { $0.successors = nil } }
    while !lists.isEmpty, !Task.isCancelled {
      do {
        lists = try await read(lists)
      } catch {
        if !Task.isCancelled { for subscribed in lists { list(subscribed)?.fail(error) } }
        return
      }
    }
  }

  private func fail(_ error: any Error) {
    for subscribed in state.withLock({ $0.all() }).values { list(subscribed)?.fail(error) }
  }

  /// Returns the lists that a commit may have changed.
  private func affected(by changes: ChangeSet) -> [SubscribedList] {
    let (all, requested) = state.withLock { state in
      defer { state.requested = [] }
      state.successors = [:]
      return (state.all(), state.requested)
    }
    if changes.schemaChanged || changes.isUnbounded { return Array(all.values) }
    var owners: Set<[SQLiteValue]> = []
    var targets: Set<[SQLiteValue]> = []
    var isAll = false
    func collectOwners(_ table: String, _ columns: [String]) {
      guard let change = changes.tables[TableName(table)] else { return }
      guard let rows = change.rows else {
        isAll = true
        return
      }
      let names = columns.map { Region.ColumnName($0) }
      for row in rows {
        for key in [names.map(row.oldValue), names.map(row.newValue)] {
          let values = key.compactMap(\.self)
          if values.count == names.count { owners.insert(values) }
        }
      }
    }
    switch query.source {
    case .links(let links):
      collectOwners(links.name, links.ownerColumns)
      if let change = changes.tables[TableName(query.metadata.table)] {
        if let keys = change.keys(of: query.metadata) { targets = keys } else { isAll = true }
      }
    case .inverse(let columns): collectOwners(query.metadata.table, columns)
    case .path: isAll = true
    }
    if isAll { return Array(all.values) }
    let changed = KeyMap<Void>(owners, query.ownerCollation)
    return all.filter { identity, subscribed in
      requested.contains(identity) || changed.contains(subscribed.key)
        || !targets.isEmpty && list(subscribed)?.containsRow(withKeyIn: targets) ?? false
    }.map(\.value)
  }

  /// Reads lists and delivers the results.
  ///
  /// - Returns: The lists to read again: lists that were fetched during the read and may be newer
  ///   than the result, and lists that replaced others.
  private func read(_ lists: [SubscribedList]) async throws -> [SubscribedList] {
    let requests = lists.compactMap { subscribed in
      let subscribed = successor(of: subscribed) ?? subscribed
      return list(subscribed).map { (subscribed: subscribed, request: $0.refreshRequest) }
    }
    if requests.isEmpty { return [] }
    let keys = Array(Set(requests.map(\.subscribed.key)))
    let limit = requests.map(\.request.count).max().map { $0 + 1 }
    let query = query
    let shown = requests.map { (key: $0.subscribed.key, rows: $0.request.shown) }
    let linkKeys = query.linkKeyCount
    let revision = clock.now
    let found = try await database.read {
      connection -> [[SQLiteValue]: ManyRelation<Target>.ReadResult] in
      let firstRows = try query.read(connection, keys, limit: limit, at: revision)
      var results: [[SQLiteValue]: ManyRelation<Target>.ReadResult] = [:]
      for (key, rows) in zip(keys, firstRows) {
        results[key] = (rows: rows, isComplete: rows.count < (limit ?? .max))
      }
      // Lists whose shown rows were moved past the limit are read completely.
      let rest = shown.filter { key, shownRows in
        guard let result = results[key], !result.isComplete else { return false }
        return !shownRows.isSubset(of: result.rows.map { ElementIdentity($0, linkKeys: linkKeys) })
      }
      let others = Array(Set(rest.map(\.key)))
      for (key, rows) in zip(others, try query.read(connection, others, at: revision)) {
        results[key] = (rows: rows, isComplete: true)
      }
      return results
    }
    return requests.compactMap { subscribed, request in
      guard let list = list(subscribed) else { return successor(of: subscribed) }
      guard let result = found[subscribed.key] else { return nil }
      return list.receive(result, since: request.version) ? nil : subscribed
    }
  }

  /// Returns the list that has replaced a list since the commit was received.
  private func successor(of subscribed: SubscribedList) -> SubscribedList? {
    state.withLock { state in
      var last: SubscribedList?
      while let (_, next) = state.successors?[(last ?? subscribed).identity] { last = next }
      return last
    }
  }
}

/// A reference to a subscription. A subscription's task refers to it weakly, so retaining it
/// directly from each list would cost more.
final class ListSubscriptionBox<Target: TableModel>: Sendable {
  let subscription: ListSubscription<Target>

  init(_ subscription: ListSubscription<Target>) { self.subscription = subscription }
}

/// A list in a subscription, and its owner's key.
struct SubscribedList: Sendable {
  let core: ListCore
  let stored: StoredKey

  var identity: ObjectIdentifier { ObjectIdentifier(core) }
  var key: [SQLiteValue] { stored.values ?? [] }
}

extension ManyRelation.State {
  var subscription: ListSubscription<Target>? {
    (metadata.subscription as? ListSubscriptionBox<Target>)?.subscription
  }
}

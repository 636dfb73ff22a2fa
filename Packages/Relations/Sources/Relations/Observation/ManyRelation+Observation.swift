public import Observation
internal import Primitives
internal import SQLiteCore

extension ManyRelation: Observable {
  /// The information that a subscription needs to read the list: its version, the identities of its
  /// rows, and the number of rows to read, if no rows were added.
  var refreshRequest: (version: UInt64, shown: Set<ElementIdentity>, count: Int) {
    let compact = withCompactState { ($0.metadata.version, $0.rows) }
    if let (version, rows) = compact {
      let shown = Self.rows(of: rows).map {
        ElementIdentity(position: 0, link: [], key: StoredKey($0.id))
      }
      return (version, Set(shown), shown.count)
    }
    return with { state in
      // Unsaved rows may have been saved by another connection.
      let count =
        state.elements.count + state.tail.count + state.removed.count + state.removedLinks.count
      return (state.metadata.version, Set(state.elements.compactMap { ElementIdentity($0) }), count)
    }
  }

  func containsRow(withKeyIn keys: Set<[SQLiteValue]>) -> Bool {
    objects.contains { keys.contains($0.id.keyValues) }
  }

  // MARK: Subscribing

  /// Subscribes the list to commits, before it is read.
  func subscribe(_ owner: RelationOwner, _ query: ListQuery<Target>) async throws {
    let key = owner.currentStoredKey
    guard let subscription = subscription(of: owner, query) else { return }
    try await subscription.start()
    subscription.add(ListBatch(core, key))
    setSubscription(ListSubscriptionBox(subscription), query)
  }

  func setSubscription(_ subscription: ListSubscriptionBox<Target>, _ query: ListQuery<Target>) {
    let linkKeys = query.linkKeyCount
    metadata { metadata in
      metadata.subscription = subscription
      metadata.linkKeys = linkKeys
    }
  }

  /// Returns the subscription for lists of this relation; `nil` if the list is not a property.
  func subscription(
    of owner: RelationOwner, _ query: ListQuery<Target>
  ) -> ListSubscription<Target>? {
    guard let property = metadata(\.property) else { return nil }
    let relation = "\(owner.type.tableName) \(property) \(ObjectIdentifier(Target.self))"
    return owner.session.listSubscriptions.withLock { subscriptions in
      if let existing = subscriptions[relation] as? ListSubscription<Target> { return existing }
      let newSubscription = ListSubscription(query, owner.session)
      subscriptions[relation] = newSubscription
      return newSubscription
    }
  }

  /// Requests that the subscription read the list again, because the fetched rows may be from an
  /// earlier snapshot.
  func refetchAfterSnapshot() {
    (metadata(\.subscription) as? ListSubscriptionBox<Target>)?.subscription.requestRefresh(
      of: self)
  }

  // MARK: Commits

  /// Stores the rows read by the subscription.
  ///
  /// - Returns: Whether the rows are newer than the shown rows.
  func receive(_ result: ReadResult, since version: UInt64) -> Bool {
    let (isSame, isNew) = with { ($0.isShown(result), $0.metadata.version == version) }
    guard isNew else { return false }
    var isStored = true
    let store = {
      isStored = self.with { state in
        guard state.metadata.version == version else { return false }
        state.failure = nil
        if !isSame {
          state.metadata.version += 1
          state.pendingResult = result
        }
        return true
      }
    }
    if isSame, with({ $0.failure == nil }) { store() } else { mutate(store) }
    return isStored
  }

  func fail(_ error: any Error) {
    mutate { with { $0.failure = error } }
  }

  /// Shows the received rows. It runs on the reader's actor, since instances are created and
  /// changed here.
  ///
  /// Rows received while the list is loaded or saved may be older than the rows that are read or
  /// saved, so they are kept until that ends.
  func applyPendingRefresh() {
    if !isCompact, with(\.schedule.isIdle) { showPendingRefresh() }
  }

  @inline(never)
  func showPendingRefresh() {
    guard let (refresh, owner) = with({ $0.removePendingRefresh(isInverse: isInverse) }) else {
      return
    }
    let shown =
      hasPositions
      ? positionedElements(refresh.rows, owner)
      : elements(refresh.rows, owner, linkKeys: refresh.linkKeys)
    with { $0.show(shown, refresh, hasPositions: hasPositions) }
  }

  // MARK: Observation

  /// The error from the most recent refresh after a commit, or `nil` if it succeeded. After an
  /// error, ``items`` is unchanged.
  public var failure: (any Error)? {
    access()
    return with(\.failure)
  }

  func access() {
    let registrar = metadata { metadata -> ObservationRegistrar in
      if let existing = metadata.registrar { return existing }
      let newRegistrar = ObservationRegistrar()
      metadata.registrar = newRegistrar
      return newRegistrar
    }
    ObservedContent.access(by: registrar)
  }

  func mutate(_ body: (inout State) -> Void) { mutate { with(body) } }

  /// Runs `body`, which changes the list, and notifies observers.
  func mutate(_ body: () -> Void) {
    guard let registrar = metadata(\.registrar) else { return body() }
    ObservedContent.mutate(by: registrar, body)
  }
}

internal import SQLiteCore

/// Lists that are loaded together and their owners, with the same layout for all row types.
struct ListBatch: Sendable {
  /// The distinct keys of the owners.
  private(set) var keys: [StoredKey] = []
  /// The index of each list's key in ``keys``.
  private(set) var keyIndexes: [Int] = []
  /// The lists.
  private(set) var cores: [ListCore]
  /// The indexes of the lists whose owners are instances.
  private(set) var instanceOwned: [Int] = []
  /// The index of each key, once the keys are not ascending integers. Ascending integers are
  /// distinct, so they need no lookup.
  private var lookup: KeyMap<Int>?
  private var last = Int64.min

  init(_ cores: [ListCore]) {
    self.cores = cores
    keys.reserveCapacity(cores.count)
    keyIndexes.reserveCapacity(cores.count)
  }

  /// Creates a batch of one list.
  init(_ core: ListCore, _ key: StoredKey) {
    cores = [core]
    keys = [key]
    keyIndexes = [0]
  }

  var count: Int { cores.count }

  /// Adds unchanged lists of values, and subscribes them to commits.
  ///
  /// - Parameters:
  ///   - start: The index of the first list to add.
  ///   - subscription: The subscription; `nil` leaves the lists' subscriptions unchanged.
  /// - Returns: The index of the first list that is not such a list and was not added.
  mutating func addUnchangedLists(
    from start: Int, _ subscription: (any AnyObject & Sendable)?, linkKeys: Int
  ) -> Int {
    for index in start..<cores.count {
      guard let key = cores[index].subscribe(to: subscription, linkKeys: linkKeys) else {
        return index
      }
      keyIndexes.append(keyIndex(of: key))
    }
    return cores.count
  }

  /// Adds a list.
  mutating func add(_ owner: RelationOwner, _ key: StoredKey) {
    if owner.valueKey == nil { instanceOwned.append(keyIndexes.count) }
    keyIndexes.append(keyIndex(of: key))
  }

  /// Ends the addition of lists.
  ///
  /// - Parameter skipped: The indexes of the lists that were not added, which are removed.
  mutating func finish(without skipped: Set<Int>) {
    lookup = nil
    if skipped.isEmpty { return }
    cores = cores.indices.filter { !skipped.contains($0) }.map { cores[$0] }
  }

  private mutating func keyIndex(of key: StoredKey) -> Int {
    if lookup == nil {
      if case .integer(let integer) = key, integer > last {
        last = integer
        keys.append(key)
        return keys.count - 1
      }
      var keyIndexes = KeyMap<Int>()
      keyIndexes.reserveCapacity(cores.count)
      for (keyIndex, key) in keys.enumerated() { keyIndexes[key] = keyIndex }
      lookup = keyIndexes
    }
    let keyIndex = lookup?.value(of: key, else: keys.count) ?? keys.count
    if keyIndex == keys.count { keys.append(key) }
    return keyIndex
  }

  /// Returns the index of each owner's key in `others`; -1 if it is absent.
  ///
  /// Both are usually in the same order, so the next key is tried first.
  func keyIndexes(among others: [SQLiteValue], _ collation: KeyCollation) -> [Int] {
    var next = 0
    var lookup: KeyMap<Int>?
    return keys.map { key in
      if next < others.count, key.column == others[next] {
        next += 1
        return next - 1
      }
      let all = lookup ?? Self.keyIndexes(of: others, collation)
      lookup = all
      let keyIndex = all[key] ?? -1
      if keyIndex >= 0 { next = keyIndex + 1 }
      return keyIndex
    }
  }

  private static func keyIndexes(
    of keys: [SQLiteValue], _ collation: KeyCollation
  ) -> KeyMap<Int> {
    var keyIndexes = KeyMap<Int>(collation)
    for (keyIndex, key) in keys.enumerated() { keyIndexes[[key]] = keyIndex }
    return keyIndexes
  }

  /// Shows the rows that were read for the lists' owners.
  ///
  /// - Parameters:
  ///   - keys: The keys of the owners that have rows.
  ///   - lists: The rows of each owner.
  ///   - collation: The comparison of the owners' keys.
  ///   - revision: The session's revision when the read began.
  ///   - other: Shows the rows of a list that has changes or is observed, and returns whether they
  ///     are shown.
  /// - Returns: The lists whose rows are not shown because the lists have newer rows.
  func show(
    _ keys: [SQLiteValue], _ lists: consuming [(any Sendable)?], _ collation: KeyCollation,
    at revision: UInt64, other: (_ index: Int, _ rows: (any Sendable)?) -> Bool
  ) -> [Int] {
    let found = keyIndexes(among: keys, collation)
    var stale: [Int] = []
    // If each owner has one list, its rows are moved instead of retained.
    let areUnique = self.keys.count == keyIndexes.count
    for index in cores.indices {
      let keyIndex = found[keyIndexes[index]]
      var rows = keyIndex < 0 ? nil : areUnique ? lists[keyIndex].take() : lists[keyIndex]
      switch cores[index].show(&rows, at: revision) {
      case .shown: break
      case .stale: stale.append(index)
      case .needsFullState: if !other(index, rows) { stale.append(index) }
      }
    }
    return stale
  }
}

/// To-one relations that are loaded together, with the same layout for all target types.
@usableFromInline
struct ToOneBatch: Sendable {
  /// The distinct keys.
  private(set) var keys: [StoredKey] = []
  /// The target of each key, if it is loaded.
  private(set) var targets: [TargetBox?] = []
  /// The index of each relation's key in ``keys``; -1 if the relation is not changed.
  private(set) var keyIndexes: [Int] = []
  private var lookup = KeyMap<Int>()

  @usableFromInline
  init(count: Int) { keyIndexes.reserveCapacity(count) }

  /// Adds a relation. A relation that is already loaded is left unchanged, since its target may
  /// hold it.
  @usableFromInline
  mutating func add<Target: TableModel>(_ relation: OneRelation<Target>) {
    if let key = relation.unresolvedKey {
      keyIndexes.append(keyIndex(of: key))
      return
    }
    let (key, object) = relation.with { ($0.currentKey, $0.object) }
    let keyIndex = keyIndex(of: key)
    if keyIndex >= 0, let object, targets[keyIndex] == nil { targets[keyIndex] = TargetBox(object) }
    keyIndexes.append(object == nil ? keyIndex : -1)
  }

  private mutating func keyIndex(of key: StoredKey) -> Int {
    if key.isUnset { return -1 }
    let keyIndex = lookup.value(of: key, else: keys.count)
    if keyIndex == keys.count {
      keys.append(key)
      targets.append(nil)
    }
    return keyIndex
  }

  /// Excludes the relations with the key at an index, which is not a key of the target's type.
  mutating func exclude(_ keyIndex: Int) {
    for index in keyIndexes.indices where keyIndexes[index] == keyIndex { keyIndexes[index] = -1 }
  }

  /// Sets the targets of keys. Keys that SQLite considers equal share one target.
  mutating func setTargets(_ found: [any TableModel], _ collation: KeyCollation) {
    guard !collation.isBinary else {
      for object in found {
        if let keyIndex = lookup[Self.key(of: object)] { targets[keyIndex] = TargetBox(object) }
      }
      return
    }
    var all = KeyMap<TargetBox>(collation)
    for object in found { all[Self.key(of: object)] = TargetBox(object) }
    for keyIndex in keys.indices where targets[keyIndex] == nil {
      targets[keyIndex] = all[keys[keyIndex]]
    }
  }

  private static func key(of object: some TableModel) -> StoredKey { StoredKey(object.id) }
}

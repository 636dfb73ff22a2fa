internal import SQLiteCore

/// Lists that are loaded together and their owners, with the same layout for all row types.
struct ListBatch: Sendable {
  /// The distinct keys of the owners.
  private(set) var keys: [StoredKey] = []
  /// The index of each list's key in ``keys``.
  private(set) var places: [Int] = []
  /// The lists.
  private(set) var cores: [ListCore]
  /// The indexes of the lists whose owners are instances.
  private(set) var ofInstances: [Int] = []
  /// The index of each key, once the keys are not ascending integers. Ascending integers are
  /// distinct, so they need no lookup.
  private var known: KeyMap<Int>?
  private var last = Int64.min

  init(_ cores: [ListCore]) {
    self.cores = cores
    keys.reserveCapacity(cores.count)
    places.reserveCapacity(cores.count)
  }

  /// Creates a batch of one list.
  init(_ core: ListCore, _ key: StoredKey) {
    cores = [core]
    keys = [key]
    places = [0]
  }

  var count: Int { cores.count }

  /// Adds unchanged lists of values, and subscribes them to commits.
  ///
  /// - Parameters:
  ///   - start: The index of the first list to add.
  ///   - subscription: The subscription; `nil` leaves the lists' subscriptions unchanged.
  /// - Returns: The index of the first list that is not such a list and was not added.
  mutating func recordUnchangedLists(
    from start: Int, _ subscription: (any AnyObject & Sendable)?, linkKeys: Int
  ) -> Int {
    for index in start..<cores.count {
      guard let key = cores[index].note(subscription, linkKeys: linkKeys) else { return index }
      places.append(place(of: key))
    }
    return cores.count
  }

  /// Adds a list.
  mutating func note(of owner: RelationOwner, _ key: StoredKey) {
    if owner.valueKey == nil { ofInstances.append(places.count) }
    places.append(place(of: key))
  }

  /// Ends the addition of lists.
  ///
  /// - Parameter skipped: The indexes of the lists that were not added, which are removed.
  mutating func finish(without skipped: Set<Int>) {
    known = nil
    if skipped.isEmpty { return }
    cores = cores.indices.filter { !skipped.contains($0) }.map { cores[$0] }
  }

  private mutating func place(of key: StoredKey) -> Int {
    if known == nil {
      if case .integer(let integer) = key, integer > last {
        last = integer
        keys.append(key)
        return keys.count - 1
      }
      var places = KeyMap<Int>()
      places.reserveCapacity(cores.count)
      for (place, key) in keys.enumerated() { places[key] = place }
      known = places
    }
    let place = known?.value(of: key, else: keys.count) ?? keys.count
    if place == keys.count { keys.append(key) }
    return place
  }

  /// Returns the index of each owner's key in `others`; -1 if it is absent.
  ///
  /// Both are usually in the same order, so the next key is tried first.
  func places(among others: [SQLiteValue], _ collation: KeyCollation) -> [Int] {
    var next = 0
    var known: KeyMap<Int>?
    return keys.map { key in
      if next < others.count, key.column == others[next] {
        next += 1
        return next - 1
      }
      let all = known ?? Self.places(of: others, collation)
      known = all
      let place = all[key] ?? -1
      if place >= 0 { next = place + 1 }
      return place
    }
  }

  private static func places(
    of keys: [SQLiteValue], _ collation: KeyCollation
  ) -> KeyMap<Int> {
    var places = KeyMap<Int>(collation)
    for (place, key) in keys.enumerated() { places[[key]] = place }
    return places
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
  func take(
    _ keys: [SQLiteValue], _ lists: consuming [(any Sendable)?], _ collation: KeyCollation,
    at revision: UInt64, other: (_ index: Int, _ rows: (any Sendable)?) -> Bool
  ) -> [Int] {
    let found = places(among: keys, collation)
    var stale: [Int] = []
    // If each owner has one list, its rows are moved instead of retained.
    let areUnique = self.keys.count == places.count
    for index in cores.indices {
      let place = found[places[index]]
      var rows = place < 0 ? nil : areUnique ? lists[place].take() : lists[place]
      switch cores[index].take(&rows, at: revision) {
      case .taken: break
      case .stale: stale.append(index)
      case .other: if !other(index, rows) { stale.append(index) }
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
  private(set) var objects: [TargetBox?] = []
  /// The index of each relation's key in ``keys``; -1 if the relation is not changed.
  private(set) var places: [Int] = []
  private var known = KeyMap<Int>()

  @usableFromInline
  init(count: Int) { places.reserveCapacity(count) }

  /// Adds a relation. A relation that is already loaded is left unchanged, since its target may
  /// hold it.
  @usableFromInline
  mutating func add<Target: TableModel>(_ relation: OneRelation<Target>) {
    if let key = relation.unresolvedKey {
      places.append(place(of: key))
      return
    }
    let (key, object) = relation.with { ($0.currentKey, $0.object) }
    let place = place(of: key)
    if place >= 0, let object, objects[place] == nil { objects[place] = TargetBox(object) }
    places.append(object == nil ? place : -1)
  }

  private mutating func place(of key: StoredKey) -> Int {
    if key.isUnset { return -1 }
    let place = known.value(of: key, else: keys.count)
    if place == keys.count {
      keys.append(key)
      objects.append(nil)
    }
    return place
  }

  /// Excludes the relations with the key at an index, which is not a key of the target's type.
  mutating func leave(_ place: Int) {
    for index in places.indices where places[index] == place { places[index] = -1 }
  }

  /// Sets the targets of keys. Keys that SQLite considers equal share one target.
  mutating func take(_ found: [any TableModel], _ collation: KeyCollation) {
    guard !collation.isBinary else {
      for object in found {
        if let place = known[Self.key(of: object)] { objects[place] = TargetBox(object) }
      }
      return
    }
    var all = KeyMap<TargetBox>(collation)
    for object in found { all[Self.key(of: object)] = TargetBox(object) }
    for place in keys.indices where objects[place] == nil { objects[place] = all[keys[place]] }
  }

  private static func key(of object: some TableModel) -> StoredKey { StoredKey(object.id) }
}

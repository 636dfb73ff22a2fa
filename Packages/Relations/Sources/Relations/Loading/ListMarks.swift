internal import SQLiteCore

/// Whose lists are loaded together: in one shape for lists of all types.
struct ListMarks {
  /// The keys of the owners, none of them twice.
  private(set) var keys: [StoredKey] = []
  /// That of each list's owner.
  private(set) var places: [Int] = []
  /// The lists.
  private(set) var cores: [ListCore]
  /// Which of the lists are not those of values.
  private(set) var ofInstances: [Int] = []
  /// Where the keys are, as soon as they are not in the order of integers: then none of them has been there before.
  private var known: KeyMap<Int>?
  private var last = Int64.min

  init(_ cores: [ListCore]) {
    self.cores = cores
    keys.reserveCapacity(cores.count)
    places.reserveCapacity(cores.count)
  }

  /// Notes lists of values that were not changed, and has them follow the commits from now on.
  ///
  /// - Parameters:
  ///   - start: Which of the lists is the first one to be noted.
  ///   - follower: What has them follow the commits; `nil` where they stay as they are.
  /// - Returns: Which one is the first that is no such list, and so is not noted.
  mutating func noteQuiet(
    from start: Int, _ follower: (any AnyObject & Sendable)?, linkKeys: Int
  ) -> Int {
    for index in start..<cores.count {
      guard let key = cores[index].note(follower, linkKeys: linkKeys) else { return index }
      places.append(place(of: key))
    }
    return cores.count
  }

  /// Notes a list.
  mutating func note(of owner: RelationOwner, _ key: StoredKey) {
    if owner.lastingKey == nil { ofInstances.append(places.count) }
    places.append(place(of: key))
  }

  /// Leaves lists out that were not noted.
  mutating func leave(_ unnoted: Set<Int>) {
    cores = cores.indices.filter { !unnoted.contains($0) }.map { cores[$0] }
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

  /// Where each owner's key is among others; -1 where it is not.
  ///
  /// Most often both are in one order, and the one that is looked for is the next.
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

  /// Shows all that was read of the lists' owners.
  ///
  /// - Parameters:
  ///   - keys: Those of the owners of which rows were read.
  ///   - lists: The rows of each.
  ///   - collation: How the owners' keys are compared.
  ///   - moment: The session's moment when the read began.
  ///   - other: Shows the rows of a list that has changes, or is looked at, and returns whether they are shown.
  /// - Returns: The lists whose rows are not shown, as they are known to be older than others.
  func take(
    _ keys: [SQLiteValue], _ lists: consuming [(any Sendable)?], _ collation: KeyCollation,
    at moment: UInt64, other: (_ index: Int, _ rows: (any Sendable)?) -> Bool
  ) -> [Int] {
    let found = places(among: keys, collation)
    var stale: [Int] = []
    // The rows are not counted anew where they are those of one list.
    let areUnique = self.keys.count == places.count
    for index in cores.indices {
      let place = found[places[index]]
      var rows = place < 0 ? nil : areUnique ? lists[place].take() : lists[place]
      switch cores[index].take(&rows, at: moment) {
      case .taken: break
      case .stale: stale.append(index)
      case .other: if !other(index, rows) { stale.append(index) }
      }
    }
    return stale
  }
}

/// What to-one relations lead to that are loaded together: in one shape for those of all types.
@usableFromInline
struct OneMarks: Sendable {
  /// The keys, none of them twice.
  private(set) var keys: [StoredKey] = []
  /// What each key leads to, where it is known.
  private(set) var objects: [HeldObject?] = []
  /// That of each relation's key; -1 where it is left as it is.
  private(set) var places: [Int] = []
  private var known = KeyMap<Int>()

  @usableFromInline
  init(count: Int) { places.reserveCapacity(count) }

  /// Adds a relation. One of which it is known what it leads to is left as it is, since it may be held by that.
  @usableFromInline
  mutating func add<Target: TableModel>(_ relation: OneRelation<Target>) {
    if let key = relation.plainKey {
      places.append(place(of: key))
      return
    }
    let (key, object) = relation.with { ($0.currentKey, $0.object) }
    let place = place(of: key)
    if place >= 0, let object, objects[place] == nil { objects[place] = HeldObject(object) }
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

  /// Leaves the relations with a key as they are, which is none of the type's.
  mutating func leave(_ place: Int) {
    for index in places.indices where places[index] == place { places[index] = -1 }
  }

  /// Takes what keys lead to: one instance for all keys that SQLite holds equal.
  mutating func take(_ found: [any TableModel], _ collation: KeyCollation) {
    guard !collation.isBinary else {
      for object in found {
        if let place = known[Self.key(of: object)] { objects[place] = HeldObject(object) }
      }
      return
    }
    var all = KeyMap<HeldObject>(collation)
    for object in found { all[Self.key(of: object)] = HeldObject(object) }
    for place in keys.indices where objects[place] == nil { objects[place] = all[keys[place]] }
  }

  private static func key(of object: some TableModel) -> StoredKey { StoredKey(object.id) }
}

internal import SQLiteCore

/// Whose lists are loaded together, and what each showed before: in one shape for lists of all types.
struct ListMarks {
  /// The keys of the owners, none of them twice.
  private(set) var keys: [StoredKey] = []
  /// That of each list's owner.
  private(set) var places: [Int] = []
  /// What each list shows before its rows are read.
  private(set) var versions: [Int] = []
  private(set) var followed: [Followed] = []
  /// Which of the lists are not those of values.
  private(set) var ofInstances: [Int] = []
  private var known = KeyMap<Int>()

  init(count: Int) {
    keys.reserveCapacity(count)
    places.reserveCapacity(count)
    versions.reserveCapacity(count)
    followed.reserveCapacity(count)
    known.reserveCapacity(count)
  }

  /// Adds a list of a value that was not changed, and has it follow the commits from now on.
  ///
  /// - Returns: Whether it is one.
  mutating func add(
    _ core: ListCore, _ follower: (any AnyObject & Sendable)?, linkKeys: Int
  ) -> Bool {
    guard let (key, version) = core.note(follower, linkKeys: linkKeys) else { return false }
    append(core, key, version)
    return true
  }

  /// Adds a list.
  mutating func add(
    _ core: ListCore, of owner: RelationOwner, _ key: StoredKey, _ version: Int
  ) {
    if owner.lastingKey == nil { ofInstances.append(places.count) }
    append(core, key, version)
  }

  private mutating func append(_ core: ListCore, _ key: StoredKey, _ version: Int) {
    let place = known.value(of: key, else: keys.count)
    if place == keys.count { keys.append(key) }
    places.append(place)
    versions.append(version)
    followed.append(Followed(core: core, stored: key))
  }

  /// Where each owner's key is among others; -1 where it is not.
  ///
  /// Most often both are in one order, and the one that is looked for is the next.
  func places(among others: [SQLiteValue]) -> [Int] {
    var next = 0
    var known: KeyMap<Int>?
    return keys.map { key in
      if next < others.count, key.column == others[next] {
        next += 1
        return next - 1
      }
      let all = known ?? Self.places(of: others)
      known = all
      let place = all[key] ?? -1
      if place >= 0 { next = place + 1 }
      return place
    }
  }

  private static func places(of keys: [SQLiteValue]) -> KeyMap<Int> {
    var places = KeyMap<Int>()
    for (place, key) in keys.enumerated() { places[[key]] = place }
    return places
  }

  /// Has lists be all that was read of their owners.
  ///
  /// - Parameters:
  ///   - keys: Those of the owners of which rows were read.
  ///   - lists: The rows of each.
  ///   - other: What is done with the rows of a list that has changes, or is looked at.
  ///   - missed: What is done with a list of which others rows have arrived meanwhile.
  func take(
    _ keys: [SQLiteValue], _ lists: [any Sendable],
    other: (_ index: Int, _ rows: (any Sendable)?) -> Void, missed: (_ index: Int) -> Void
  ) {
    let found = places(among: keys)
    for (index, one) in followed.enumerated() {
      let place = found[places[index]]
      let rows = place < 0 ? nil : lists[place]
      switch one.core.take(rows, since: versions[index]) {
      case .taken: break
      case .missed: missed(index)
      case .other: other(index, rows)
      }
    }
  }
}

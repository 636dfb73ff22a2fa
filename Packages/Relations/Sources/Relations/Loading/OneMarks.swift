internal import SQLiteCore

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

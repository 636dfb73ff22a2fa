internal import SQLiteCore

/// Keys, each of them once, with their places: integers are found without what they are wrapped in.
struct KeyIndex<Key: TableKey> {
  private(set) var keys: [Key] = []
  private var integers: [Int64: Int] = [:]
  private var others: [Key: Int] = [:]

  /// The place of a key; the one behind all others where it is new.
  mutating func add(_ key: Key) -> Int {
    let place = keys.count
    if let known = self.place(of: key) { return known }
    if let integer = key.integerKey { integers[integer] = place } else { others[key] = place }
    keys.append(key)
    return place
  }

  func place(of key: Key) -> Int? {
    if let integer = key.integerKey { return integers[integer] }
    return others.isEmpty ? nil : others[key]
  }
}

internal import SQLiteCore

/// Keys, each of them once, with their places: integers are found without what they are wrapped in.
struct KeyIndex<Key: TableKey> {
  private(set) var keys: [Key] = []
  private var integers: [Int64: Int] = [:]
  private var others: [Key: Int] = [:]

  /// The place of a key, which is the one behind all others where it is new; `nil` where it is none of the type's.
  mutating func add(_ stored: StoredKey) -> Int? {
    if let known = place(of: stored) { return known }
    guard let key = stored.key(as: Key.self) else { return nil }
    if case .integer(let integer) = stored {
      integers[integer] = keys.count
    } else {
      others[key] = keys.count
    }
    keys.append(key)
    return keys.count - 1
  }

  func place(of stored: StoredKey) -> Int? {
    if case .integer(let integer) = stored { return integers[integer] }
    return others.isEmpty ? nil : stored.key(as: Key.self).flatMap { others[$0] }
  }
}

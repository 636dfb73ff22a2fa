internal import SQLiteCore

/// Values by keys of whatever type, which are compared as SQLite does: those of integers are found without what these are wrapped in.
struct KeyMap<Value: Sendable>: Sendable {
  private var integers: [Int64: Value] = [:]
  private var others: [[SQLiteValue]: Value] = [:]
  private var collation: KeyCollation

  init(_ collation: KeyCollation = .binary) { self.collation = collation }

  var count: Int { integers.count + others.count }
  var values: [Value] { Array(integers.values) + Array(others.values) }

  mutating func reserveCapacity(_ count: Int) { integers.reserveCapacity(count) }

  /// The value of a key; another one, which it has from then on, where there is none.
  mutating func value(of key: StoredKey, else made: Value) -> Value {
    // What is not there is put there, as a place is asked for that may be changed.
    if case .integer(let integer) = key { return { $0 }(&integers[integer, default: made]) }
    let values = key.values ?? []
    if let integer = Self.integer(values) { return { $0 }(&integers[integer, default: made]) }
    return { $0 }(&others[collation.folded(values), default: made])
  }

  subscript(key: StoredKey) -> Value? {
    get {
      if case .integer(let integer) = key { return integers[integer] }
      return self[key.values ?? []]
    }
    set {
      if case .integer(let integer) = key {
        integers[integer] = newValue
      } else {
        self[key.values ?? []] = newValue
      }
    }
  }

  /// The same by the columns of the key: an integer is one, whatever its type.
  subscript(values: [SQLiteValue]) -> Value? {
    get {
      if let integer = Self.integer(values) { return integers[integer] }
      return others.isEmpty ? nil : others[collation.folded(values)]
    }
    set {
      if let integer = Self.integer(values) {
        integers[integer] = newValue
      } else {
        others[collation.folded(values)] = newValue
      }
    }
  }

  /// The integer that a key of these columns is, whatever its type; `nil` where it is something else.
  private static func integer(_ values: [SQLiteValue]) -> Int64? {
    if values.count == 1, case .integer(let integer) = values[0] { integer } else { nil }
  }

  /// Has keys be compared in another way from now on.
  mutating func setCollation(_ collation: KeyCollation) {
    if collation == self.collation { return }
    self.collation = collation
    var folded: [[SQLiteValue]: Value] = [:]
    for (key, value) in others { folded[collation.folded(key)] = value }
    others = folded
  }

  /// Leaves those out of which `isKept` is not so.
  mutating func keep(_ isKept: (Value) -> Bool) {
    integers = integers.filter { isKept($0.value) }
    others = others.filter { isKept($0.value) }
  }
}

internal import SQLiteCore

/// Values by keys of whatever type: those of integers are found without what these are wrapped in.
struct KeyMap<Value: Sendable>: Sendable {
  private var integers: [Int64: Value] = [:]
  private var others: [[SQLiteValue]: Value] = [:]

  var count: Int { integers.count + others.count }
  var values: [Value] { Array(integers.values) + Array(others.values) }

  mutating func reserveCapacity(_ count: Int) { integers.reserveCapacity(count) }

  subscript(key: StoredKey) -> Value? {
    get {
      if case .integer(let integer) = key { return integers[integer] }
      return others.isEmpty ? nil : others[key.values ?? []]
    }
    set {
      if case .integer(let integer) = key {
        integers[integer] = newValue
      } else {
        others[key.values ?? []] = newValue
      }
    }
  }

  /// Leaves those out of which `isKept` is not so.
  mutating func keep(_ isKept: (Value) -> Bool) {
    integers = integers.filter { isKept($0.value) }
    others = others.filter { isKept($0.value) }
  }
}

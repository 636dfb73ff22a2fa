internal import SQLiteCore

/// The key of a row of any type, with a fast path for integers.
///
/// Types that store keys in this form have the same layout for all key types, so no runtime
/// generics are needed.
@usableFromInline
enum StoredKey: Sendable {
  case none
  case integer(Int64)
  indirect case other(any TableKey)

  @inlinable
  init<Key: TableKey>(_ key: Key?) {
    if let key {
      if let integer = key.integerKey { self = .integer(integer) } else { self = .other(key) }
    } else {
      self = .none
    }
  }

  /// Returns the key as its own type.
  func key<Key: TableKey>(as type: Key.Type) -> Key? {
    switch self {
    case .none: nil
    case .integer(let integer): Key(integerKey: integer)
    case .other(let key): key as? Key
    }
  }

  /// A Boolean value that indicates whether there is no key, or the key is not set yet.
  var isUnset: Bool {
    switch self {
    case .none: true
    case .integer(let integer): integer == 0
    case .other(let key): key.isUnset
    }
  }

  /// The value of the key's first or only column.
  var column: SQLiteValue {
    switch self {
    case .none: .null
    case .integer(let integer): .integer(integer)
    case .other(let key): key.keyValues.first ?? .null
    }
  }

  /// The key as SQL literals, for messages.
  var literal: String { (values ?? []).map { "\($0)" }.joined(separator: ", ") }

  /// The values of the key's columns; `nil` if there is no key.
  var values: [SQLiteValue]? {
    switch self {
    case .none: nil
    case .integer(let integer): [.integer(integer)]
    case .other(let key): key.keyValues
    }
  }
}

extension StoredKey: Hashable {
  @usableFromInline
  static func == (a: StoredKey, b: StoredKey) -> Bool {
    switch (a, b) {
    case (.none, .none): true
    case (.integer(let a), .integer(let b)): a == b
    case (.other(let a), .other(let b)): a.keyValues == b.keyValues
    default: false
    }
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .integer(let integer): hasher.combine(integer)
    case .other(let key): hasher.combine(key.keyValues)
    }
  }
}

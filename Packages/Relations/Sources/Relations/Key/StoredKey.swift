internal import SQLiteCore

/// The key of a row of whatever type: an integer as itself.
///
/// What holds keys of any type this way has the same shape for all of them, and so needs not to ask at run time what it is made
/// of.
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

  /// The key as its type has it.
  func key<Key: TableKey>(as type: Key.Type) -> Key? {
    switch self {
    case .none: nil
    case .integer(let integer): Key(integerKey: integer)
    case .other(let key): key as? Key
    }
  }

  /// Whether there is none, or it is yet to be given.
  var isUnset: Bool {
    switch self {
    case .none: true
    case .integer(let integer): integer == 0
    case .other(let key): key.isUnset
    }
  }

  /// The first of its columns, or its only one.
  var column: SQLiteValue {
    switch self {
    case .none: .null
    case .integer(let integer): .integer(integer)
    case .other(let key): key.keyValues.first ?? .null
    }
  }

  /// It as SQL's literals, for messages.
  var literal: String { (values ?? []).map { "\($0)" }.joined(separator: ", ") }

  /// Its columns; `nil` where there is none.
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

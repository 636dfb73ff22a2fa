internal import Primitives
internal import SQLiteCore

/// A dictionary keyed by primary keys, which are compared as SQLite does, with a fast path for
/// integer keys.
struct KeyMap<Value: Sendable>: Sendable {
  private var integers: [Int64: Value] = [:]
  private var others: [[SQLiteValue]: Value] = [:]
  private var collation: KeyCollation

  init(_ collation: KeyCollation = .binary) { self.collation = collation }

  var count: Int { integers.count + others.count }
  var values: [Value] { Array(integers.values) + Array(others.values) }

  mutating func reserveCapacity(_ count: Int) { integers.reserveCapacity(count) }

  /// Returns the value of a key, inserting `initial` if there is none.
  mutating func value(of key: StoredKey, else initial: Value) -> Value {
    // Accessing the value `inout` inserts the default, and needs only one hash lookup.
    if case .integer(let integer) = key { return { $0 }(&integers[integer, default: initial]) }
    let values = key.values ?? []
    if let integer = Self.integer(values) { return { $0 }(&integers[integer, default: initial]) }
    return { $0 }(&others[collation.folded(values), default: initial])
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

  /// The value of the key with these columns. An integer is the same key, regardless of its type.
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

  /// Returns the key as an integer, regardless of its type; `nil` if it is not an integer.
  private static func integer(_ values: [SQLiteValue]) -> Int64? {
    if values.count == 1, case .integer(let integer) = values[0] { integer } else { nil }
  }

  /// Changes the comparison of keys.
  mutating func setCollation(_ collation: KeyCollation) {
    if collation == self.collation { return }
    self.collation = collation
    var folded: [[SQLiteValue]: Value] = [:]
    for (key, value) in others { folded[collation.folded(key)] = value }
    others = folded
  }

  /// Removes the entries that satisfy `isRemoved`.
  mutating func removeAll(where isRemoved: (Value) -> Bool) {
    integers = integers.filter { !isRemoved($0.value) }
    others = others.filter { !isRemoved($0.value) }
  }
}

/// The comparison of a table's keys, determined by the collations of its key columns.
///
/// Values other than text are compared exactly, and so is text with a custom collation: the
/// collation's function is not available here.
struct KeyCollation: Hashable, Sendable {
  /// The collation of a column.
  enum Column: Hashable, Sendable {
    case binary
    /// Ignores the case of ASCII letters.
    case noCase
    /// Ignores trailing spaces.
    case trimmed

    /// - Parameter name: SQLite's name of the collation.
    init(_ name: String?) {
      self =
        switch name?.uppercased() {
        case "NOCASE": .noCase
        case "RTRIM": .trimmed
        default: .binary
        }
    }

    func folded(_ text: String) -> String {
      switch self {
      case .binary: return text
      case .noCase: return text.asciiLowercased
      case .trimmed:
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: " ") }
        return end.map { String(text.utf8[...$0]) ?? text } ?? ""
      }
    }
  }

  /// The collations of the key's columns; empty if all of them are `BINARY`.
  private let columns: [Column]

  static let binary = KeyCollation([])

  init(_ columns: [Column]) {
    self.columns = columns.allSatisfy { $0 == .binary } ? [] : columns
  }

  var isBinary: Bool { columns.isEmpty }

  func areEqual(_ a: StoredKey, _ b: StoredKey) -> Bool {
    if a == b { return true }
    guard !isBinary, let a = a.values, let b = b.values else { return false }
    return folded(a) == folded(b)
  }

  /// Returns values that are identical for all keys that SQLite considers equal.
  func folded(_ values: [SQLiteValue]) -> [SQLiteValue] {
    if isBinary { return values }
    var values = values
    for (place, column) in zip(values.indices, columns) {
      if case .text(let text) = values[place] { values[place] = .text(column.folded(text)) }
    }
    return values
  }
}

/// A map without values is a set of keys.
extension KeyMap<Void> {
  init(_ keys: some Sequence<[SQLiteValue]>, _ collation: KeyCollation) {
    self.init(collation)
    for key in keys { self[key] = () }
  }

  func contains(_ key: [SQLiteValue]) -> Bool { self[key] != nil }
}

extension Connection {
  /// Returns the comparison of the keys of a type's table.
  func keyCollation(of metadata: TableMetadata) throws -> KeyCollation {
    // Integer keys have no collation.
    guard
      metadata.key.contains(where: { metadata.columns[$0].declaredType.uppercased() != "INTEGER" })
    else { return .binary }
    let columns = try columns(of: metadata.table)
    return KeyCollation(
      metadata.keyNames.map { name in
        KeyCollation.Column(columns.first { SQLName.isSame($0.name, name) }?.collation)
      })
  }
}

internal import Primitives
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

/// The comparison of a table's keys: by the collations of its key columns.
///
/// Values of other types than text are compared as they are. So are texts with a collation of the application's own,
/// which is unknown here.
struct KeyCollation: Hashable, Sendable {
  /// The collation of a column.
  enum Column: Hashable, Sendable {
    case binary
    /// Without regard to the case of ASCII's letters.
    case noCase
    /// Without regard to spaces at the end.
    case trimmed

    /// - Parameter name: The name that SQLite has for it.
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

  /// Those of the key's columns; none if all of them are `BINARY`.
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

  /// Values that are the same for all keys that SQLite holds equal.
  func folded(_ values: [SQLiteValue]) -> [SQLiteValue] {
    if isBinary { return values }
    var values = values
    for (place, column) in zip(values.indices, columns) {
      if case .text(let text) = values[place] { values[place] = .text(column.folded(text)) }
    }
    return values
  }
}

/// Keys of one table, as SQLite compares them.
struct KeyGroup: Sendable {
  private let collation: KeyCollation
  private let keys: Set<[SQLiteValue]>

  init(_ keys: some Sequence<[SQLiteValue]>, _ collation: KeyCollation) {
    self.collation = collation
    self.keys = Set(keys.map { collation.folded($0) })
  }

  func contains(_ key: [SQLiteValue]) -> Bool { keys.contains(collation.folded(key)) }
}

extension Connection {
  /// The comparison of the keys of a type's table.
  func keyCollation(of shape: TableMetadata) throws -> KeyCollation {
    // Keys that are integers have none.
    guard shape.key.contains(where: { shape.columns[$0].declaredType.uppercased() != "INTEGER" })
    else { return .binary }
    let columns = try columns(of: shape.table)
    return KeyCollation(
      shape.keyNames.map { name in
        KeyCollation.Column(columns.first { SQLName.isSame($0.name, name) }?.collation)
      })
  }
}

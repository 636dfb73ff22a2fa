internal import SQLiteCore

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
      case .noCase:
        let isUpper = { (byte: UInt8) in (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        return String(decoding: text.utf8.map { isUpper($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
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

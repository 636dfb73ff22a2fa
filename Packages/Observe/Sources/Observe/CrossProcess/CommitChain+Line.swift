internal import Primitives
@_spi(Observing) internal import SQLiteCore

/// The exchange of commits between processes: a line of text that names tables and columns.
///
///     1 17-9f03ab 18-77c0de player:5:name,score book:7:*
///
/// The fields are the version, the state before the commit, the state after it or `-`, and each
/// table with its kinds of changes and the columns that updates changed. `!` means that anything
/// may have changed.
extension CommitChain.Link {
  private static let version = "1"

  /// Parses a line; fails if it is damaged or has another version. The commit then counts as
  /// unknown.
  init?(line: String) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == Self.version,
      let before = Connection.WALState(text: parts[1])
    else {
      return nil
    }
    let after = parts[2] == "-" ? nil : Connection.WALState(text: parts[2])
    if after == nil, parts[2] != "-" { return nil }
    var changes = ChangeSet()
    for part in parts.dropFirst(3) {
      if part == "!" {
        changes.isUnbounded = true
        continue
      }
      let fields = part.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 3, let name = Self.unescaped(fields[0]),
        let kinds = UInt8(fields[1])
      else { return nil }
      var columns: Set<Region.ColumnName>? = []
      if fields[2] == "*" {
        columns = nil
      } else {
        for field in fields[2].split(separator: ",") {
          guard let column = Self.unescaped(field) else { return nil }
          columns?.insert(Region.ColumnName(column))
        }
      }
      changes.tables[TableName(name)] = ChangeSet.TableChange(
        kinds: ChangeSet.TableChange.Kinds(rawValue: kinds),
        updatedColumns: columns.map { .some($0) } ?? .all
      )
    }
    self.init(before: before, after: after, changes: changes)
  }

  var line: String {
    var parts = [Self.version, before.text, after?.text ?? "-"]
    let changes = changes ?? ChangeSet()
    if changes.coversEverything { parts.append("!") }
    for (table, change) in changes.tables {
      let columns =
        switch change.updatedColumns {
        case .all: "*"
        case .some(let columns): columns.map { Self.escaped($0.name) }.joined(separator: ",")
        }
      parts.append("\(Self.escaped(table.name)):\(change.kinds.rawValue):\(columns)")
    }
    return parts.joined(separator: " ")
  }

  /// Escapes separators in a name. An empty name becomes `%`.
  private static func escaped(_ name: String) -> String {
    if name.isEmpty { return "%" }
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        bytes.append(byte)
      default:
        let digits = String(byte, radix: 16)
        bytes += Array((digits.utf8.count < 2 ? "%0" : "%").utf8) + Array(digits.utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ name: Substring) -> String? {
    if name == "%" { return "" }
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(Substring(rest.prefix(2)), radix: 16), rest.count >= 2 else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(wellFormed: bytes)
  }
}

extension Connection.WALState {
  fileprivate init?(text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt32(parts[0]),
      let checksum = UInt64(parts[1], radix: 16)
    else { return nil }
    self.init(number: number, checksum: checksum)
  }

  fileprivate var text: String { "\(number)-\(String(checksum, radix: 16))" }
}

extension ChangeSet {
  /// The changes that are visible to others that have opened the same file: without the
  /// connection's temporary tables, and without tables of attached files.
  var inMainSchema: ChangeSet {
    var changes = self
    changes.tables = tables.filter { $0.key == TableName($0.key.name) }
    return changes
  }
}

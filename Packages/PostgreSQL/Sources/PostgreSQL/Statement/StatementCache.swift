/// A statement that the server has parsed, or whose types are known.
final class PreparedStatement: Sendable {
  let sql: String
  /// The statement's name at the server; empty for a statement that is parsed each time.
  let name: String
  let parameters: ParameterTypes
  /// The columns; empty if the statement returns no rows.
  let columns: ResultColumns

  init(sql: String, name: String, parameters: ParameterTypes, columns: ResultColumns) {
    self.sql = sql
    self.name = name
    self.parameters = parameters
    self.columns = columns
  }

  /// The name of a statement: a hash of its text, so that two clients of a pooler never give one name to two
  /// statements.
  static func name(of sql: String) -> String {
    var (first, second): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
    for byte in sql.utf8 {
      first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      second = (second &+ UInt64(byte) &+ 1) &* 0xFF51_AFD7_ED55_8CCD
      second ^= second >> 32
    }
    return "holt_" + String(first, radix: 16) + "_" + String(second, radix: 16)
  }
}

/// The prepared statements of a connection, by their text and by the literals that contain it. The least recently used
/// statement is removed when the cache is full.
struct StatementCache {
  private struct Entry {
    let statement: PreparedStatement
    var stamp: UInt64
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  /// The same statements by literal. A literal's address identifies its text, and is faster to look up.
  private var literals: [UInt: PreparedStatement] = [:]
  private var last: (literal: UInt, statement: PreparedStatement)?
  private var clock: UInt64 = 0
  /// The names of removed statements, which the server still has.
  private(set) var removedNames: [String] = []

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  mutating func statement(for query: PostgreSQLQuery) -> PreparedStatement? {
    clock += 1
    if case .literal(let literal) = query.storage {
      let address = literal.address
      if let last, last.literal == address { return last.statement }
      if let found = literals[address] {
        last = (address, found)
        entries[found.sql]?.stamp = clock
        return found
      }
    }
    let text = query.text
    guard let found = entries[text]?.statement, found.sql.utf8.elementsEqual(text.utf8) else {
      return nil
    }
    entries[text]?.stamp = clock
    if case .literal(let literal) = query.storage { literals[literal.address] = found }
    return found
  }

  mutating func add(_ statement: PreparedStatement) {
    guard capacity > 0 else { return }
    if entries.count >= capacity, entries[statement.sql] == nil { removeOldest() }
    clock += 1
    entries[statement.sql] = Entry(statement: statement, stamp: clock)
  }

  private mutating func removeOldest() {
    // The last statement has no current stamp, since it is found without one.
    if let last { entries[last.statement.sql]?.stamp = clock }
    guard let oldest = entries.min(by: { $0.value.stamp < $1.value.stamp }) else { return }
    remove(oldest.value.statement)
  }

  /// Removes a statement. The server still has it until the next one is prepared, unless `isGone` is set.
  mutating func remove(_ statement: PreparedStatement, isGone: Bool = false) {
    if !isGone, !statement.name.isEmpty, entries[statement.sql] != nil {
      removedNames.append(statement.name)
    }
    entries[statement.sql] = nil
    literals = literals.filter { $0.value !== statement }
    if last?.statement === statement { last = nil }
  }

  /// Removes all statements, so that they are prepared again.
  mutating func invalidate() {
    for entry in entries.values { remove(entry.statement) }
  }

  /// Forgets all statements, which the server no longer has.
  mutating func removeAll() {
    self = StatementCache(capacity: capacity)
  }

  mutating func takeRemovedNames() -> [String] {
    defer { removedNames = [] }
    return removedNames
  }
}

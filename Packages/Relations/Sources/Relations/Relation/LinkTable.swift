internal import SQLiteCore

/// The table of links of an ordered list: for each element its owner, its position and its row.
struct LinkTable: Sendable {
  let name: String
  let owner: any Table.Type
  let target: any Table.Type
  let rules: LinkRules

  init(owner: TableShape, property: String, target: any Table.Type, rules: LinkRules) {
    name = "\(owner.table)_\(property)"
    self.owner = owner.type
    self.target = target
    self.rules = rules
  }

  var quoted: String { SQLName.quoted(name) }

  /// Between two positions that follow one another.
  static let gap: Int64 = 1 << 20

  // MARK: The table

  /// - Parameter settings: Those of the owner's database: no foreign key leads to another one.
  func createSQL(_ settings: SettingsKey) -> [String] {
    [
      """
      CREATE TABLE \(quoted) (owner \(Self.keyType(of: owner)) NOT NULL\(reference(owner, .cascade, settings)), \
      position INTEGER NOT NULL, \
      target \(Self.keyType(of: target)) NOT NULL\(reference(target, rules.onDeleteTarget, settings)), \
      PRIMARY KEY (owner, position)) WITHOUT ROWID
      """,
      "CREATE INDEX \(SQLName.quoted("\(name)_target")) ON \(quoted) (target)",
    ]
  }

  private func reference(
    _ table: any Table.Type, _ onDelete: ForeignKeyAction, _ settings: SettingsKey
  ) -> String {
    guard table.autoDBSettings == settings else { return "" }
    let keys = table.keyColumns.map { SQLName.quoted($0) }.joined(separator: ", ")
    return " REFERENCES \(SQLName.quoted(table.tableName)) (\(keys))"
      + " ON DELETE \(onDelete.rawValue) ON UPDATE CASCADE"
  }

  static func keyType(of table: any Table.Type) -> String {
    func open<Row: Table>(_ type: Row.Type) -> String { Row.ID.columnTypes[0] }
    return open(table)
  }
}

/// What is changed of an owner's list.
struct LinkWrite: Sendable {
  /// An element that is new at its place.
  struct Element: Sendable {
    /// The key; `nil` where ``write`` makes it.
    var key: SQLiteValue?
    var write: Int?
  }

  /// Elements that are added one behind the other.
  struct Run: Sendable {
    /// The position of the element that they stand before; `nil` for the list's end.
    let before: Int64?
    var elements: [Element]
  }

  let table: LinkTable
  /// The owner's key; `nil` where ``ownerWrite`` makes it.
  var owner: SQLiteValue?
  var ownerWrite: Int?
  /// The positions that are given up.
  var removed: [Int64]
  var runs: [Run]
}

/// The links of an owner, up to as many as are known here.
struct StoredLinks: Sendable {
  let table: LinkTable
  var owner: SQLiteValue?
  var ownerWrite: Int?
}

extension Connection {
  /// The links of an owner as they are by now, in their order.
  func links(
    of list: StoredLinks, made: [Int: Int64]
  ) throws -> [(position: Int64, target: SQLiteValue)] {
    guard let owner = list.owner ?? list.ownerWrite.flatMap({ made[$0] }).map(SQLiteValue.integer)
    else { return [] }
    var links: [(position: Int64, target: SQLiteValue)] = []
    try forEach(
      "SELECT position, target FROM \(list.table.quoted) WHERE owner = ? ORDER BY position", owner
    ) { row in
      links.append((try row.read(at: 0), try row.value(at: 1)))
    }
    return links
  }

  /// Changes lists, with the keys that were made for rows.
  ///
  /// Elements that others have added meanwhile stay: only links that are given up are deleted, and only those that are new are
  /// inserted.
  func write(_ write: LinkWrite, made: [Int: Int64]) throws {
    guard let owner = write.owner ?? write.ownerWrite.flatMap({ made[$0] }).map(SQLiteValue.integer)
    else { return }
    let table = write.table.quoted
    for position in write.removed {
      try run("DELETE FROM \(table) WHERE owner = ? AND position = ?", owner, position)
    }
    var list = StoredList(connection: self, table: table, owner: owner)
    list.nexts = try write.runs.map { try $0.before.flatMap { try list.position(from: $0) } }
    for (place, run) in write.runs.enumerated() {
      let keys = run.elements.compactMap {
        $0.key ?? $0.write.flatMap { made[$0] }.map(SQLiteValue.integer)
      }
      try list.insert(keys, run: place)
    }
  }
}

/// The list of one owner, as it is in the table.
private struct StoredList {
  let connection: Connection
  let table: String
  let owner: SQLiteValue
  /// The positions that runs stand before.
  var nexts: [Int64?] = []

  /// The first position that is not before another.
  func position(from position: Int64) throws -> Int64? {
    try connection.value(
      Int64?.self, "SELECT min(position) FROM \(table) WHERE owner = ? AND position >= ?", owner,
      position) ?? nil
  }

  mutating func insert(_ keys: [SQLiteValue], run: Int) throws {
    var free = try freePositions(keys.count, before: nexts[run])
    if free == nil {
      try spread()
      free = try freePositions(keys.count, before: nexts[run])
    }
    for (key, position) in zip(keys, free ?? []) {
      try connection.run(
        "INSERT INTO \(table) (owner, position, target) VALUES (?, ?, ?)", owner, position, key)
    }
  }

  /// Positions between an element and the one before it; `nil` where there is no room.
  private func freePositions(_ count: Int, before next: Int64?) throws -> [Int64]? {
    let last: Int64? =
      if let next {
        try connection.value(
          Int64?.self, "SELECT max(position) FROM \(table) WHERE owner = ? AND position < ?", owner,
          next) ?? nil
      } else {
        try connection.value(
          Int64?.self, "SELECT max(position) FROM \(table) WHERE owner = ?", owner) ?? nil
      }
    let gap = LinkTable.gap
    guard let next else { return (0..<count).map { (last ?? 0) + Int64($0 + 1) * gap } }
    guard let last else { return (0..<count).map { next - Int64(count - $0) * gap } }
    let step = (next - last) / Int64(count + 1)
    return step < 1 ? nil : (0..<count).map { last + Int64($0 + 1) * step }
  }

  /// Moves the elements apart, by way of positions before all of them, so that no two are ever alike.
  private mutating func spread() throws {
    let ranks = try nexts.map { next in
      try next.map { next in
        try connection.value(
          Int64.self, "SELECT count(*) FROM \(table) WHERE owner = ? AND position < ?", owner, next)
          ?? 0
      }
    }
    try connection.run(
      """
      UPDATE \(table) SET position = moved.place FROM (
        SELECT position AS former, (SELECT min(position) FROM \(table) WHERE owner = ?1) - 1
          - count(*) OVER () + row_number() OVER (ORDER BY position) AS place
        FROM \(table) WHERE owner = ?1) AS moved
      WHERE owner = ?1 AND position = moved.former
      """, owner)
    try connection.run(
      """
      UPDATE \(table) SET position = moved.place * \(LinkTable.gap) FROM (
        SELECT position AS former, row_number() OVER (ORDER BY position) AS place
        FROM \(table) WHERE owner = ?1) AS moved
      WHERE owner = ?1 AND position = moved.former
      """, owner)
    nexts = ranks.map { rank in rank.map { ($0 + 1) * LinkTable.gap } }
  }
}

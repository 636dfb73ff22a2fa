internal import SQLiteCore

/// The table of links of an ordered list: for each element its owner, its position and its row.
struct LinkTable: Sendable {
  let name: String
  let owner: any Table.Type
  let target: any Table.Type
  let rules: LinkRules
  /// The columns that have the keys.
  let ownerColumns: [String]
  let targetColumns: [String]

  init(owner: TableShape, property: String, target: any Table.Type, rules: LinkRules) {
    name = "\(owner.table)_\(property)"
    self.owner = owner.type
    self.target = target
    self.rules = rules
    ownerColumns = Self.columns("owner", owner.type)
    targetColumns = Self.columns("target", target)
  }

  private static func columns(_ side: String, _ table: any Table.Type) -> [String] {
    let keys = table.keyColumns
    return keys.count == 1 ? [side] : keys.map { "\(side)_\($0)" }
  }

  var quoted: String { SQLName.quoted(name) }

  /// Between two positions that follow one another.
  static let gap: Int64 = 1 << 20

  // MARK: The table

  /// - Parameter settings: Those of the owner's database: no foreign key leads to another one.
  func createSQL(_ settings: SettingsKey) -> [String] {
    let (owners, targets) = (Self.list(ownerColumns), Self.list(targetColumns))
    var parts = Self.declarations(ownerColumns, owner) + ["position INTEGER NOT NULL"]
    parts += Self.declarations(targetColumns, target)
    parts.append("PRIMARY KEY (\(owners), position)")
    parts += reference(owners, owner, .cascade, settings)
    parts += reference(targets, target, rules.onDeleteTarget, settings)
    return [
      "CREATE TABLE \(quoted) (\(parts.joined(separator: ", "))) WITHOUT ROWID",
      "CREATE INDEX \(SQLName.quoted("\(name)_target")) ON \(quoted) (\(targets))",
    ]
  }

  private static func list(_ names: [String]) -> String {
    names.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  private static func declarations(_ columns: [String], _ table: any Table.Type) -> [String] {
    zip(columns, keyTypes(of: table)).map { "\(SQLName.quoted($0)) \($1) NOT NULL" }
  }

  private func reference(
    _ columns: String, _ table: any Table.Type, _ onDelete: ForeignKeyAction,
    _ settings: SettingsKey
  ) -> [String] {
    guard table.autoDBSettings == settings else { return [] }
    return [
      "FOREIGN KEY (\(columns)) REFERENCES \(SQLName.quoted(table.tableName)) "
        + "(\(Self.list(table.keyColumns))) ON DELETE \(onDelete.rawValue) ON UPDATE CASCADE"
    ]
  }

  private static func keyTypes(of table: any Table.Type) -> [String] {
    func open<Row: Table>(_ type: Row.Type) -> [String] { Row.ID.columnTypes }
    return open(table)
  }

  /// A condition that holds for the links of an owner, whose key is the first parameters.
  var ownerCondition: String {
    ownerColumns.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }
      .joined(separator: " AND ")
  }
}

/// What is changed of an owner's list.
struct LinkWrite: Sendable {
  /// An element that is new at its place.
  struct Element: Sendable {
    /// The key; `nil` where ``write`` makes it.
    var key: [SQLiteValue]?
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
  var owner: [SQLiteValue]?
  var ownerWrite: Int?
  /// The positions that are given up.
  var removed: [Int64]
  var runs: [Run]
}

/// The links of an owner, up to as many as are known here.
struct StoredLinks: Sendable {
  let table: LinkTable
  var owner: [SQLiteValue]?
  var ownerWrite: Int?
}

/// A link as it is in the database.
struct StoredLink: Sendable {
  let position: Int64
  let target: [SQLiteValue]
}

/// A row of a link's table that is deleted.
struct LinkDelete: Sendable {
  let shape: TableShape
  let key: [SQLiteValue]
}

extension Connection {
  /// The links of an owner as they are by now, in their order.
  func links(of list: StoredLinks, made: [Int: Int64]) throws -> [StoredLink] {
    guard let owner = list.owner ?? list.ownerWrite.flatMap({ made[$0] }).map({ [.integer($0)] })
    else { return [] }
    let table = list.table
    let targets = table.targetColumns.map { SQLName.quoted($0) }.joined(separator: ", ")
    let sql =
      "SELECT position, \(targets) FROM \(table.quoted) WHERE \(table.ownerCondition) "
      + "ORDER BY position"
    return try rows(sql, values: owner).compactMap { row in
      guard case .integer(let position) = row.first else { return nil }
      return StoredLink(position: position, target: Array(row.dropFirst()))
    }
  }

  /// Changes lists, with the keys that were made for rows.
  ///
  /// Elements that others have added meanwhile stay: only links that are given up are deleted, and only those that are new are
  /// inserted.
  func write(_ write: LinkWrite, made: [Int: Int64]) throws {
    guard let owner = write.owner ?? write.ownerWrite.flatMap({ made[$0] }).map({ [.integer($0)] })
    else { return }
    var list = StoredList(connection: self, table: write.table, owner: owner)
    for position in write.removed { try list.remove(position) }
    list.nexts = try write.runs.map { try $0.before.flatMap { try list.position(from: $0) } }
    for (place, run) in write.runs.enumerated() {
      let keys = run.elements.compactMap { element -> [SQLiteValue]? in
        element.key ?? element.write.flatMap { made[$0] }.map { [.integer($0)] }
      }
      try list.insert(keys, run: place)
    }
  }
}

/// The list of one owner, as it is in the table.
private struct StoredList {
  let connection: Connection
  let table: LinkTable
  let owner: [SQLiteValue]
  /// The positions that runs stand before.
  var nexts: [Int64?] = []

  private var own: String { table.ownerCondition }
  /// The parameter behind those of the owner.
  private var next: String { "?\(owner.count + 1)" }

  private func value<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: String, _ more: Int64...
  ) throws -> Value? {
    try connection.value(type, sql, values: owner + more.map(SQLiteValue.integer))
  }

  private func run(_ sql: String, _ more: [SQLiteValue] = []) throws {
    _ = try connection.run(sql, values: owner + more)
  }

  func remove(_ position: Int64) throws {
    try run("DELETE FROM \(table.quoted) WHERE \(own) AND position = \(next)", [.integer(position)])
  }

  /// The first position that is not before another.
  func position(from position: Int64) throws -> Int64? {
    try value(
      Int64?.self,
      "SELECT min(position) FROM \(table.quoted) WHERE \(own) AND position >= \(next)", position)
      ?? nil
  }

  mutating func insert(_ keys: [[SQLiteValue]], run: Int) throws {
    var free = try freePositions(keys.count, before: nexts[run])
    if free == nil {
      try spread()
      free = try freePositions(keys.count, before: nexts[run])
    }
    let columns = (table.ownerColumns + ["position"] + table.targetColumns)
    let names = columns.map { SQLName.quoted($0) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    for (key, position) in zip(keys, free ?? []) {
      try self.run(
        "INSERT INTO \(table.quoted) (\(names)) VALUES (\(marks))", [.integer(position)] + key)
    }
  }

  /// Positions between an element and the one before it; `nil` where there is no room.
  private func freePositions(_ count: Int, before next: Int64?) throws -> [Int64]? {
    let greatest = "SELECT max(position) FROM \(table.quoted) WHERE \(own)"
    let last: Int64? =
      if let next {
        try value(Int64?.self, "\(greatest) AND position < \(self.next)", next) ?? nil
      } else {
        try value(Int64?.self, greatest) ?? nil
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
        try value(
          Int64.self,
          "SELECT count(*) FROM \(table.quoted) WHERE \(own) AND position < \(self.next)", next)
          ?? 0
      }
    }
    try run(
      """
      UPDATE \(table.quoted) SET position = moved.place FROM (
        SELECT position AS former, (SELECT min(position) FROM \(table.quoted) WHERE \(own)) - 1
          - count(*) OVER () + row_number() OVER (ORDER BY position) AS place
        FROM \(table.quoted) WHERE \(own)) AS moved
      WHERE \(own) AND position = moved.former
      """)
    try run(
      """
      UPDATE \(table.quoted) SET position = moved.place * \(LinkTable.gap) FROM (
        SELECT position AS former, row_number() OVER (ORDER BY position) AS place
        FROM \(table.quoted) WHERE \(own)) AS moved
      WHERE \(own) AND position = moved.former
      """)
    nexts = ranks.map { rank in rank.map { ($0 + 1) * LinkTable.gap } }
  }
}

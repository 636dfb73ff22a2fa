internal import SQLiteCore

/// Plans how tables are written in an ordinary layout, and refuses anything that such a layout
/// can't represent.
struct JSONPlanner {
  private let connection: Connection
  private(set) var layout: JSONLayout
  private var schemas: [[UInt8]: TableSchema] = [:]
  private var spellings: [[UInt8]: Spellings] = [:]
  private(set) var plans: [JSONRowPlan] = []

  init(_ connection: Connection, _ layout: JSONLayout) throws {
    self.connection = connection
    self.layout = layout
    try collectTables()
    try refuseStatements()
    for index in self.layout.tables.indices { plans.append(try plan(index)) }
  }

  static func unrepresentable(
    _ problem: String, table: String? = nil, column: String? = nil
  ) -> ProviderError {
    ProviderError(
      .unrepresentable,
      "\(problem); use Holt's document layout: see JSONProvider.Options.writesDatabases",
      table: table, column: column)
  }

  // MARK: Schema

  private mutating func collectTables() throws {
    for schema in try connection.tables() {
      let name = schema.name.name
      switch schema.kind {
      case .view: throw Self.unrepresentable("an ordinary file can't contain views", table: name)
      case .virtual, .shadow:
        throw Self.unrepresentable("an ordinary file can't contain virtual tables", table: name)
      case .table: break
      }
      if let column = schema.columns.first(where: { $0.kind != .stored }) {
        throw Self.unrepresentable(
          "an ordinary file can't contain generated columns", table: name, column: column.name)
      }
      let known = layout.tables.first { $0.name.map { SQLName.isSame($0, name) } ?? false }
      for constraint in schema.constraints(besideKey: known?.key, parent: known?.link?.parent) {
        // Types and keys are inferred from the values again; constraints can't be.
        throw Self.unrepresentable(
          "an ordinary file can't contain constraints: \(constraint.sql)", table: name)
      }
      schemas[Self.key(name)] = schema
      spellings[Self.key(name)] = try Spellings(of: name, in: connection)
      if known == nil { try addTable(name) }
    }
  }

  /// Adds a table that the file did not have.
  private mutating func addTable(_ name: String) throws {
    guard layout.kind == .object, let root = layout.tables.first?.root else {
      throw Self.unrepresentable("the file's layout represents only one table", table: name)
    }
    let key = layout.keys.add(name)
    var node = layout.members.child(of: root, key)
    if node < 0 { node = layout.members.add(.key, key, to: root) }
    guard layout.members[node].table < 0 else {
      throw Self.unrepresentable("the file has another table with this name", table: name)
    }
    layout.members[node].table = layout.tables.count
    layout.tables.append(
      JSONLayout.Table(name: name, root: layout.members.addRoot(), node: node, owner: 0))
  }

  private func refuseStatements() throws {
    let index = try connection.fetchFirst(
      """
      SELECT m.name, m.tbl_name FROM sqlite_master AS m, pragma_index_list(m.tbl_name) AS i
      WHERE m.type = 'index' AND m.sql IS NOT NULL AND i.name = m.name AND i."unique"
      """)
    if let (name, table) = index {
      throw Self.unrepresentable(
        "an ordinary file can't contain the unique index \(name)", table: table)
    }
    let trigger = try connection.fetchFirst(
      "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
    if let (name, table) = trigger {
      throw Self.unrepresentable("an ordinary file can't contain the trigger \(name)", table: table)
    }
    for name in ["user_version", "application_id"] {
      if let number = try connection.value(Int.self, "PRAGMA \(unsafe: name)"), number != 0 {
        throw Self.unrepresentable("an ordinary file can't contain \(name), which is \(number)")
      }
    }
  }

  // MARK: Tables

  /// Returns a key for a name, as SQLite compares names.
  private static func key(_ name: String) -> [UInt8] { Array(SQLName.folded(name).utf8) }

  private mutating func plan(_ index: Int) throws -> JSONRowPlan {
    let table = layout.tables[index]
    guard let name = table.name else { return .missingTable(item(table.root, table, [:])) }
    guard let schema = schemas[Self.key(name)] else {
      return .missingTable(JSONRowPlan.Item(node: table.root, key: []))
    }
    var link = [table.link?.parent, table.link?.position].compactMap(\.self)
    if layout.tables.contains(where: { $0.owner == index && $0.link != nil }),
      let number = schema.rowIDColumn
    {
      link.append(number)
    }
    var columns: [Int: (ColumnIndex, TableSchema.Column)] = [:]
    var selected: [String] = []
    for column in schema.columns {
      guard !link.contains(where: { SQLName.isSame($0, column.name) }) else { continue }
      let known = table.nodes.first { SQLName.isSame($0.name, column.name) }?.node
      let node = try known ?? addMember(column.name, to: table)
      columns[node] = (ColumnIndex(selected.count + 3), column)
      selected.append("t.\(SQLName.quoted(column.name))")
    }
    return JSONRowPlan(
      table: name, isLinked: table.link != nil, isTableMissing: false, rows: table.rows,
      spellings: spellings[Self.key(name)],
      root: item(table.root, table, columns), sql: try select(index, schema, selected))
  }

  /// Adds a member for a column that the file did not have: to the object that the column's name is
  /// a path of, or else to the row.
  private mutating func addMember(_ name: String, to table: JSONLayout.Table) throws -> Int {
    var node = table.root
    var path = name.split(separator: ".", omittingEmptySubsequences: false)[...]
    while path.count > 1, let key = layout.keys.id(of: String(path[path.startIndex])) {
      let child = layout.members.child(of: node, key)
      guard child >= 0, layout.members[child].traits.contains(.object) else { break }
      node = child
      path.removeFirst()
    }
    let key = layout.keys.add(path.joined(separator: "."))
    let known = layout.members.child(of: node, key)
    guard known < 0 else {
      let member = layout.members[known]
      // The column was dropped, and added again with another spelling.
      guard member.column < 0, member.table < 0, !member.traits.contains(.object) else {
        throw Self.unrepresentable(
          "the file has another member with this name", table: table.name, column: name)
      }
      return known
    }
    return layout.members.add(.key, key, to: node)
  }

  private func item(
    _ node: Int, _ table: JSONLayout.Table, _ columns: [Int: (ColumnIndex, TableSchema.Column)]
  ) -> JSONRowPlan.Item {
    let members = layout.members
    let member = members[node]
    let key = member.component == .key ? Array(layout.keys[member.number].utf8) : []
    var item = JSONRowPlan.Item(node: node, key: key)
    if let (column, schema) = columns[node] {
      item.column = column
      item.type = ValueType(declared: schema.declaredType)
      item.notation.hasShortReals = member.hasWholeNumbers
      item.spelled = table.name.flatMap { spellings[Self.key($0)]?.number(of: schema.name) }
    }
    let nullCount = members.nullCount(node)
    item.writesNull = (
      nullCount > 0 && nullCount + member.count >= table.rows.count, nullCount > 0
    )
    item.children = members.children(of: node).map { self.item($0, table, columns) }
    if member.elements >= 0 {
      item.elementsNode = member.elements
      for child in members.children(of: member.elements) {
        let position = members[child].number
        item.elements[position] = self.item(child, table, columns)
        item.elementCount = Swift.max(item.elementCount, position + 1)
      }
    }
    if member.table >= 0, let name = layout.tables[member.table].name,
      schemas[Self.key(name)] != nil
    {
      item.table = member.table
    }
    return item
  }

  // MARK: SQL

  /// Returns a query for the rows in document order: each row's rowid, its parent's rowid, whether
  /// it is new, and the columns.
  private func select(
    _ index: Int, _ schema: TableSchema, _ columns: [String]
  ) throws -> String {
    let table = layout.tables[index]
    var from = "\(SQLName.quoted(schema.name.name)) AS t"
    guard let link = table.link else {
      let number = schema.rowIDName.map { "t.\($0)" } ?? "NULL"
      let order = schema.rowIDName.map { " ORDER BY t.\($0)" } ?? ""
      let isNew = try InsertedRowTracker(index).condition(
        number, of: schema.name.name, in: connection)
      return "SELECT \(([number, "NULL", isNew] + columns).joined(separator: ", "))"
        + " FROM \(from)\(order)"
    }
    var order: [String] = []
    var (inner, innerSchema, innerLink, alias) = (table, schema, Optional(link), "t")
    while let link = innerLink {
      let own = try rowID(innerSchema)
      let names = Set(innerSchema.columns.map { FoldedName($0.name) })
      guard names.contains(FoldedName(link.parent)),
        names.contains(FoldedName(link.position))
      else {
        throw Self.unrepresentable(
          "the columns \(link.parent) and \(link.position) that refer to parent rows do not exist",
          table: inner.name)
      }
      order = ["\(alias).\(SQLName.quoted(link.position))", "\(alias).\(own)"] + order
      let owner = layout.tables[inner.owner]
      guard let name = owner.name, let ownerSchema = schemas[Self.key(name)] else {
        throw Self.unrepresentable("the parent table does not exist", table: inner.name)
      }
      let parent = "\(alias).\(SQLName.quoted(link.parent))"
      try refuseOrphans(inner.name ?? "", link.parent, of: name, try rowID(ownerSchema))
      alias += "p"
      from +=
        " JOIN \(SQLName.quoted(name)) AS \(alias) ON \(alias).\(try rowID(ownerSchema)) = \(parent)"
      (inner, innerSchema, innerLink) = (owner, ownerSchema, owner.link)
    }
    order.insert("\(alias).\(try rowID(innerSchema))", at: 0)
    let number = "t.\(try rowID(schema))"
    let parent = "t.\(SQLName.quoted(link.parent))"
    let isNew = try InsertedRowTracker(index).condition(
      number, of: schema.name.name, in: connection)
    return "SELECT \(([number, parent, isNew] + columns).joined(separator: ", ")) FROM \(from)"
      + " ORDER BY \(order.joined(separator: ", "))"
  }

  private func rowID(_ schema: TableSchema) throws -> String {
    guard let name = schema.rowIDName else {
      throw Self.unrepresentable("the rows have no rowid", table: schema.name.name)
    }
    return name
  }

  private func refuseOrphans(
    _ table: String, _ parent: String, of owner: String, _ ownerRowID: String
  ) throws {
    let column = SQLName.quoted(parent)
    let orphan = try connection.value(
      SQLiteValue.self,
      """
      SELECT \(unsafe: column) FROM \(identifier: table) WHERE \(unsafe: column) IS NULL
      OR \(unsafe: column) NOT IN (SELECT \(unsafe: ownerRowID) FROM \(identifier: owner)) LIMIT 1
      """)
    if orphan != nil {
      throw Self.unrepresentable(
        "a row has no parent row in \(owner)", table: table, column: parent)
    }
  }
}

extension Connection {
  /// Returns two text columns of the first row.
  fileprivate func fetchFirst(_ sql: String) throws -> (String, String)? {
    var found: (String, String)?
    try forEach("\(unsafe: sql) LIMIT 1") { row in
      found = (try row.read(at: 0), try row.read(at: 1))
    }
    return found
  }
}

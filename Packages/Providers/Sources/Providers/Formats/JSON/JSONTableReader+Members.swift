internal import Primitives
internal import SQLiteCore

// The members of values, with their columns and tables.
extension JSONTableReader {
  /// Returns the member of the current event's value; `nil` if the value is ignored because its key
  /// is a duplicate.
  mutating func member() throws -> Int? {
    let level = levels[levels.count - 1]
    switch level.kind {
    case .document: throw failure(.malformed, "expected an array of rows")
    case .rows: return level.node
    case .elements: return try member(.element, level.position, of: level.node)
    case .object:
      let member = try member(.key, reader.key, of: level.node)
      guard reader.isDuplicateKey else { return member }
      if options.duplicateKeys == .first { return nil }
      try clearValue(member)
      return member
    }
  }

  private mutating func member(
    _ component: JSONMembers.Component, _ number: Int, of node: Int
  ) throws -> Int {
    let known = members.child(of: node, number)
    if known >= 0 { return known }
    guard members.count < options.limits.fields else {
      throw failure(
        .limitExceeded, "objects have more than \(options.limits.fields) different members")
    }
    return members.add(component, number, to: node)
  }

  /// Removes the current row's values of a member.
  mutating func clearValue(_ member: Int) throws {
    guard members[member].table < 0 else {
      throw failure(.malformed, "an object has two arrays of rows with the same key")
    }
    if members[member].column >= 0 { builder?.setNull(members[member].column) }
    for child in Array(members.children(of: member)) { try clearValue(child) }
  }

  mutating func column(of member: Int) throws -> Int {
    let known = members[member].column
    if known >= 0 { return known }
    let table = currentTable
    let builder = tables[table].builder ?? makeBuilder(table)
    tables[table].builder = builder
    selectTable(table)
    guard tables[table].nodes.count < Self.maximumColumnCount else {
      throw failure(
        .limitExceeded,
        "a table has at most \(Self.maximumColumnCount) columns; the option nesting can store objects as JSON"
      )
    }
    let column = builder.column(unusedColumnName(member, of: table))
    setNode(member, ofColumn: column, of: table)
    members[member].column = column
    return column
  }

  /// SQLite's column limit, minus the additional columns that queries of rows select.
  private static var maximumColumnCount: Int { 1_997 }

  /// Returns the path of a member, with a number if another path has the same spelling.
  private mutating func unusedColumnName(_ member: Int, of table: Int) -> String {
    let path = path(of: member).joined(separator: ".").withoutNUL
    let base = path.isEmpty ? "column\(tables[table].names.count + 1)" : path
    var unused = base
    var number = 2
    while !tables[table].names.insert(unused) {
      unused = "\(base)_\(number)"
      number += 1
    }
    return unused
  }

  private mutating func setNode(_ member: Int, ofColumn column: Int, of table: Int) {
    while tables[table].nodes.count <= column { tables[table].nodes.append(-1) }
    tables[table].nodes[column] = member
  }

  private func path(of member: Int) -> [String] {
    var path: [String] = []
    var node = member
    while node >= 0 {
      switch members[node].component {
      case .key: path.append(reader.keys[members[node].number])
      case .element: path.append("\(members[node].number)")
      case .root, .elements: break
      }
      node = members[node].parent
    }
    return path.isEmpty ? ["value"] : path.reversed()
  }

  // MARK: Tables

  mutating func addTable(for member: Int, of owner: Int) -> Int {
    let isLinked = kind != .object || owner > 0 || levels.count > 2
    let name = path(of: member).joined(separator: "_")
    let table = tables.count
    tables.append(
      Table(
        name: unusedTableName(isLinked ? "\(tables[owner].name)_\(name)" : name),
        root: members.addRoot(), node: member, owner: owner, isLinked: isLinked))
    members[member].table = table
    return table
  }

  mutating func makeBuilder(_ table: Int) -> TableCollector.Builder {
    let owner = tables[table].isLinked ? tables[table].owner : -1
    if owner >= 0, tables[owner].builder == nil { tables[owner].builder = makeBuilder(owner) }
    let builder = collector.table(
      tables[table].name, childOf: owner < 0 ? nil : tables[owner].builder)
    if tables[table].isLinked {
      tables[table].names = Set(texts: ["parent", "position"])
      tables[table].parentColumn = builder.column("parent")
      tables[table].positionColumn = builder.column("position")
      setNode(-1, ofColumn: tables[table].positionColumn, of: table)
    }
    return builder
  }

  mutating func unusedTableName(_ name: String) -> String {
    let base = name.isEmpty ? "table" : name.withoutNUL
    return tableNames.insertUnique(base)
  }
}

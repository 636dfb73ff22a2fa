internal import Primitives
internal import SQLiteCore

// Rows, objects, arrays, and containers that are stored verbatim.
extension JSONTableReader {
  var currentTable: Int { levels[levels.count - 1].table }

  mutating func push(_ level: Level) {
    levels.append(level)
    enter(level)
    isContainerEmpty = true
  }

  private mutating func pop() -> Level {
    let level = levels.removeLast()
    if let outer = levels.last { enter(outer) }
    return level
  }

  private mutating func enter(_ level: Level) {
    node = level.node
    selectTable(level.table)
  }

  /// Selects a table's builder as the current one.
  mutating func selectTable(_ table: Int) {
    if table == selectedTable, builder != nil { return }
    selectedTable = table
    builder = tables[table].builder
  }

  // MARK: Containers

  /// - Returns: Whether the object is ``verbatimMember``.
  mutating func beginObject() throws -> Bool {
    let level = levels[levels.count - 1]
    switch level.kind {
    case .document: throw failure(.malformed, "expected an array of rows")
    case .rows:
      push(Level(kind: .object, table: level.table, node: level.node, isRow: true))
      return false
    case .object, .elements:
      guard let member = try member() else {
        verbatimMember = -1
        return true
      }
      isContainerEmpty = false
      guard options.nesting != .json else {
        verbatimMember = member
        return true
      }
      members[member].traits.insert(.object)
      push(Level(kind: .object, table: level.table, node: member))
      return false
    }
  }

  /// A Boolean value that indicates whether the innermost container is an object that is a row.
  @inline(__always)
  var isRow: Bool {
    let level = levels[levels.count - 1]
    return level.isRow && level.kind == .object
  }

  /// Ends an object that is a member of another object, unless it is empty.
  @inline(__always)
  mutating func endsKnownObject() -> Bool {
    let top = levels.count - 1
    guard !isContainerEmpty, levels[top - 1].kind == .object else { return false }
    _ = pop()
    return true
  }

  mutating func beginArray() throws {
    let level = levels[levels.count - 1]
    switch level.kind {
    case .document:
      push(Level(kind: .rows, table: 0, node: tables[0].root))
    case .rows:
      let elements = members.elements(of: level.node)
      push(Level(kind: .elements, table: level.table, node: elements, isRow: true))
    case .object, .elements:
      guard let member = try member() else {
        verbatimMember = -1
        return
      }
      isContainerEmpty = false
      let isAtRoot = kind == .object && levels.count == 2 && level.kind == .object
      if isAtRoot || options.nesting == .tables && level.kind == .object {
        undecidedMember = member
      } else {
        verbatimMember = member
      }
    }
  }

  mutating func endContainer() throws {
    let row = tables[currentTable].rows.count + 1
    let level = pop()
    if isContainerEmpty, level.kind != .rows { members.recordEmpty(level.node, row: row) }
    isContainerEmpty = false
    if level.isRow {
      try endRow(level.table)
    } else if level.kind != .rows, levels[levels.count - 1].kind == .elements {
      levels[levels.count - 1].position += 1
    }
  }

  /// Determines from its first element whether an array contains rows.
  ///
  /// - Returns: Whether the available bytes suffice.
  mutating func resolveArray(_ bytes: Span<UInt8>) throws -> Bool {
    guard let member = undecidedMember else { return true }
    var at = reader.position
    while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    guard at < bytes.count || reader.isComplete else { return false }
    undecidedMember = nil
    let isTable = members[member].table >= 0
    switch at < bytes.count ? bytes[at] : 0 {
    case 0x7B:
      let owner = currentTable
      let table = isTable ? members[member].table : addTable(for: member, of: owner)
      let row = tables[owner].rows.count + 1
      members.recordArray(member, row: row)
      push(Level(kind: .rows, table: table, node: tables[table].root, parentRow: row))
    case 0x5D where isTable || options.nesting == .tables:
      // An empty array of elements that are rows, or can become rows.
      members.recordArray(member, row: tables[currentTable].rows.count + 1)
      push(Level(kind: .rows, table: currentTable, node: node))
    default: verbatimMember = member
    }
    return true
  }

  /// Stores a container verbatim.
  ///
  /// - Returns: Whether the available bytes include the container's end.
  mutating func readVerbatim(_ bytes: Span<UInt8>) throws -> Bool {
    guard let member = verbatimMember else { return true }
    guard let range = try reader.skippedContainer(in: bytes) else { return false }
    verbatimMember = nil
    if member >= 0 {
      members[member].count += 1
      let column = try column(of: member)
      builder?.set(column, container: bytes.extracting(range))
      try builder?.checkTypes()
    }
    let top = levels.count - 1
    if levels[top].kind == .elements { levels[top].position += 1 }
    return true
  }

  // MARK: Rows

  mutating func endRow(_ table: Int) throws {
    if tables[table].builder == nil, kind != .object || table > 0 {
      tables[table].builder = makeBuilder(table)
    }
    let top = levels.count - 1
    if let builder = tables[table].builder {
      if tables[table].isLinked {
        builder.set(tables[table].parentColumn, integer: Int64(levels[top].parentRow))
        builder.set(tables[table].positionColumn, integer: Int64(levels[top].position))
      }
      try builder.endRow()
      tables[table].rows.append(builder.rowID)
    } else {
      tables[table].rows.append(1)
    }
    levels[top].position += 1
    selectTable(levels[top].table)
  }

  // MARK: Result

  /// Returns the layout of the text that was read.
  mutating func finish(_ formatting: JSONProvider.Formatting) throws -> JSONLayout {
    var layout = JSONLayout(kind: kind, formatting: formatting)
    for index in tables.indices {
      let isBare = tables[index].rows.count > 0 && tables[index].nodes.isEmpty
      if isBare, kind != .object || index > 0 {
        // A table has at least one column, even if its rows are empty.
        levels = [Level(kind: .rows, table: index, node: tables[index].root)]
        _ = try column(of: tables[index].root)
      }
      let table = tables[index]
      let names = table.builder?.columnNames ?? []
      var described = JSONLayout.Table(
        name: table.builder?.name ?? (kind == .object ? nil : table.name), root: table.root,
        node: table.node, owner: table.owner)
      described.rows = table.rows
      described.fileRows = table.rows
      if let builder = table.builder, !collector.isInferringTypes,
        members.hasUnstoredContent(table.root)
      {
        try builder.insertRows()
        try InsertedRowTracker(index).startTracking(builder.name, in: collector.connection)
      }
      described.key = table.builder?.keyColumn
      if table.isLinked {
        described.link = (names[table.parentColumn], names[table.positionColumn])
      }
      described.nodes = zip(names, table.nodes).filter { $1 >= 0 }.map { ($0, $1) }
      for (column, node) in table.nodes.enumerated() where node >= 0 {
        members[node].hasWholeNumbers = table.builder?.form(of: column).hasWholeNumbers ?? false
      }
      layout.tables.append(described)
    }
    layout.keys = reader.keys
    layout.members = members
    return layout
  }
}

extension String {
  /// The text with NUL characters replaced, because SQL names end at a NUL.
  var withoutNUL: String { utf8.contains(0) ? replacing("\0", with: " ") : self }
}

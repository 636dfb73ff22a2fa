internal import Primitives
internal import SQLiteCore

/// Writes the rows of tables in an ordinary layout.
struct JSONTableWriter {
  /// The remaining rows of a table.
  final class Rows {
    let statement: Statement
    private(set) var hasRow = false
    /// The row's position in the file, counting from 1; `Int.max` for a new row.
    private(set) var number = 0
    /// The rowid.
    private(set) var rowID: Int64?
    private(set) var parent: Int64?
    private let numbers: RowIDMap

    init(_ connection: Connection, _ plan: JSONRowPlan) throws {
      numbers = plan.rows
      statement = try connection.prepare(SQL(unsafe: plan.sql))
      try advance()
    }

    func advance() throws {
      hasRow = try statement.step()
      guard hasRow else { return }
      rowID = try statement.row.optionalInteger(at: 0)
      let isNew = try statement.row.integer(at: 2) != 0
      number = isNew ? .max : rowID.flatMap(numbers.row) ?? .max
      parent = try statement.row.optionalInteger(at: 1)
    }
  }

  typealias Item = JSONRowPlan.Item

  var layout: JSONLayout
  let members: JSONMembers
  let plans: [JSONRowPlan]
  let rows: [Rows?]
  var writer: JSONProvider.EventWriter
  private let mayBeEmpty: Bool
  private let output: SourceSession.ByteOutput
  /// The text that is written over a file.
  var sink: BufferedByteSink

  /// - Parameter mayBeEmpty: Whether an empty file is read as a file of lines.
  init(
    _ connection: Connection, _ layout: JSONLayout, mayBeEmpty: Bool,
    to output: SourceSession.ByteOutput
  ) throws {
    self.mayBeEmpty = mayBeEmpty
    self.output = output
    sink = BufferedByteSink(size: 1 << 16, output.write)
    let planner = try JSONPlanner(connection, layout)
    self.layout = planner.layout
    members = planner.layout.members
    plans = planner.plans
    rows = try planner.plans.map { $0.isTableMissing ? nil : try Rows(connection, $0) }
    var formatting = layout.formatting
    formatting.isSequence = layout.kind == .lines
    writer = JSONProvider.EventWriter(formatting, write: output.write)
  }

  /// Writes the file. If the file that was read is unchanged, everything that has the same value
  /// keeps its text.
  ///
  /// - Returns: The layout of the written file.
  mutating func write() throws -> JSONLayout {
    if layout.kind == .lines, !mayBeEmpty, !(rows[0]?.hasRow ?? false) {
      throw JSONPlanner.unrepresentable(
        "an empty file of lines is not valid JSON", table: layout.tables[0].name)
    }
    if let input = try output.openSource() {
      try write(over: input)
      return layout
    }
    switch layout.kind {
    case .database: return layout
    case .array:
      try writer.beginArray()
      try writeRows(0)
      try writer.endArray()
    case .lines: try writeRows(0)
    case .object: try writeSingle()
    }
    try writer.finish()
    return layout
  }

  private mutating func writeRows(_ table: Int) throws {
    layout.tables[table].fileRows = RowIDMap()
    while let rows = rows[table], rows.hasRow {
      layout.tables[table].fileRows.append(rows.rowID ?? 0)
      try writeRow(table)
    }
  }

  /// Writes the file's only row, and the tables that are members of it.
  mutating func writeSingle() throws {
    if let first = rows[0], first.hasRow {
      try writeRow(0)
      if first.hasRow {
        throw JSONPlanner.unrepresentable(
          "the file can contain only one row of this table", table: layout.tables[0].name)
      }
      return
    }
    if members.isNull(layout.tables[0].root, row: 1), plans.allSatisfy(\.isTableMissing) {
      return try writer.null()
    }
    if plans[0].root.column != nil, plans.count == 1 {
      // The file is a single value, not an object.
      throw JSONPlanner.unrepresentable(
        "the file can contain only one row of this table", table: layout.tables[0].name)
    }
    try writer.beginObject()
    let isDropped = layout.tables[0].name != nil
    let root = isDropped ? rootWithTablesOnly() : plans[0].root
    for item in root.children { try writeMember(item, nil, row: 1) }
    try writer.endObject()
  }

  /// Returns the members that are tables, after the root's table was dropped.
  func rootWithTablesOnly() -> Item {
    var root = Item(node: layout.tables[0].root, key: [])
    for child in members.children(of: root.node) {
      let table = members[child].table
      guard table >= 0, !plans[table].isTableMissing else { continue }
      var item = Item(node: child, key: Array(layout.keys[members[child].number].utf8))
      item.table = table
      root.children.append(item)
    }
    return root
  }

  // MARK: Rows

  /// Writes a table's next row, and advances to the following one.
  mutating func writeRow(_ index: Int) throws {
    guard let rows = rows[index] else { return }
    let plan = plans[index]
    let (root, number) = (plan.root, rows.number)
    let hasValue = try isValue(root.column, rows)
    let isArray = try hasElements(root, rows)
    let isObject = try root.children.contains { try isWritten($0, rows, number) }
    guard (hasValue ? 1 : 0) + (isArray ? 1 : 0) + (isObject ? 1 : 0) < 2 else {
      throw conflictingValues(root, plan, rows)
    }
    if hasValue {
      try writeValue(root, rows, plan)
    } else if isArray {
      try writeElements(root, rows, plan)
    } else if !isObject, writesNullRow(root, number) {
      try writer.null()
    } else if !isObject, root.elementsNode >= 0, root.children.isEmpty,
      !members.isEmpty(root.node, row: number)
    {
      try writeElements(root, rows, plan)
    } else {
      try writer.beginObject()
      for item in root.children { try writeMember(item, rows, row: number, plan) }
      try writer.endObject()
    }
    try rows.advance()
  }

  /// Returns whether an empty row is written as `null`, not as an object or an array.
  private func writesNullRow(_ root: Item, _ number: Int) -> Bool {
    if members.isNull(root.node, row: number) { return true }
    if members.isEmpty(root.node, row: number) { return false }
    return root.children.isEmpty && root.elementsNode < 0 && !members.hasEmpties(root.node)
  }

  private func hasElements(_ root: Item, _ rows: Rows) throws -> Bool {
    guard root.elementsNode >= 0 else { return false }
    if members.isEmpty(root.elementsNode, row: rows.number) { return true }
    return try length(root, rows) > 0
  }

  /// Returns the number of a row's elements: elements after the last value are omitted.
  private func length(_ root: Item, _ rows: Rows) throws -> Int {
    var length = root.elementCount
    while length > 0 {
      if let item = root.elements[length - 1],
        try isValue(item.column, rows) || members.isNull(item.node, row: rows.number)
          || members.isEmpty(item.node, row: rows.number)
          || item.children.contains(where: { try hasValues($0, rows) })
      {
        break
      }
      length -= 1
    }
    return length
  }

  private func hasValues(_ item: Item, _ rows: Rows) throws -> Bool {
    if try isValue(item.column, rows) || members.isNull(item.node, row: rows.number) { return true }
    if members.isEmpty(item.node, row: rows.number) { return true }
    return try item.children.contains { try hasValues($0, rows) }
  }

  private mutating func writeElements(
    _ root: Item, _ rows: Rows, _ plan: JSONRowPlan
  ) throws {
    try writer.beginArray()
    for position in 0..<(try length(root, rows)) {
      if let item = root.elements[position] {
        try writeContent(item, rows, row: rows.number, plan)
      } else {
        try writer.null()
      }
    }
    try writer.endArray()
  }

  // MARK: Members

  func isValue(_ column: ColumnIndex?, _ rows: Rows) throws -> Bool {
    guard let column else { return false }
    return !(try rows.statement.row.isNull(at: column))
  }

  /// Returns whether a member is written.
  func isWritten(
    _ item: Item, _ rows: Rows?, _ number: Int
  ) throws -> Bool {
    if let rows, try isValue(item.column, rows) { return true }
    if members.isNull(item.node, row: number) || members.isEmpty(item.node, row: number)
      || hasArray(item, number)
    {
      return true
    }
    if let table = item.table, try hasRows(table, of: rows) { return true }
    if item.column != nil, number == .max ? item.writesNull.new : item.writesNull.known {
      return true
    }
    return try item.children.contains { try isWritten($0, rows, number) }
  }

  /// Returns whether the file's row has an array at a member, which may have become empty. If the
  /// array's table was dropped, the array is dropped too.
  private func hasArray(_ item: Item, _ number: Int) -> Bool {
    members.hasArray(item.node, row: number)
      && (item.table != nil || members[item.node].table < 0)
  }

  /// Returns whether a member that is a table has rows in the current row.
  private func hasRows(_ table: Int, of owner: Rows?) throws -> Bool {
    guard let rows = rows[table] else { return false }
    return !plans[table].isLinked || rows.hasRow && rows.parent == owner?.rowID
  }

  private mutating func writeMember(
    _ item: Item, _ rows: Rows?, row number: Int, _ plan: JSONRowPlan? = nil
  ) throws {
    guard try isWritten(item, rows, number) else { return }
    try writer.key(utf8: item.key.elementSpan)
    try writeContent(item, rows, row: number, plan)
  }

  mutating func writeContent(
    _ item: Item, _ rows: Rows?, row number: Int, _ plan: JSONRowPlan?
  ) throws {
    let hasValue = try rows.map { try isValue(item.column, $0) } ?? false
    let isObject = try item.children.contains { try isWritten($0, rows, number) }
    let isTable = try item.table.map { try hasRows($0, of: rows) } ?? false
    if let rows, hasValue {
      if isTable, !isObject, let table = item.table, try isEmptyArray(item.column, rows) {
        // The file contained this value before the array became a table.
        return try writeTable(table, of: rows)
      }
      guard !isObject, !isTable else { throw conflictingValues(item, plan, rows) }
      return try writeValue(item, rows, plan)
    }
    if isTable, let table = item.table {
      guard !isObject else { throw conflictingValues(item, plan, rows) }
      return try writeTable(table, of: rows)
    }
    if isObject {
      try writer.beginObject()
      for child in item.children { try writeMember(child, rows, row: number, plan) }
      try writer.endObject()
    } else if members.isEmpty(item.node, row: number) {
      try writer.beginObject()
      try writer.endObject()
    } else if hasArray(item, number) {
      try writer.beginArray()
      try writer.endArray()
    } else {
      try writer.null()
    }
  }

  private func isEmptyArray(_ column: ColumnIndex?, _ rows: Rows) throws -> Bool {
    try column.map { try rows.statement.row.value(at: $0) == .text("[]") } ?? false
  }

  private mutating func writeTable(_ table: Int, of owner: Rows?) throws {
    try writer.beginArray()
    if plans[table].isLinked {
      while rows[table]?.hasRow ?? false, try hasRows(table, of: owner) { try writeRow(table) }
    } else {
      try writeRows(table)
    }
    try writer.endArray()
  }

  private func conflictingValues(_ item: Item, _ plan: JSONRowPlan?, _ rows: Rows?) -> ProviderError
  {
    JSONPlanner.unrepresentable(
      "row \(rows?.rowID ?? 1) has both a value and members", table: plan?.table,
      column: String(decoding: item.key, as: UTF8.self))
  }

  // MARK: Values

  private mutating func writeValue(_ item: Item, _ rows: Rows, _ plan: JSONRowPlan?) throws {
    guard let column = item.column else { return try writer.null() }
    do {
      if let spelled = item.spelled, let spellings = plan?.spellings,
        let spelling = try spellings.text(
          spelled, rowID: rows.rowID, of: rows.statement.row.value(at: column),
          isBoolean: item.type == .boolean)
      {
        return try spelling.withUTF8Span { try writer.raw($0) }
      }
      try writer.write(rows.statement.row, at: column, as: item.type, item.notation)
    } catch let error as ProviderError where error.code == .unrepresentable {
      throw JSONPlanner.unrepresentable(
        "\(error.message), in row \(rows.rowID ?? 0)", table: plan?.table,
        column: rows.statement.columnNames[column.rawValue])
    }
  }
}

internal import Primitives
internal import SPON
internal import SQLiteCore

/// The rows of a table, in document order.
final class XMLRowCursor {
  let plan: XMLRowPlan
  let statement: Statement
  private let spellings: Spellings
  /// A Boolean value that indicates whether there is a row that has not been written yet.
  private(set) var hasRow = false
  /// The rowid of the current row.
  private(set) var rowID: Int64 = 0
  /// The rowid of the enclosing row.
  private(set) var parent: Int64?
  /// The row's position among its sibling elements.
  private(set) var position: Int64?
  /// The number of rows that were read.
  private(set) var count = 0

  init(_ plan: XMLRowPlan, _ statement: Statement, _ spellings: Spellings) throws {
    self.plan = plan
    self.statement = statement
    self.spellings = spellings
    try advance()
  }

  func advance() throws {
    hasRow = try statement.step()
    guard hasRow else { return }
    count += 1
    rowID = try statement.row.integer(at: 0)
    parent = try statement.row.optionalInteger(at: 1)
    // The application may have stored any value here; only an integer is a position.
    position =
      try statement.row.storageClass(at: 2) == .integer ? statement.row.integer(at: 2) : nil
  }

  func isNull(_ column: Int) throws -> Bool {
    try statement.row.isNull(at: ColumnIndex(column + XMLRowPlan.firstColumn))
  }
}

extension XMLRowCursor {
  /// Calls `body` with the text of a column's value in the current row, unless the value is NULL.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` and the column, for
  ///   blobs and infinities.
  func withText(of column: Int, _ body: (Span<UInt8>) throws -> Void) throws {
    let known = plan.columns[column]
    let index = ColumnIndex(column + XMLRowPlan.firstColumn)
    do {
      if let spelling = try spelling(of: known, at: index) {
        return try spelling.withUTF8Span { try body($0) }
      }
      var sink = XMLTextSink()
      try sink.write(statement.row, at: index, as: known.type, known.form)
      if let text = sink.text { try body(text.elementSpan) }
    } catch let error as ProviderError where error.column == nil && error.table == nil {
      var named = error
      named.column = known.name
      throw named
    }
  }

  private func spelling(of column: XMLRowPlan.Column, at index: ColumnIndex) throws -> String? {
    guard let number = column.spelled else { return nil }
    return try spellings.text(
      number, rowID: rowID, of: statement.row.value(at: index), isBoolean: column.type == .boolean)
  }
}

/// Converts values of rows to text. Types that an ordinary document does not have are their text.
struct XMLTextSink: ValueSink {
  private(set) var text: [UInt8]?

  mutating func null(_: TableCollector.ColumnForm) { text = nil }

  mutating func integer(_ value: Int64, _: TableCollector.ColumnForm) {
    text = Array(value.description.utf8)
  }

  mutating func real(_ value: Double, _ form: TableCollector.ColumnForm) throws {
    guard value.isFinite else {
      throw ProviderError(.unrepresentable, "XML has no infinite numbers")
    }
    text = Array(form.text(of: value).utf8)
  }

  mutating func boolean(_ value: Bool, _ form: TableCollector.ColumnForm) {
    text = Array(form.text(of: value).utf8)
  }

  mutating func text(_ value: Span<UInt8>, _: TableCollector.ColumnForm) {
    text = value.array(0..<value.count)
  }

  mutating func blob(_: Span<UInt8>, _: TableCollector.ColumnForm) throws {
    throw ProviderError(.unrepresentable, "an ordinary document can't contain a BLOB")
  }

  mutating func json(_ text: Span<UInt8>, _ form: TableCollector.ColumnForm) {
    self.text(text, form)
  }

  mutating func tagged(_ value: SPONValue, _: TableCollector.ColumnForm) throws {
    if case .bytes = value {
      throw ProviderError(.unrepresentable, "an ordinary document can't contain a BLOB")
    }
    text = Array(try value.plainText().utf8)
  }
}

extension XMLRowCursor {
  /// Returns the cursors of all tables of a layout, by the nodes of their rows.
  static func all(
    _ layout: XMLTablesLayout, _ connection: Connection
  ) throws -> [Int: XMLRowCursor] {
    var cursors: [Int: XMLRowCursor] = [:]
    var present: [Int: (table: XMLTablesLayout.Table, rowID: String, columns: Set<String>)] = [:]
    for table in layout.tables {
      let schema = try connection.columns(of: table.name)
      guard !schema.isEmpty, let rowID = schema.unusedRowIDName else { continue }
      let names = Set(schema.map(\.name))
      present[table.node] = (table, rowID, names)
      var plan = try XMLRowPlan(
        table, layout, schema, rowIDColumn: connection.rowIDColumn(of: table.name))
      let spellings = try Spellings(of: table.name, in: connection)
      for index in plan.columns.indices {
        plan.columns[index].spelled = spellings.number(of: plan.columns[index].name)
      }
      var chain = [table]
      while let parent = chain[0].parent {
        guard let found = present[parent]?.table else { break }
        chain.insert(found, at: 0)
      }
      if let parent = table.parent { try check(table, present[parent]?.table, present, connection) }
      let sql = sql(plan, chain.compactMap { present[$0.node] })
      cursors[table.node] = try XMLRowCursor(
        plan, connection.prepare(SQL(unsafe: sql)), spellings)
    }
    return cursors
  }

  private typealias Present = (
    table: XMLTablesLayout.Table, rowID: String, columns: Set<String>
  )

  /// Refuses rows without an enclosing row.
  private static func check(
    _ table: XMLTablesLayout.Table, _ parent: XMLTablesLayout.Table?, _ present: [Int: Present],
    _ connection: Connection
  ) throws {
    let key = SQLName.quoted(XMLTablesLayout.parentColumn)
    guard present[table.node]?.columns.contains(XMLTablesLayout.parentColumn) == true else {
      throw XMLFormat.unrepresentable(
        "the column that refers to the parent rows does not exist", table: table.name,
        column: XMLTablesLayout.parentColumn)
    }
    let name = SQLName.quoted(table.name)
    var sql = "SELECT 1 FROM \(name)"
    if let parent, let rowID = present[parent.node]?.rowID {
      sql +=
        " WHERE \(key) IS NULL OR typeof(\(key)) <> 'integer' OR \(key) NOT IN (SELECT \(rowID) FROM"
      sql += " \(SQLName.quoted(parent.name)))"
    }
    guard try connection.value(Int.self, "\(unsafe: sql) LIMIT 1") == nil else {
      throw XMLFormat.unrepresentable(
        "a row has no parent row in \(parent?.name ?? "the dropped table")", table: table.name,
        column: XMLTablesLayout.parentColumn)
    }
  }

  /// Returns a query for the rows of the last table of a chain, in which each table's rows are
  /// children of the previous table's.
  private static func sql(_ plan: XMLRowPlan, _ chain: [Present]) -> String {
    let last = chain.count - 1
    let parent = SQLName.quoted(XMLTablesLayout.parentColumn)
    let position = SQLName.quoted(XMLTablesLayout.positionColumn)
    var columns = [
      "t\(last).\(chain[last].rowID)", last > 0 ? "t\(last).\(parent)" : "NULL",
      plan.hasPosition ? "t\(last).\(position)" : "NULL",
    ]
    columns += plan.columns.map { "t\(last).\(SQLName.quoted($0.name))" }
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM"
    var order: [String] = []
    for (at, (table, rowID, names)) in chain.enumerated() {
      sql += at == 0 ? " " : " JOIN "
      sql += "\(SQLName.quoted(table.name)) AS t\(at)"
      if at > 0 { sql += " ON t\(at).\(parent) = t\(at - 1).\(chain[at - 1].rowID)" }
      if table.isOrdered || at > 0, names.contains(XMLTablesLayout.positionColumn) {
        order += ["t\(at).\(position) IS NULL", "t\(at).\(position)"]
      }
      order.append("t\(at).\(rowID)")
    }
    return sql + " ORDER BY " + order.joined(separator: ", ")
  }
}

/// A table that is being filled.
final class XMLTableState {
  let builder: TableCollector.Builder
  let parent: TableCollector.Builder?
  var layout: XMLTablesLayout.Table
  let parentColumn: Int?
  let positionColumn: Int?
  /// The columns of the layout, by their numbers in the builder.
  var indexes: [Int] = []
  var names: Set<ExactText>

  init(
    builder: TableCollector.Builder, parent: TableCollector.Builder?, layout: XMLTablesLayout.Table
  ) {
    self.builder = builder
    self.parent = parent
    self.layout = layout
    var names: Set<ExactText> = []
    func column(_ name: String) -> Int {
      names.insert(name)
      return builder.column(name)
    }
    parentColumn = layout.parent == nil ? nil : column(XMLTablesLayout.parentColumn)
    positionColumn =
      layout.parent == nil && !layout.isOrdered ? nil : column(XMLTablesLayout.positionColumn)
    self.names = names
  }

  /// Adds a column with this name, or a similar one if the name is in use.
  func column(_ name: String) -> Int {
    var name = name
    while !names.insert(name) { name += "_" }
    return builder.column(name)
  }

  /// The layout, completed with the inferred properties.
  var finished: XMLTablesLayout.Table {
    var layout = layout
    layout.key = builder.keyColumn
    for (at, index) in indexes.enumerated() { layout.columns[at].form = builder.form(of: index) }
    return layout
  }
}

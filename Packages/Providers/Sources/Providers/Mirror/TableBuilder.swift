internal import SQLiteCore

/// Fills a table of a ``TableCollector``, whose columns and their types show as its rows come.
///
/// ```swift
/// let people = tables.table("people")
/// let name = people.column("name"), age = people.column("age")
/// people.set(name, text: "Ada".utf8.span)
/// people.set(age, integer: 36)
/// try people.endRow()
/// ```
///
/// The types are those of all values: see ``TableCollector``.
public final class TableBuilder {
  /// The table's name.
  public let name: String
  private unowned let collector: TableCollector
  private let survey: TableCollector.Survey
  private(set) var columns: [Column] = []
  /// The columns by the names that they were asked for, byte by byte.
  private var places: [[UInt8]: Int] = [:]
  /// What may become the primary key.
  private(set) var key: KeyPlan
  /// Whether rows of other tables refer to rows by their numbers.
  private(set) var hasChildren = false
  private let declared: [FoldedName: ColumnType]
  private let known: TableCollector.KnownTable?

  private var cells: [Cell] = []
  /// The texts of the row.
  private var text: [UInt8] = []
  private var rowCount: Int64 = 0
  private var lastKey: Int64?
  /// The first value that does not suit a declared type.
  private var misfit: (column: Int, type: ColumnType)?
  /// The statement that inserts a row, for as many columns as the table has.
  private var insert: Statement?
  /// How the table was made; `nil` where it was not yet.
  private var createdSQL: String?
  private var createdCount = 0

  struct Column {
    let name: String
    var kinds: ColumnKinds
    var storage: ColumnStorage
    /// The type that it was declared to have.
    let declared: ColumnType?
    var form = ColumnForm()
  }

  /// How a row is known among others.
  enum KeyPlan: Equatable {
    /// Not known before the first row.
    case undecided
    case none
    /// An integer that grows from row to row: it is the row's number in SQLite.
    case rowID(column: Int)
    case unique(column: Int)

    var column: Int? {
      switch self {
      case .rowID(let column), .unique(let column): column
      case .undecided, .none: nil
      }
    }
  }

  private struct Cell {
    enum Kind: UInt8 { case null, integer, real, text }
    var kind = Kind.null
    /// The integer, the bits of the real, or where the text begins.
    var bits: Int64 = 0
    var count = 0
  }

  init(
    _ name: String, in collector: TableCollector, declared: [FoldedName: ColumnType],
    known: TableCollector.KnownTable?
  ) {
    self.name = name
    self.collector = collector
    survey = collector.survey
    self.declared = declared
    self.known = known
    key = .undecided
    hasChildren = known?.hasChildren ?? false
    for column in known?.columns ?? [] { addColumn(column.name, column.kinds) }
  }

  // MARK: Columns

  /// The number of a column, which is added where it is new.
  ///
  /// Names that SQLite takes for one get a number behind them, but for the first.
  public func column(_ name: String) -> Int {
    let key = Array(name.utf8)
    if let known = places[key] { return known }
    var unique = name.isEmpty ? "column\(columns.count + 1)" : name
    if isTaken(unique) {
      var number = 2
      while isTaken("\(unique)_\(number)") { number += 1 }
      unique += "_\(number)"
    }
    let place = columns.firstIndex { $0.name == unique } ?? addColumn(unique, [])
    places[key] = place
    return place
  }

  /// Whether a column has the name that was asked for by another one.
  private func isTaken(_ name: String) -> Bool {
    places.values.contains { SQLName.isSame(columns[$0].name, name) }
  }

  @discardableResult
  private func addColumn(_ name: String, _ kinds: ColumnKinds) -> Int {
    let declared = declared[FoldedName(name)]
    columns.append(
      Column(
        name: name, kinds: kinds,
        storage: declared.map(ColumnStorage.init) ?? ColumnStorage(kinds), declared: declared))
    cells.append(Cell())
    return columns.count - 1
  }

  /// The names of the columns, in their order.
  public var columnNames: [String] { columns.map(\.name) }

  /// The type of a column by all that was seen of it; `nil` for none.
  public func type(of column: Int) -> ColumnType? {
    columns[column].declared ?? columns[column].kinds.type
  }

  /// How the texts of a column were written whose type is not text.
  public func form(of column: Int) -> ColumnForm { columns[column].form }

  func noteChild() {
    hasChildren = true
    if case .rowID = key { give(up: .rowID) }
  }

  // MARK: Values

  /// Sets a column to NULL, as it is where nothing is set.
  public func setNull(_ column: Int) { cells[column] = Cell() }

  public func set(_ column: Int, integer value: Int64) {
    guard note(column, [ColumnKinds(integer: value), .typed]) else { return }
    switch columns[column].storage {
    case .json, .text: put(column, text: value.description)
    case .real: put(column, real: Double(value))
    case .number, .any, .undecided: put(column, integer: value)
    case .boolean where value == 0 || value == 1: put(column, integer: value)
    case .boolean, .date, .dateTime, .integer: putDeclared(column, integer: value)
    }
  }

  public func set(_ column: Int, real value: Double) {
    guard note(column, [.real, .typed]) else { return }
    switch columns[column].storage {
    case .json, .text: put(column, text: value.description)
    case .number, .any, .real, .undecided: put(column, real: value)
    case .boolean, .date, .dateTime, .integer: misfits(column)
    }
  }

  public func set(_ column: Int, boolean value: Bool) {
    guard note(column, [.boolean, .typed]) else { return }
    switch columns[column].storage {
    case .json, .text: put(column, text: value ? "true" : "false")
    case .boolean: put(column, integer: value ? 1 : 0)
    case .number, .any, .real, .date, .dateTime, .integer, .undecided: misfits(column)
    }
  }

  /// Sets a column to a value that is a text, in UTF-8.
  public func set(_ column: Int, text value: Span<UInt8>) {
    guard note(column, [.textValue, .typed]) else { return }
    switch columns[column].storage {
    case .json: putQuoted(column, value)
    case .text, .any: put(column, text: value)
    case .number, .boolean, .real, .date, .dateTime, .integer, .undecided:
      putDeclared(column, value)
    }
  }

  /// Sets a column to a text in UTF-8 that may say something else, as those of CSV and XML do.
  public func set(_ column: Int, field value: Span<UInt8>) {
    let known = columns[column]
    if known.storage == .text, known.declared != nil || known.kinds.contains(.text) {
      return put(column, text: value)
    }
    if known.declared != nil { return putDeclared(column, value) }
    let kind = TextKind(value)
    guard note(column, ColumnKinds(kind)) else { return }
    switch (columns[column].storage, kind) {
    case (.number, .integer(let integer)):
      columns[column].form.noteWholeNumber()
      put(column, integer: integer)
    case (.number, .real): putReal(column, value)
    case (.boolean, .boolean(let boolean)):
      columns[column].form.note(boolean: value)
      put(column, integer: boolean ? 1 : 0)
    default: put(column, text: value)
    }
  }

  /// Sets a column to a number that no type holds, by its digits.
  public func set(_ column: Int, number digits: Span<UInt8>) {
    guard note(column, [.longNumber, .typed]) else { return }
    switch columns[column].storage {
    case .json, .text: put(column, text: digits)
    default: misfits(column)
    }
  }

  /// Sets a column to an object or an array, as a text in JSON.
  public func set(_ column: Int, container json: Span<UInt8>) {
    guard note(column, [.container, .typed]) else { return }
    switch columns[column].storage {
    case .json, .text: put(column, text: json)
    default: misfits(column)
    }
  }

  /// Notes what kinds of values a column has.
  ///
  /// - Returns: Whether the value is to be kept.
  @inline(__always)
  private func note(_ column: Int, _ kinds: ColumnKinds) -> Bool {
    if !columns[column].kinds.isSuperset(of: kinds) { widen(column, kinds) }
    return !survey.isOn
  }

  private func widen(_ column: Int, _ kinds: ColumnKinds) {
    columns[column].kinds.formUnion(kinds)
    guard columns[column].declared == nil else { return }
    let old = columns[column].storage
    let new = ColumnStorage(columns[column].kinds)
    columns[column].storage = new
    if !new.holdsValues(of: old) { survey.begin() }
    if key.column == column {
      switch new {
      case .number where !columns[column].kinds.contains(.real): break
      case .text: if case .rowID = key { give(up: .rowID) }
      default: give(up: key)
      }
    }
  }

  private func put(_ column: Int, integer: Int64) {
    cells[column].kind = .integer
    cells[column].bits = integer
  }

  private func put(_ column: Int, real: Double) {
    cells[column].kind = .real
    cells[column].bits = Int64(bitPattern: real.bitPattern)
  }

  private func put(_ column: Int, text value: Span<UInt8>) {
    cells[column].kind = .text
    cells[column].bits = Int64(text.count)
    cells[column].count = value.count
    text.append(value)
  }

  private func put(_ column: Int, text value: String) {
    let start = text.count
    text.append(contentsOf: value.utf8)
    cells[column].kind = .text
    cells[column].bits = Int64(start)
    cells[column].count = text.count - start
  }

  private func putQuoted(_ column: Int, _ value: Span<UInt8>) {
    let start = text.count
    JSONText.append(quoted: value, to: &text)
    cells[column].kind = .text
    cells[column].bits = Int64(start)
    cells[column].count = text.count - start
  }

  private func putReal(_ column: Int, _ digits: Span<UInt8>) {
    guard let value = ExactNumber(digits, 0..<digits.count)?.double else {
      return misfits(column)
    }
    columns[column].form.note(real: digits)
    put(column, real: value)
  }

  // MARK: Declared types

  private func putDeclared(_ column: Int, integer value: Int64) {
    if columns[column].storage == .integer { put(column, integer: value) } else { misfits(column) }
  }

  private func putDeclared(_ column: Int, _ value: Span<UInt8>) {
    switch (columns[column].storage, TextKind(value)) {
    case (.text, _), (.date, .date), (.dateTime, .date), (.dateTime, .dateTime):
      put(column, text: value)
    case (.integer, .integer(let integer)): put(column, integer: integer)
    case (.boolean, .integer(let integer)) where integer == 0 || integer == 1:
      put(column, integer: integer)
    case (.real, .integer(let integer)) where Int64(exactly: Double(integer)) == integer:
      put(column, real: Double(integer))
    case (.real, .real): putReal(column, value)
    case (.boolean, .boolean(let boolean)):
      columns[column].form.note(boolean: value)
      put(column, integer: boolean ? 1 : 0)
    default: misfits(column)
    }
  }

  private func misfits(_ column: Int) {
    if misfit == nil, let type = columns[column].declared { misfit = (column, type) }
  }

  // MARK: Rows

  /// The number of the row that is being filled, from 1: what a row of another table refers to it by.
  public var rowNumber: Int64 { rowCount + 1 }

  /// SQLite's number of the row that was ended last.
  var rowID: Int64 {
    if case .rowID = key, let lastKey { lastKey } else { rowCount }
  }

  /// Ends the row, and inserts it. Columns that were not set are NULL.
  ///
  /// - Returns: The row's number.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` where a value is not of the type that was
  ///   declared for its column; `SQLiteError` where the table can't have so many columns, say. In those cases the
  ///   source is not read on.
  @discardableResult
  public func endRow() throws -> Int64 {
    rowCount += 1
    if let misfit {
      throw ProviderError(
        .unrepresentable, "the value is none of type \(misfit.type.rawValue)",
        table: name, column: columns[misfit.column].name)
    }
    if !survey.isOn {
      if createdSQL == nil { try create() }
      checkKey()
    }
    if !survey.isOn { try insertRow() }
    for index in 0..<cells.count { cells[index].kind = .null }
    text.removeAll(keepingCapacity: true)
    try survey.rowEnded()
    return rowCount
  }

  private func insertRow() throws {
    if createdCount < columns.count { try addColumnsToTable() }
    let statement = try insert ?? prepareInsert()
    do throws(SQLiteError) {
      try statement.bindAll(of: RowCells(builder: self))
      try statement.run()
    } catch {
      // The key's, since there is no other.
      guard error.code.primary == .constraint else { throw error }
      give(up: key)
    }
  }

  private struct RowCells: RowEncodable {
    let builder: TableBuilder
    func bind(to statement: Statement) throws(SQLiteError) { try builder.bind(to: statement) }
  }

  private func bind(to statement: Statement) throws(SQLiteError) {
    let texts = text
    for index in 0..<cells.count {
      let cell = cells[index]
      let parameter = ParameterIndex(index + 1)
      switch cell.kind {
      case .null: try statement.bindNull(at: parameter)
      case .integer: try statement.bindInteger(cell.bits, at: parameter)
      case .real:
        try statement.bindReal(Double(bitPattern: UInt64(bitPattern: cell.bits)), at: parameter)
      case .text:
        let start = Int(cell.bits)
        try statement.bindText(texts.span.extracting(start..<start + cell.count), at: parameter)
      }
    }
  }

  // MARK: The key

  /// Whether the row has a key as the rows before it do; otherwise the table has none.
  private func checkKey() {
    guard let column = key.column else { return }
    switch cells[column].kind {
    case .integer:
      guard case .rowID = key else { return }
      if let lastKey, cells[column].bits <= lastKey { give(up: .rowID) }
      lastKey = cells[column].bits
    case .text where key == .unique(column: column): return
    case .null, .real, .text: give(up: key)
    }
  }

  private enum Lost { case rowID }

  /// Has all be read again, with less of a key.
  private func give(up lost: Lost) {
    if let column = key.column { key = .unique(column: column) }
    survey.begin()
  }

  private func give(up lost: KeyPlan) {
    key = .none
    survey.begin()
  }

  private func plannedKey() -> KeyPlan {
    if let plan = known?.key, plan != .undecided { return plan }
    if let declared = collector.declaredKey(of: name) {
      guard let column = columns.firstIndex(where: { SQLName.isSame($0.name, declared) }) else {
        return .none
      }
      return .unique(column: column)
    }
    let candidate = columns.indices.first { index in
      ["id", "@id"].contains(SQLName.folded(columns[index].name))
    }
    guard let candidate else { return .none }
    switch cells[candidate].kind {
    case .integer: return hasChildren ? .unique(column: candidate) : .rowID(column: candidate)
    case .text: return .unique(column: candidate)
    case .null, .real: return .none
    }
  }

  // MARK: The table

  /// The statement that makes the table: without types, so that each value stays as it is given.
  private func sql(withTypes: Bool) -> String {
    let parts = columns[..<createdCount].enumerated().map { index, column in
      let name = SQLName.quoted(column.name)
      if key == .rowID(column: index) { return "\(name) INTEGER PRIMARY KEY" }
      var type = withTypes ? type(of: index)?.rawValue ?? "" : ""
      // As INTEGER it would be the row's number.
      if key == .unique(column: index) {
        type = (type == "INTEGER" ? "INT" : type) + " PRIMARY KEY"
      }
      return type.isEmpty ? name : "\(name) \(type)".replacing("  ", with: " ")
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
  }

  private func create() throws {
    if key == .undecided { key = plannedKey() }
    // A table has a column, if there is nothing in it.
    if columns.isEmpty { addColumn("value", .typed) }
    createdCount = columns.count
    let sql = sql(withTypes: false)
    try collector.connection.execute(sql)
    createdSQL = sql
  }

  private func addColumnsToTable() throws {
    insert = nil
    for column in columns[createdCount...] {
      try collector.connection.execute(
        "ALTER TABLE \(SQLName.quoted(name)) ADD COLUMN \(SQLName.quoted(column.name))")
    }
    createdCount = columns.count
  }

  private func prepareInsert() throws -> Statement {
    let values = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let statement = try collector.connection.prepare(
      "INSERT INTO \(SQLName.quoted(name)) VALUES (\(values))")
    insert = statement
    return statement
  }

  /// The statement that the table should have been made with; `nil` where it was.
  func finish() throws -> String? {
    if createdSQL == nil { try create() }
    if createdCount < columns.count { try addColumnsToTable() }
    insert = nil
    let sql = sql(withTypes: true)
    return sql == createdSQL ? nil : sql
  }

  /// What is known of the table, to read it again.
  var knowledge: TableCollector.KnownTable {
    .init(
      columns: columns.map { (name: $0.name, kinds: $0.kinds) }, key: key,
      hasChildren: hasChildren)
  }
}

@available(*, unavailable) extension TableBuilder: Sendable {}

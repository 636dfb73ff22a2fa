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
  /// The row, and what is known of the columns.
  private var draft = RowDraft()
  /// The columns by the names that they were asked for, byte by byte.
  private var places: [[UInt8]: Int] = [:]
  /// What may become the primary key.
  private(set) var key: KeyPlan
  /// Whether rows of other tables refer to rows by their numbers.
  private(set) var hasChildren = false
  /// What these are called, where they do.
  private var numberName: String?
  /// The table whose rows its own belong to, and the column that says to which.
  private var parent: (table: TableBuilder, column: Int)?
  private let declared: [FoldedName: ColumnType]
  private let known: TableCollector.KnownTable?

  private var rowCount: Int64 = 0
  private var lastKey: Int64?
  /// The statement that inserts rows, for as many columns as the table has.
  private var insert: (rowCount: Int, statement: Statement)?
  /// How the table was made; `nil` where it was not yet.
  private var createdSQL: String?
  private var createdCount = 0

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
    var unique = name.isEmpty ? "column\(places.count + 1)" : name
    if isTaken(unique) {
      var number = 2
      while isTaken("\(unique)_\(number)") { number += 1 }
      unique += "_\(number)"
    }
    let place = index(of: unique) ?? addColumn(unique, [])
    places[key] = place
    return place
  }

  /// Whether a column has the name that was asked for by another one.
  private func isTaken(_ name: String) -> Bool {
    places.values.contains { SQLName.isSame(draft.columns[$0].name, name) }
  }

  private func index(of name: String) -> Int? {
    draft.columns.firstIndex { SQLName.isSame($0.name, name) }
  }

  @discardableResult
  private func addColumn(_ name: String, _ kinds: ColumnKinds) -> Int {
    draft.add(RowDraft.Column(name, kinds, declared: declared[FoldedName(name)]))
    return draft.columns.count - 1
  }

  /// The names of the columns, in their order.
  public var columnNames: [String] { draft.columns.map(\.name) }

  /// The type of a column by all that was seen of it; `nil` for none.
  public func type(of column: Int) -> ColumnType? {
    let own = parent?.column == column ? ColumnType.integer : draft.columns[column].kinds.type
    return draft.columns[column].declared ?? own
  }

  /// How the texts of a column were written whose type is not text.
  public func form(of column: Int) -> ColumnForm { draft.columns[column].form }

  /// The column that is the key, or would be if numbers were not; `nil` where there is none.
  var keyColumn: String? { key.column.map { draft.columns[$0].name } }

  func noteChild(numberedBy name: String) {
    hasChildren = true
    numberName = name
    if case .rowID = key { giveUpRowID() }
  }

  // MARK: Values

  /// Exchanges the row that is being filled, for who sets many values of it in a loop, and gives it back.
  func exchange(_ draft: inout RowDraft) { swap(&self.draft, &draft) }

  /// Sets a column to NULL, as it is where nothing is set.
  public func setNull(_ column: Int) { draft.setNull(column) }

  public func set(_ column: Int, integer value: Int64) {
    if draft.set(column, integer: value) { return }
    widen(column, [ColumnKinds(integer: value), .typed])
    _ = draft.set(column, integer: value)
  }

  public func set(_ column: Int, real value: Double) {
    if draft.set(column, real: value) { return }
    widen(column, [.real, .typed])
    _ = draft.set(column, real: value)
  }

  public func set(_ column: Int, boolean value: Bool) {
    if draft.set(column, boolean: value) { return }
    widen(column, [.boolean, .typed])
    _ = draft.set(column, boolean: value)
  }

  /// Sets a column to a value that is a text, in UTF-8.
  public func set(_ column: Int, text value: Span<UInt8>) {
    if draft.set(column, text: value) { return }
    widen(column, [.textValue, .typed])
    _ = draft.set(column, text: value)
  }

  /// Sets a column to a text in UTF-8 that may say something else, as those of CSV and XML do.
  public func set(_ column: Int, field value: Span<UInt8>) {
    while !draft.set(column, field: value) {
      // Numbers that would be written otherwise than they were are texts.
      widen(column, form(of: column).isUniform ? ColumnKinds(TextKind(value)) : .text)
    }
  }

  /// Sets a column to a number that no type holds, by its digits.
  public func set(_ column: Int, number digits: Span<UInt8>) {
    if draft.set(column, number: digits) { return }
    widen(column, [.longNumber, .typed])
    _ = draft.set(column, number: digits)
  }

  /// Sets a column to an object or an array, as a text in JSON.
  public func set(_ column: Int, container json: Span<UInt8>) {
    if draft.set(column, container: json) { return }
    widen(column, [.container, .typed])
    _ = draft.set(column, container: json)
  }

  /// Adds kinds to those that a column has had. Where the values before would have been stored otherwise, all is
  /// read again.
  private func widen(_ column: Int, _ kinds: ColumnKinds) {
    guard let (old, new) = draft.widen(column, kinds) else { return }
    if !new.holdsValues(of: old) { survey.begin() }
    guard key.column == column else { return }
    switch new {
    case .number where !draft.columns[column].kinds.contains(.real): break
    case .text: if case .rowID = key { giveUpRowID() }
    default: giveUpKey()
    }
  }

  // MARK: Rows

  /// The number of the row that is being filled, from 1: what a row of another table refers to it by.
  public var rowNumber: Int64 { rowCount + 1 }

  /// SQLite's number of the row that was ended last.
  var rowID: Int64 {
    if case .rowID = key, let lastKey { lastKey } else { rowCount }
  }

  /// Ends the row. Columns that were not set are NULL.
  ///
  /// - Returns: The row's number.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` where a value is not of the type that was
  ///   declared for its column; `SQLiteError` where the table can't have so many columns, say. In those cases the
  ///   source is not read on.
  @discardableResult
  public func endRow() throws -> Int64 {
    rowCount += 1
    if let misfit = draft.misfit {
      throw ProviderError(
        .unrepresentable, "the value is none of type \(misfit.type.rawValue)",
        table: name, column: draft.columns[misfit.column].name)
    }
    if !survey.isOn {
      if createdSQL == nil { try create() }
      checkKey()
    }
    if survey.isOn {
      draft.removeRows()
    } else {
      draft.endRow()
      if draft.isFull { try insertRows() }
    }
    try survey.rowEnded()
    return rowCount
  }

  /// Inserts the rows that wait.
  func insertRows() throws {
    let count = draft.waitingCount
    guard count > 0, !survey.isOn else { return }
    if createdCount < draft.columns.count { try addColumnsToTable() }
    let statement = try insertStatement(for: count)
    // Taken out, so that they are not guarded while their values are bound.
    var rows = RowDraft()
    exchange(&rows)
    defer {
      rows.removeRows()
      exchange(&rows)
    }
    do throws(SQLiteError) {
      try statement.bindAll(of: rows)
      try statement.run()
    } catch {
      // The key's, since there is no other.
      guard error.code.primary == .constraint else { throw error }
      giveUpKey()
    }
  }

  // MARK: The key

  /// Whether the row has a key as the rows before it do; otherwise the table has none.
  private func checkKey() {
    guard let column = key.column else { return }
    switch draft.kind(of: column) {
    case .integer:
      guard case .rowID = key else { return }
      if let lastKey, draft.integer(of: column) <= lastKey { giveUpRowID() }
      lastKey = draft.integer(of: column)
    case .text where key == .unique(column: column): return
    case .null, .real, .text: giveUpKey()
    }
  }

  /// Has all be read again, with a key that is not the row's number.
  private func giveUpRowID() {
    if let column = key.column { key = .unique(column: column) }
    survey.begin()
  }

  /// Has all be read again, without a key.
  private func giveUpKey() {
    key = .none
    survey.begin()
  }

  private func plannedKey() -> KeyPlan {
    if let plan = known?.key, plan != .undecided { return plan }
    if let declared = collector.declaredKey(of: name) {
      return index(of: declared).map { .unique(column: $0) } ?? .none
    }
    let candidate = draft.columns.firstIndex {
      ["id", "@id"].contains(SQLName.folded($0.name))
    }
    guard let candidate else { return .none }
    switch draft.kind(of: candidate) {
    case .integer: return hasChildren ? .unique(column: candidate) : .rowID(column: candidate)
    case .text: return .unique(column: candidate)
    case .null, .real: return .none
    }
  }

  // MARK: The table

  func belong(to parent: TableBuilder, by column: String) {
    self.parent = (parent, self.column(column))
  }

  /// The name of the column of numbers, in quotes: one that no other column has.
  private var quotedNumberName: String? {
    guard let numberName else { return nil }
    var name = numberName
    var count = 2
    while index(of: name) != nil {
      name = "\(numberName)_\(count)"
      count += 1
    }
    return SQLName.quoted(name)
  }

  /// The statement that makes the table: without types, so that each value stays as it is given, or as it is to be in
  /// the end.
  ///
  /// In the end there may be a column more, of the rows' numbers: SQLite stores nothing in it.
  private func sql(isFinal: Bool) -> String {
    var parts = draft.columns[..<createdCount].enumerated().map { index, column in
      let name = SQLName.quoted(column.name)
      if key == .rowID(column: index) { return "\(name) INTEGER PRIMARY KEY" }
      var type = isFinal ? type(of: index)?.rawValue : nil
      var words = [name]
      if key == .unique(column: index) {
        let isNumbered = isFinal && numberName != nil
        // As INTEGER it would be the row's number.
        if type == "INTEGER", !isNumbered { type = "INT" }
        words += [type, isNumbered ? "UNIQUE" : "PRIMARY KEY"].compactMap(\.self)
      } else if let type {
        words.append(type)
      }
      if isFinal, let parent, parent.column == index, let number = parent.table.quotedNumberName {
        words.append(
          "REFERENCES \(SQLName.quoted(parent.table.name))(\(number)) ON DELETE CASCADE"
            + " ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED")
      }
      return words.joined(separator: " ")
    }
    if isFinal, let number = quotedNumberName { parts.append("\(number) INTEGER PRIMARY KEY") }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(parts.joined(separator: ", ")))"
  }

  private func create() throws {
    if key == .undecided { key = plannedKey() }
    // A table has a column, if there is nothing in it.
    if draft.columns.isEmpty { addColumn("value", .typed) }
    createdCount = draft.columns.count
    let sql = sql(isFinal: false)
    try collector.connection.execute(sql)
    createdSQL = sql
  }

  private func addColumnsToTable() throws {
    insert = nil
    for column in draft.columns[createdCount...] {
      try collector.connection.execute(
        "ALTER TABLE \(SQLName.quoted(name)) ADD COLUMN \(SQLName.quoted(column.name))")
    }
    createdCount = draft.columns.count
  }

  private func insertStatement(for rowCount: Int) throws -> Statement {
    if let insert, insert.rowCount == rowCount { return insert.statement }
    let row = Array(repeating: "?", count: draft.columns.count).joined(separator: ", ")
    let rows = Array(repeating: "(\(row))", count: rowCount).joined(separator: ", ")
    let statement = try collector.connection.prepare(
      "INSERT INTO \(SQLName.quoted(name)) VALUES \(rows)")
    insert = (rowCount, statement)
    return statement
  }

  /// The statement that the table should have been made with; `nil` where it was.
  func finish() throws -> String? {
    if createdSQL == nil { try create() }
    if createdCount < draft.columns.count { try addColumnsToTable() }
    insert = nil
    let sql = sql(isFinal: true)
    return sql == createdSQL ? nil : sql
  }

  /// Makes the index by which the rows are found that belong to a row.
  func indexParents() throws {
    guard let parent else { return }
    let column = draft.columns[parent.column].name
    let index = try collector.unusedName("\(name)_\(column)")
    try collector.connection.execute(
      "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(SQLName.quoted(column)))"
    )
  }

  /// What is known of the table, to read it again.
  var knowledge: TableCollector.KnownTable {
    .init(
      columns: draft.columns.map { (name: $0.name, kinds: $0.kinds) }, key: key,
      hasChildren: hasChildren)
  }
}

@available(*, unavailable) extension TableBuilder: Sendable {}

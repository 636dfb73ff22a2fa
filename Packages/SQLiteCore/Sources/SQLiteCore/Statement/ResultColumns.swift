/// The columns of a result: looked up once, and kept for every row.
final class ResultColumns {
  /// The statement's text; `nil` for rows in memory.
  let sql: String?
  private let cursor: StatementCursor
  private let connection: ConnectionHandle?
  /// The statement, which keeps this object and outlives its rows.
  unowned var statement: Statement?
  /// The number of columns that the cursor has: none for rows in memory.
  ///
  /// Kept here, where it costs no call for each column that is read.
  private(set) var cursorCount: Int
  /// The values of the current row if it is in memory; `nil` for a statement's rows.
  var storedValues: [SQLiteValue]?
  private let storedContext: AnyObject?
  private var cachedNames: [String]?
  /// The decoder that read the current row as a `Decodable` type, for the next row.
  var keptFetch: (type: ObjectIdentifier, fetch: DecodingFetch)?
  private var cachedIndexes: [String: Int]?

  init(cursor: StatementCursor, sql: String, connection: ConnectionHandle) {
    self.cursor = cursor
    self.sql = sql
    self.connection = connection
    storedContext = nil
    cursorCount = cursor.columnCount
  }

  /// The columns of rows in memory.
  init(names: [String], context: AnyObject?) {
    storedContext = context
    sql = nil
    cursor = .none
    connection = nil
    cursorCount = 0
    storedValues = []
    cachedNames = names
  }

  var count: Int { storedValues == nil ? cursorCount : names.count }

  /// What those who make values of the rows are told.
  var context: AnyObject? { connection?.rowContext ?? storedContext }

  var names: [String] {
    if let cachedNames { return cachedNames }
    let names = (0..<cursorCount).map { cursor.columnName(at: $0) }
    cachedNames = names
    return names
  }

  /// The number of the first column of this name; failing that, of one that differs in case alone.
  func index(named name: String) -> Int? {
    let indexes = cachedIndexes ?? makeIndexes()
    if let index = indexes[name] { return index }
    return names.firstIndex { $0.isEqualIgnoringASCIICase(name) }
  }

  /// What an error says of a column.
  func describe(_ index: Int) -> SQLiteError.ColumnName {
    guard names.indices.contains(index) else {
      return SQLiteError.ColumnName(name: "\(index)", table: nil, origin: nil)
    }
    if storedValues != nil { return .init(name: names[index], table: nil, origin: nil) }
    let origin = cursor.columnOrigin(at: index)
    return SQLiteError.ColumnName(name: names[index], table: origin.table, origin: origin.column)
  }

  /// The statement was compiled anew, and may have other columns.
  func forget() {
    cursorCount = cursor.columnCount
    cachedNames = nil
    cachedIndexes = nil
    keptFetch = nil
  }

  private func makeIndexes() -> [String: Int] {
    let made = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    cachedIndexes = made
    return made
  }
}

/// What a statement knows while columns of its row are lent.
struct RowLoan {
  /// How many are lent.
  var count = 0
  /// The statement's own count, which another number stands in for.
  var forcedResets = 0
  /// Whether the statement is to be reset when all are back.
  var isResetDue = false
  /// Whether its values are to be cleared then.
  var isClearingDue = false
  /// Where the values lie that the row may show, once others might have been put in their place.
  var arena: BindingArena?

  var isOut: Bool { count > 0 }
}

extension Statement {
  /// The error of what would end the row that a column is lent of.
  func columnIsLent() -> SQLiteError {
    SQLiteError(
      code: .columnLent, message: "a column of the row is lent, and keeps the statement there",
      sql: sql)
  }
}

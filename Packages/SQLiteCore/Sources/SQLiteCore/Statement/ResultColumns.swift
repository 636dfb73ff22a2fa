/// The columns of a result, looked up once and cached for all rows.
final class ResultColumns {
  /// The statement's text; `nil` for rows in memory.
  let sql: String?
  private let cursor: StatementCursor
  private let connection: ConnectionHandle?
  /// The statement, which retains this object and outlives its rows.
  unowned var statement: Statement?
  /// The number of columns of the cursor; 0 for rows in memory.
  ///
  /// Stored to avoid a call into SQLite for each column that is read.
  private(set) var cursorCount: Int
  /// The values of the current row if it is in memory; `nil` for a statement's rows.
  var storedValues: [SQLiteValue]?
  private let storedContext: AnyObject?
  private var cachedNames: [String]?
  /// The decoder that read the current row as a `Decodable` type, cached for the next row.
  var cachedFetch: (type: ObjectIdentifier, fetch: DecodingFetch)?
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

  /// The context that row decoding receives from its caller.
  var context: AnyObject? { connection?.rowContext ?? storedContext }

  var names: [String] {
    if let cachedNames { return cachedNames }
    let names = (0..<cursorCount).map { cursor.columnName(at: $0) }
    cachedNames = names
    return names
  }

  /// Returns the index of the first column of this name, or otherwise of the first column whose
  /// name differs in case only.
  func index(named name: String) -> Int? {
    let indexes = cachedIndexes ?? makeIndexes()
    if let index = indexes[name] { return index }
    return names.firstIndex { $0.isEqualIgnoringASCIICase(name) }
  }

  /// Returns the description of a column in errors.
  func describe(_ index: Int) -> SQLiteError.ColumnName {
    guard names.indices.contains(index) else {
      return SQLiteError.ColumnName(name: "\(index)", table: nil, origin: nil)
    }
    if storedValues != nil { return .init(name: names[index], table: nil, origin: nil) }
    let origin = cursor.columnOrigin(at: index)
    return SQLiteError.ColumnName(name: names[index], table: origin.table, origin: origin.column)
  }

  /// Clears the cache: the statement was recompiled, and its columns may have changed.
  func invalidate() {
    cursorCount = cursor.columnCount
    cachedNames = nil
    cachedIndexes = nil
    cachedFetch = nil
  }

  private func makeIndexes() -> [String: Int] {
    let indexes = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    cachedIndexes = indexes
    return indexes
  }
}

/// The state of a statement while columns of its row are borrowed.
struct ColumnBorrow {
  /// The number of borrowed columns.
  var count = 0
  /// The statement's `forcedResets`, which is replaced by an invalid value while columns are
  /// borrowed.
  var forcedResets = 0
  /// A Boolean value that indicates whether the statement must be reset when the last borrow ends.
  var isResetPending = false
  /// A Boolean value that indicates whether the bindings must be cleared then.
  var isClearPending = false
  /// The memory of bound values that the row may refer to, after new values may have been bound.
  var arena: BindingArena?

  var isActive: Bool { count > 0 }
}

extension Statement {
  /// The error of an operation that would invalidate the row of a borrowed column.
  func columnBorrowedError() -> SQLiteError {
    SQLiteError(
      code: .columnBorrowed,
      message: "the statement can't change while a column of its row is borrowed",
      sql: sql)
  }
}

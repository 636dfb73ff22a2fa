internal import SQLiteCore

/// Knows which rows of a table were not in its file.
///
/// SQLite gives the number of a deleted row to the next one, which has nothing of what a layout remembers of the former.
/// What was inserted is noted by triggers of the connection, which its schema does not show, so that it is undone with the
/// rows.
struct NewRows {
  private let table: String

  /// - Parameter number: Tells the table from others that are followed.
  init(_ number: Int) { table = "holt new rows \(number)" }

  private var quoted: String { SQLName.quoted(table) }

  /// Begins with a table whose rows are those of the file.
  func follow(_ name: String, in connection: Connection) throws {
    try connection.execute("DROP TABLE IF EXISTS temp.\(unsafe: quoted)")
    for event in ["INSERT", "UPDATE"] {
      try connection.execute("DROP TRIGGER IF EXISTS temp.\(unsafe: trigger(event))")
    }
    guard let rowID = try connection.table(name)?.rowIDName else { return }
    try connection.execute("CREATE TABLE temp.\(unsafe: quoted) (id INTEGER PRIMARY KEY)")
    for (event, condition) in [
      ("INSERT", ""), ("UPDATE", "WHEN new.\(rowID) <> old.\(rowID)"),
    ] {
      // Without OR IGNORE, which the statement's own would stand before.
      try connection.execute(
        """
        CREATE TEMP TRIGGER \(unsafe: trigger(event)) AFTER \(unsafe: event) ON main.\(identifier: name) \(unsafe: condition)
        BEGIN
          INSERT INTO \(unsafe: quoted) SELECT new.\(unsafe: rowID)
          WHERE NOT EXISTS (SELECT 1 FROM \(unsafe: quoted) WHERE id = new.\(unsafe: rowID));
        END
        """)
    }
  }

  /// Whether the row of a number is new, as SQL.
  func condition(
    _ rowID: String, of name: String, in connection: Connection
  ) throws -> String {
    let found = "SELECT 1 FROM sqlite_temp_schema WHERE name = ?"
    guard try connection.value(Int.self, SQL(unsafe: found), table) != nil else { return "0" }
    // Triggers go with their table: one that was made in its place has no row of the file.
    let isFollowed = try connection.value(
      Int.self, SQL(unsafe: "\(found) AND tbl_name = ? COLLATE NOCASE"), "\(table) INSERT", name)
    guard isFollowed != nil else { return "1" }
    return "EXISTS (SELECT 1 FROM temp.\(quoted) WHERE id = \(rowID))"
  }

  private func trigger(_ event: String) -> String { SQLName.quoted("\(table) \(event)") }
}

/// How the values of a column are stored, by their kinds or by the type that was declared.
enum ColumnStorage {
  /// There is no value yet.
  case undecided
  case number
  /// 0 and 1.
  case boolean
  case text
  /// Each as what it is.
  case any
  /// Each as a text in JSON.
  case json
  /// Declared ones, that others are refused by.
  case integer, real, date, dateTime

  init(_ kinds: TableCollector.ColumnKinds) {
    guard !kinds.subtracting(.typed).isEmpty else {
      self = .undecided
      return
    }
    switch kinds.type {
    case .integer, .real: self = .number
    case .boolean: self = .boolean
    case .text, .date, .dateTime: self = .text
    case .json: self = .json
    case nil: self = .any
    }
  }

  init(_ declared: TableCollector.ColumnType) {
    switch declared {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .boolean: self = .boolean
    case .date: self = .date
    case .dateTime: self = .dateTime
    case .json: self = .json
    }
  }

  /// Whether what was stored in one way would have been stored alike in this one.
  func holdsValues(of other: ColumnStorage) -> Bool {
    switch (other, self) {
    case (.undecided, _), (.number, .any), (.text, .any): true
    default: self == other
    }
  }
}

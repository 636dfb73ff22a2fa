internal import SQLiteCore

/// Tracks the rows of a table that were not in its file.
///
/// SQLite reuses the rowid of a deleted row, but the properties that the layout records for the
/// deleted row do not apply to the new one. Temporary triggers, which are not part of the schema,
/// record inserted rows, so that a rollback also reverts the record.
struct InsertedRowTracker {
  private let table: String

  /// - Parameter number: Identifies the tracked table.
  init(_ number: Int) { table = "holt new rows \(number)" }

  private var quoted: String { SQLName.quoted(table) }

  /// Starts tracking a table that contains exactly the file's rows.
  func startTracking(_ name: String, in connection: Connection) throws {
    try connection.execute("DROP TABLE IF EXISTS temp.\(unsafe: quoted)")
    for event in ["INSERT", "UPDATE"] {
      try connection.execute("DROP TRIGGER IF EXISTS temp.\(unsafe: trigger(event))")
    }
    guard let rowID = try connection.table(name)?.rowIDName else { return }
    try connection.execute("CREATE TABLE temp.\(unsafe: quoted) (id INTEGER PRIMARY KEY)")
    for (event, condition) in [
      ("INSERT", ""), ("UPDATE", "WHEN new.\(rowID) <> old.\(rowID)"),
    ] {
      // Instead of OR IGNORE, which the conflict clause of the outer statement would override.
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

  /// Returns an SQL condition for whether a row is new.
  func condition(
    _ rowID: String, of name: String, in connection: Connection
  ) throws -> String {
    let found = "SELECT 1 FROM sqlite_temp_schema WHERE name = ?"
    guard try connection.value(Int.self, SQL(unsafe: found), table) != nil else { return "0" }
    // Triggers are dropped with their table: a table that replaced it has no rows of the file.
    let isFollowed = try connection.value(
      Int.self, SQL(unsafe: "\(found) AND tbl_name = ? COLLATE NOCASE"), "\(table) INSERT", name)
    guard isFollowed != nil else { return "1" }
    return "EXISTS (SELECT 1 FROM temp.\(quoted) WHERE id = \(rowID))"
  }

  private func trigger(_ event: String) -> String { SQLName.quoted("\(table) \(event)") }
}

/// The storage of a column's values, according to their kinds or to the declared type.
enum ColumnStorage {
  /// The column has no values yet.
  case undecided
  case number
  /// The digits of numbers, as texts.
  case decimal
  /// 0 and 1.
  case boolean
  case text
  /// Each value with its own storage class.
  case any
  /// Each value as a JSON text.
  case json
  /// Declared types, which refuse other values.
  case integer, real, date, dateTime

  init(_ kinds: TableCollector.ColumnKinds) {
    guard !kinds.subtracting(.typed).isEmpty else {
      self = .undecided
      return
    }
    switch kinds.type {
    case .integer, .real: self = .number
    case .decimal: self = .decimal
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
    case .decimal: self = .decimal
    }
  }

  /// Returns whether values stored with another storage would be stored identically with this one.
  func holdsValues(of other: ColumnStorage) -> Bool {
    switch (other, self) {
    case (.undecided, _), (.number, .any), (.text, .any): true
    default: self == other
    }
  }
}

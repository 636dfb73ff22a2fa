import Crypto

/// The number of a table's rows, and a sum of their hashes that does not depend on their order.
struct TableChecksum: Hashable, Sendable {
  private(set) var rowCount = 0
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init() {}

  /// Creates a checksum from its count and its ``text``; `nil` for another text.
  init?(rowCount: Int, text: String) {
    guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
      let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    (self.rowCount, self.high, self.low) = (rowCount, high, low)
  }

  /// Adds a row.
  ///
  /// - Parameter bytes: The canonical bytes of its values.
  mutating func add(_ bytes: [UInt8]) {
    rowCount += 1
    var (first, second): (UInt64, UInt64) = (0, 0)
    for (index, byte) in SHA256.hash(data: bytes).enumerated() {
      if index < 8 { first = first << 8 | UInt64(byte) }
      if index >= 8, index < 16 { second = second << 8 | UInt64(byte) }
    }
    high &+= first
    low &+= second
  }

  /// The sum, as 32 hexadecimal digits.
  var text: String { Self.digits(high) + Self.digits(low) }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// The checksum of the rows of two tables.
  static func + (a: TableChecksum, b: TableChecksum) -> TableChecksum {
    var sum = a
    sum.rowCount += b.rowCount
    sum.high &+= b.high
    sum.low &+= b.low
    return sum
  }
}

/// The record of a table that is copied completely. The destination has a table of these until the copy ends.
struct CopyRecord: Hashable, Sendable {
  /// The name of the table in which both databases store the records.
  static let table = "holt_copy"
  /// The columns of that table, which both databases accept.
  static let columns = """
    (source text NOT NULL, table_name text NOT NULL PRIMARY KEY, is_created integer NOT NULL,
    row_count bigint NOT NULL, checksum text NOT NULL, source_rows bigint NOT NULL,
    source_checksum text NOT NULL)
    """

  /// The source of the copy.
  var source: String
  var table: String
  /// Indicates whether the copy created the table, so that another attempt can drop it.
  var isCreated: Bool
  /// The checksum of the table in the destination.
  var checksum: TableChecksum
  /// The checksum of the rows that were copied.
  var sourceChecksum: TableChecksum
}

/// The choices of a copy between SQLite and PostgreSQL.
struct MovingOptions: Sendable {
  /// The tables to copy; empty for all of them.
  var tables: [String] = []
  /// The name of the only copied table in the destination, if it is another one.
  var newName: String?
  var existing = ExistingTables.refuse
  var skipsUnsupported = false
  var restarts = false
  /// The schema in PostgreSQL.
  var schema = "public"
  /// The types of columns in PostgreSQL, by `table.column`.
  var types: [String: ColumnType] = [:]
  /// Indicates whether the destination is private, so that the copy is not verified.
  var isStaging = false
}

/// The tables that were copied, and the objects that were not.
struct MovingReport: Sendable {
  var tables: [(name: String, rowCount: Int)] = []
  var problems: [SchemaProblem] = []
}

/// A table of a copy.
struct MovedTable: Sendable {
  enum Action: Hashable, Sendable {
    case create
    case replace
    /// Adds rows to a table that exists.
    case append
    /// The table was copied by an earlier run.
    case keep(CopyRecord)
  }

  /// The name in the source.
  var sourceName: String
  /// The table in the destination.
  var table: PortableTable
  var action: Action
  /// The columns with values, in the source and in the destination, with the type of the values.
  var columns: [(source: String, target: String, type: ColumnType, isRequired: Bool)]

  var isCreated: Bool { action == .create || action == .replace }

  /// Describes a value that can't be copied.
  static func failure(
    _ error: UnsuitableValue, table: String, row: String, column: String, file: String
  ) -> ToolError {
    ToolError("\(error.message) (\(table).\(column), row \(row))", file: file)
  }
}

extension MovingOptions {
  /// Returns what to do with an existing table.
  ///
  /// - Throws: `ToolError` if the table has rows, unless it is named and its fate chosen.
  func action(
    forExisting name: String, hasRows: Bool, destination: String
  ) throws -> MovedTable.Action {
    let isNamed = newName != nil || tables.contains { $0 == name }
    switch existing {
    case .refuse where hasRows:
      throw ToolError(
        "the table \(name) already exists and has rows", file: destination,
        hint: "name it, and choose what happens: --table \(name) --existing append (or replace)")
    case .append where hasRows && !isNamed, .replace where !isNamed:
      throw ToolError(
        "the table \(name) already exists and is not named", file: destination,
        hint: "pass --table \(name)")
    case .refuse, .append: return .append
    case .replace: return .replace
    }
  }

  /// Returns the tables with the only one renamed, if there is a new name.
  func renamed(_ schema: PortableSchema, source: String) throws -> [(String, PortableTable)] {
    guard let newName else { return schema.ordered.map { ($0.name, $0) } }
    guard schema.tables.count == 1, var table = schema.tables.first else {
      throw ToolError(
        "only one table can be copied into \(newName), but the source has \(schema.tables.count)",
        file: source, hint: "pass --table with the table to copy")
    }
    let oldName = table.name
    table.name = newName
    for index in table.foreignKeys.indices where table.foreignKeys[index].parent == oldName {
      table.foreignKeys[index].parent = newName
    }
    return [(oldName, table)]
  }

  /// - Throws: `ToolError` that lists the problems, unless they should be skipped.
  func check(_ problems: [SchemaProblem], source: String) throws {
    let reasons = problems.filter { !$0.isNote }
    guard !skipsUnsupported, !reasons.isEmpty else { return }
    throw ToolError(
      "can't copy \(reasons.count.counted("object")):\n"
        + reasons.map { "  \($0.text)" }.joined(separator: "\n"),
      file: source, hint: "pass --skip-unsupported to copy everything else")
  }

  /// - Throws: `ToolError` if the records belong to another copy.
  func check(_ records: [CopyRecord], source: String, destination: String) throws {
    guard let other = records.first(where: { $0.source != source }) else { return }
    throw ToolError(
      "the destination has an incomplete copy of \(other.source)", file: destination,
      hint: "pass --restart to drop its tables and copy everything")
  }
}

extension ToolError {
  /// The error for a table of an earlier run that differs from the source now.
  static func sourceChanged(_ table: String, destination: String) -> ToolError {
    ToolError(
      "the table \(table) has changed in the source since it was copied", file: destination,
      hint: "pass --restart to copy all tables from one state of the source")
  }

  static func differs(
    _ table: String, _ found: TableChecksum, _ expected: TableChecksum, destination: String
  ) -> ToolError {
    ToolError(
      "the copy of \(table) differs from its source: \(found.rowCount.counted("row")) with checksum "
        + "\(found.text), expected \(expected.rowCount.counted("row")) with checksum \(expected.text)",
      file: destination,
      hint: "another program may have changed the table; pass --restart to copy again")
  }
}

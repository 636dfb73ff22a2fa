internal import SPON
internal import SQLiteCore

/// A provider of files in SPON: database files of Action Data's provider (“the original”), and
/// arrays of objects.
///
/// ```swift
/// let provider = SPONProvider.shared
/// try provider.openSource("Test.spon")
/// try provider.execute("CREATE TABLE IF NOT EXISTS Person (ID INTEGER PRIMARY KEY, Name TEXT)")
/// try provider.closeSource()
/// ```
///
/// A new file is a database file, which represents everything that SQLite's tables contain: types,
/// keys, checks and references, indexes, views and triggers, and exact values. Columns, types and
/// rows are at the original's positions; everything else is in pairs that the original ignores. The
/// original can read such a file without losing tables to brackets in strings, as can happen with
/// its own files, but it does not decode some escapes in such strings, and has only its own nine
/// column types.
///
/// If a file contains only the original's description of a table, all rows are read before the
/// table is created: a key with NULL or duplicate values is not declared, a column whose values
/// SQLite would convert has no declared type, and a check without an equivalent in SQL is preserved
/// but not enforced.
///
/// Any other file is an array of objects, which is one table with the file's name, or an object of
/// such arrays, with one table for each. Values of one type make a column of that type. Types that
/// SQLite does not have are declared as `SPON FLOAT`, `SPON DECIMAL TEXT`, `SPON INSTANT TEXT`,
/// `SPON OPAQUE TEXT` and `SPON BLOB`. Numbers of different types are compared as numbers: if some
/// are decimal numbers, or exceed 64 bits, in a column of the type `DECIMAL TEXT`. Texts of both
/// decimal types have the collation `decimal`. If SQLite can't distinguish the types of a column's
/// other values, each value is a SPON string, and the column's type is `SPON TEXT`. Such files are written as arrays again, without anything that arrays can't
/// represent: keys, checks, indexes, views, triggers, generated columns and `user_version` last
/// until the source is closed.
public final class SPONProvider: DataProvider {
  public static let shared = SPONProvider()

  public let session: SourceSession

  public convenience init() { self.init(place: .memory) }

  /// - Parameters:
  ///   - place: The location of the tables while a file is open.
  ///   - directories: The directories that contain sources opened by name.
  ///   - tableName: The table name of an array of objects; `nil` to derive it from the file's name.
  public init(
    place: SourceSession.StagingPlace, directories: SourceSession.Directories = .standard,
    tableName: String? = nil
  ) {
    session = SourceSession(
      store: SourceSession.FileStore(format: SPONFormat(), place: place, tableName: tableName),
      directories: directories)
  }
}

/// SPON files: the original's database files, and arrays of objects.
struct SPONFormat: TableFormat {
  var newLayout: SPONLayout { .database(SPONDatabaseLayout()) }

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> SPONLayout {
    var source = SPONSource(input)
    guard let root = try source.next() else {
      throw source.failure(.truncated, "the text ends too early")
    }
    switch root.kind {
    case .beginObject(typeName: "DataStore"):
      var reader = SPONDatabaseReader(source, tables.connection)
      try reader.read()
      return .database(reader.layout)
    case .beginObject(let typeName):
      var reader = SPONPlainReader(source, tables, fileName: input.name)
      return try reader.readObject(root, typeName: typeName)
    case .beginArray:
      var reader = SPONPlainReader(source, tables, fileName: input.name)
      return try reader.readArray(root)
    default: throw source.failure(.malformed, "expected tables, found a single value")
    }
  }

  func write(
    _ contents: Connection, as layout: SPONLayout, to output: SourceSession.ByteOutput
  ) throws -> SPONLayout {
    if case .database(let database) = layout {
      var document = SPONDatabaseWriter(contents, database, output)
      try document.write(contents)
    } else {
      try SPONPlainWriter(contents, layout).write(to: output)
    }
    return layout
  }
}

/// The properties of a SPON file that are preserved when it is written.
enum SPONLayout: Sendable {
  /// The original's database file, with additional information in pairs that the original ignores.
  case database(SPONDatabaseLayout)
  /// An array of objects: one table.
  case array(SPONPlainTable?)
  /// An object whose values are arrays of objects: a table for each.
  case object(typeName: String, [SPONPlainTable])
}

struct SPONDatabaseLayout: Sendable {
  struct Table: Sendable {
    /// The table's statement when the file was read. The recorded properties are valid as long as
    /// the statement is unchanged.
    let sql: String
    /// The file's descriptions of the columns, by column name.
    let columns: [ExactText: SPONObject]
    /// The columns that contain objects and arrays which are not strings.
    let nested: Set<ExactText>
  }

  var lastInsertedInto = ""
  var tables: [ExactText: Table] = [:]
}

/// A table that is an array of objects.
struct SPONPlainTable: Sendable {
  /// The key of the array.
  let key: String
  /// The table's name; `nil` if the array is empty, so that there is no table.
  let name: String?
  /// The name of the objects' type.
  var typeName = ""
  var columns: [Column] = []

  struct Column: Sendable {
    let key: String
    let name: String
  }
}

/// The format of a column's values.
enum SPONForm: String, Sendable {
  case boolean, integer, float, double, text, opaque, data, instant, decimal
  /// Numbers of different types, some of which SQLite does not have.
  case number
  /// Each value by its storage class.
  case mixed
  /// Each value as a SPON string.
  case any

  /// The declared SQL type, which ``ValueType`` recognizes.
  var declaration: String {
    switch self {
    case .boolean: "BOOLEAN"
    case .integer: "INTEGER"
    case .double: "REAL"
    case .text: "TEXT"
    case .float: "SPON FLOAT"
    case .opaque: "SPON OPAQUE TEXT"
    case .data: "SPON BLOB"
    case .instant: "SPON INSTANT TEXT"
    case .decimal: "SPON DECIMAL TEXT COLLATE decimal"
    case .number: TableCollector.ColumnType.decimal.declaration
    case .mixed: ""
    case .any: "SPON TEXT"
    }
  }
}

internal import SPON
internal import SQLiteCore

/// A provider of files in SPON: database files as the original writes them, and arrays of objects.
///
/// ```swift
/// let provider = SPONProvider.shared
/// try provider.openSource("Test.spon")
/// try provider.execute("CREATE TABLE IF NOT EXISTS Person (ID INTEGER PRIMARY KEY, Name TEXT)")
/// try provider.closeSource()
/// ```
///
/// A file that is made anew is a database file, which holds all that tables of SQLite do: types, keys, checks and
/// references, indexes, views and triggers, and each value as it is. Columns, types and rows are where the original has them; the
/// rest is in pairs that it passes over. It loses no table by the brackets in a text, as it does with those of its own
/// making, but reads some escapes in such texts as they are written, and knows none of SQLite's types beside its own nine.
///
/// Where only the original's description of a table is there, its rows are seen before it is made: a key that rows share,
/// or lack, is none, a column whose values SQLite would change has no type, and where a check has no like in SQL it is
/// kept, but not held against rows.
///
/// Other files are an array of objects, which is one table named like the file, or an object of such arrays, each a table. What
/// is of one type makes a column of that type. Where values of a column are of types that SQLite can't tell apart, each
/// is a text in SPON, and the column `SPON TEXT`. They are written as arrays again, without what these can't hold: keys, checks,
/// indexes, views, triggers, computed columns and `user_version` hold until the file is closed.
public final class SPONProvider: DataProvider {
  public static let shared = SPONProvider()

  public let session: SourceSession

  public convenience init() { self.init(place: .memory) }

  /// - Parameters:
  ///   - place: Where tables are held while a file is open.
  ///   - directories: Where sources are looked for by their names.
  public init(place: SourceSession.StagingPlace, directories: SourceSession.Directories = .standard)
  {
    session = SourceSession(
      store: SourceSession.FileStore(format: SPONFormat(), place: place), directories: directories)
  }
}

/// Files in SPON: the database file of the original, and arrays of objects.
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
      var reader = SPONPlainReader(source, tables.connection, fileName: input.name)
      return try reader.readObject(root, typeName: typeName)
    case .beginArray:
      var reader = SPONPlainReader(source, tables.connection, fileName: input.name)
      return try reader.readArray(root)
    default: throw source.failure(.malformed, "a single value holds no tables")
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

/// What is remembered of a file in SPON, so that it is written as it was.
enum SPONLayout: Sendable {
  /// The database file of the original, with what it lacks in pairs that it passes over.
  case database(SPONDatabaseLayout)
  /// An array of objects: one table.
  case array(SPONPlainTable?)
  /// An object whose values are arrays of objects: a table for each.
  case object(typeName: String, [SPONPlainTable])
}

struct SPONDatabaseLayout: Sendable {
  struct Table: Sendable {
    /// The statement that made it when it was read: what is remembered holds as long as that is the same.
    let sql: String
    /// What the file says of each column, by its name.
    let columns: [ExactText: SPONObject]
    /// The columns with objects and arrays that are not in a text.
    let nested: Set<ExactText>
  }

  var lastInsertedInto = ""
  var tables: [ExactText: Table] = [:]
}

/// A table that is an array of objects.
struct SPONPlainTable: Sendable {
  /// The key of the array.
  let key: String
  /// The name of the table; `nil` where the array is empty, and there is none.
  let name: String?
  /// The name of the objects' type.
  var typeName = ""
  var columns: [Column] = []

  struct Column: Sendable {
    let key: String
    let name: String
    let form: SPONForm
  }
}

/// How all values of a column are written.
enum SPONForm: String, Sendable {
  case boolean, integer, float, double, text, opaque, data, instant, decimal
  /// Each value by its storage class.
  case mixed
  /// Each value as a text in SPON.
  case any

  /// What SQL declares for it.
  var declaration: String {
    switch self {
    case .boolean: "BOOLEAN"
    case .integer: "INTEGER"
    case .float, .double: "REAL"
    case .text, .opaque: "TEXT"
    case .data: "BLOB"
    case .instant: "DATETIME TEXT"
    case .decimal: "DECIMAL TEXT"
    case .mixed: ""
    case .any: "SPON TEXT"
    }
  }

  /// The form of a column that the file did not have.
  init(declared: String) {
    let name = declared.uppercased()
    if name == "SPON TEXT" {
      self = .any
    } else if name.contains("BOOL") {
      self = .boolean
    } else {
      self = .mixed
    }
  }
}

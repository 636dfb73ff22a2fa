internal import Primitives
internal import SQLiteCore

/// A provider of files in JSON.
///
/// ```swift
/// let provider = JSONProvider()
/// try provider.openSource("people.json")  // [{"name": "Ada", "address": {"city": "London"}}, …]
/// print(try provider.query(#"SELECT name, "address.city" FROM people"#))
/// ```
///
/// A new file has Holt's document layout, which represents everything that a database contains:
/// constraints, indexes, views, triggers, blobs, 64-bit integers. Other files are read in their own
/// layout, and written in the same layout:
///
/// - An array of objects is a table with the file's name. So are objects on separate lines.
/// - An object is the only row of such a table. Its members that are arrays of objects are separate
///   tables.
/// - The members of an object in a row are columns, such as `address.city`. Arrays are JSON
///   columns. ``JSONProvider/Options`` offers alternatives.
///
/// When such a file is written, only changed values are replaced. Everything else keeps its text:
/// white space, the order of members, numbers such as `1.0` and `1e5`, escapes in strings.
///
/// Column types are inferred from all values: see ``TableCollector``. A number that does not fit
/// into 64 bits makes its column a decimal column, which preserves its digits.
///
/// An ordinary file contains values only. Writing fails with ``ProviderError/Code/unrepresentable``
/// if there is a view, a trigger, a constraint other than the primary key, or a blob. Types,
/// defaults and indexes that are not unique are omitted. ``JSONProvider/Options/writesDatabases``
/// preserves everything.
public final class JSONProvider: DataProvider {
  public static let shared = JSONProvider()
  public let session: SourceSession

  public convenience init() { self.init(options: Options()) }

  /// - Parameters:
  ///   - options: The options for reading and writing files.
  ///   - directories: The directories that contain sources opened by name.
  ///   - place: The location of the tables while a file is open.
  public init(
    options: Options, directories: SourceSession.Directories = .standard,
    place: SourceSession.StagingPlace = .memory
  ) {
    let store = SourceSession.FileStore(
      format: JSONFormat(options), place: place, tableName: options.tableName)
    session = SourceSession(store: store, directories: directories)
  }
}

extension JSONProvider {
  /// The options of a ``JSONProvider``.
  ///
  /// ```swift
  /// var options = JSONProvider.Options()
  /// options.nesting = .tables
  /// options.columnTypes = ["people": ["zip": .text]]
  /// let provider = JSONProvider(options: options)
  /// ```
  public struct Options: Hashable, Sendable {
    /// The way in which a JSON file represents tables.
    public enum Layout: Hashable, Sendable {
      /// Holt's document layout, which represents everything that SQLite's tables contain.
      case database
      /// An array whose elements are the rows of one table.
      case array
      /// A sequence of values, usually one per line, which are the rows of one table.
      case lines
      /// An object: its members that are arrays of objects are tables, and the other members form
      /// the only row of another table.
      case object
    }

    /// The representation of objects and arrays in a row.
    public enum Nesting: Hashable, Sendable {
      /// The members of an object are columns, named by their path: `address.city`. Arrays are JSON
      /// columns.
      case columns
      /// Same as ``columns``, except that arrays of objects are tables such as `people_orders`. Its
      /// column `parent` contains the number of the object's parent row, and `position` the index
      /// in the array, counting from 0. The numbers of the rows of `people` are in its column
      /// `row`. Deleting a row deletes its child rows.
      case tables
      /// Objects and arrays are JSON columns.
      case json
    }

    /// The handling of a duplicate key in an object.
    public enum DuplicateKeys: Hashable, Sendable {
      case refused
      /// The first value is used. The others are lost when the file is written.
      case first
      /// The last value is used. The others are lost when the file is written.
      case last
    }

    /// The file's layout; `nil` to detect it from the text.
    public var layout: Layout?
    /// The name of the table of the root's rows; `nil` to derive it from the file's name.
    public var tableName: String?
    /// A Boolean value that indicates whether to write files in Holt's document layout, regardless
    /// of their current layout.
    ///
    /// Set it for changes that an ordinary file can't represent: indexes, views, blobs.
    public var writesDatabases: Bool
    public var nesting: Nesting
    public var duplicateKeys: DuplicateKeys
    /// The types of columns that are not inferred, by table name. Numbers and Booleans in strings
    /// are accepted for columns declared as such.
    public var columnTypes: [String: [String: TableCollector.ColumnType]]
    /// The primary key columns, by table name. The key of any other table is detected. If other
    /// rows refer to a table's rows, the row number is the primary key, and this column is
    /// `UNIQUE`.
    public var primaryKeys: [String: String]
    var limits = SourceSession.FormatLimits()

    public init(
      layout: Layout? = nil, writesDatabases: Bool = false, nesting: Nesting = .columns,
      duplicateKeys: DuplicateKeys = .refused,
      columnTypes: [String: [String: TableCollector.ColumnType]] = [:],
      primaryKeys: [String: String] = [:]
    ) {
      self.layout = layout
      self.writesDatabases = writesDatabases
      self.nesting = nesting
      self.duplicateKeys = duplicateKeys
      self.columnTypes = columnTypes
      self.primaryKeys = primaryKeys
    }
  }
}

/// Files in JSON.
struct JSONFormat: TableFormat {
  private let options: JSONProvider.Options

  init(_ options: JSONProvider.Options = JSONProvider.Options()) { self.options = options }

  var newLayout: JSONLayout { .database }

  // MARK: Reading

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> JSONLayout {
    var window = try ByteWindow(input)
    let isLines = options.layout == .lines || hasExtensionOfLines(input.path)
    let reading = JSONReadingOptions(limits: options.limits)
    var prologue = try JSONPrologue(&window, reading)
    if prologue.isEmpty, !isLines {
      throw ProviderError(.malformed, "expected a JSON value, found an empty file")
    }
    if let layout = options.layout ?? (isLines ? .lines : nil) { prologue.kind = layout }
    if prologue.kind == .database {
      var reader = JSONDatabaseReader(window, reading, into: tables.connection)
      return try reader.read()
    }
    tables.declaredTypes = options.columnTypes
    tables.declaredKeys = options.primaryKeys
    var reader = JSONTableReader(
      prologue.kind, named: name(input, prologue),
      mode: prologue.kind != .lines ? .single : isLines ? .lines : .concatenated, options,
      into: tables)
    return try read(&window, &reader)
  }

  private func read(
    _ window: inout ByteWindow, _ reader: inout JSONTableReader
  ) throws -> JSONLayout {
    var formatting = JSONProvider.Formatting(of: window.bytes.elementSpan)
    while true {
      reader.reader.isComplete = window.isAtEnd
      do {
        if try reader.consume(window.bytes.elementSpan) { break }
      } catch var error as ProviderError where error.position == nil {
        error.position = ProviderError.Position(
          reader.reader.position(of: reader.reader.range.lowerBound, in: window.bytes.elementSpan))
        throw error
      }
      let count = reader.readCount
      guard window.bytes.count - count <= options.limits.length else {
        throw ProviderError(
          .limitExceeded, "a value is longer than \(options.limits.length) bytes",
          position: ProviderError.Position(
            reader.reader.position(of: count, in: window.bytes.elementSpan)))
      }
      reader.reader.discard(count, in: window.bytes.elementSpan)
      try window.refill(dropping: count)
    }
    formatting.endsInLineBreak = window.bytes.last == 0x0A
    return try reader.finish(formatting)
  }

  private func hasExtensionOfLines(_ path: String?) -> Bool {
    let end = path.map { SQLName.folded($0) } ?? ""
    return end.hasSuffix(".jsonl") || end.hasSuffix(".ndjson")
  }

  /// Returns the name of the table of the root's rows, which must differ from the names of members
  /// that can be tables.
  private func name(_ input: SourceSession.ByteInput, _ prologue: JSONPrologue) -> String {
    let isTaken =
      prologue.kind == .object
      && prologue.keys.contains { SQLName.isSame($0, input.name) }
    return isTaken ? "\(input.name)_root" : input.name
  }

  // MARK: Writing

  func write(
    _ contents: Connection, as layout: JSONLayout, to output: SourceSession.ByteOutput
  ) throws -> JSONLayout {
    if layout.kind == .database || options.writesDatabases {
      var document = JSONDatabaseWriter(to: output)
      try document.write(contents)
      return .database
    }
    let isLines = options.layout == .lines || hasExtensionOfLines(output.path)
    var writer = try JSONTableWriter(contents, layout, mayBeEmpty: isLines, to: output)
    return try writer.write()
  }
}

/// The properties of a JSON file that are preserved when it is written: the representation of
/// tables, the order of members, and the formatting.
struct JSONLayout: Sendable {
  /// A table of an ordinary file.
  struct Table: Sendable {
    /// The table's name; `nil` if the file has no columns for it.
    let name: String?
    /// The node of its rows.
    let root: Int
    /// The array whose elements are the table's rows; -1 for the root's rows.
    let node: Int
    /// The table whose rows contain the array; -1 for the root's rows.
    let owner: Int
    /// The columns that identify a row's parent row and its index in the parent's array; `nil` if
    /// the owner has only one row.
    var link: (parent: String, position: String)?
    /// The key column; `nil` if the table has no key.
    var key: String?
    /// The rows of the file that was read, to whose numbers the members' sets refer.
    var rows = RowIDMap()
    /// The rows of the file that was last read or written.
    var fileRows = RowIDMap()
    /// The nodes of the columns, by column name.
    var nodes: [(name: String, node: Int)] = []
  }

  var kind: JSONProvider.Options.Layout
  var formatting: JSONProvider.Formatting
  var keys = JSONKeyTable()
  var members = JSONMembers()
  var tables: [Table] = []

  static let database = JSONLayout(kind: .database, formatting: .database)
}

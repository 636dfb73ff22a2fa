internal import Primitives
internal import SQLiteCore

/// Files in JSON as sources of tables.
///
/// ```swift
/// let provider = JSONProvider()
/// try provider.openSource("people.json")  // [{"name": "Ada", "address": {"city": "London"}}, …]
/// print(try provider.query(#"SELECT name, "address.city" FROM people"#))
/// ```
///
/// A file that a provider makes is in Holt's own layout, which holds all that a database does: constraints, indexes, views,
/// triggers, blobs, integers of 64 bits. Other files are taken as they come, and written as they came:
///
/// - An array of objects is a table named like the file; so are objects that stand in a line each.
/// - An object is one row of such a table; its members that are arrays of objects are tables of their own.
/// - The members of an object in a row are columns, `address.city`; arrays are columns of JSON. ``JSONProvider/Options`` has other
///   ways.
///
/// The types of columns are those of all their values: see ``TableCollector``. A number that 64 bits don't hold makes a
/// column of JSON, in which it keeps its digits.
///
/// An ordinary file holds values, and nothing about them: where there is a view, a trigger, a constraint beside the
/// primary key, or a blob, it is not written, but for an error ``ProviderError/Code/unrepresentable``. Types, defaults and
/// indexes that are not unique are left out. ``JSONProvider/Options/writesDatabases`` keeps all.
public final class JSONProvider: DataProvider {
  public static let shared = JSONProvider()
  public let session: SourceSession

  public convenience init() { self.init(options: Options()) }

  /// - Parameters:
  ///   - options: How files are taken.
  ///   - directories: Where files are that are named without a folder.
  ///   - place: Where their tables are held.
  public init(
    options: Options, directories: SourceSession.Directories = .standard,
    place: SourceSession.StagingPlace = .memory
  ) {
    let store = SourceSession.FileStore(format: JSONFormat(options), place: place)
    session = SourceSession(store: store, directories: directories)
  }
}

extension JSONProvider {
  /// How a ``JSONProvider`` takes files.
  ///
  /// ```swift
  /// var options = JSONProvider.Options()
  /// options.nesting = .tables
  /// options.columnTypes = ["people": ["zip": .text]]
  /// let provider = JSONProvider(options: options)
  /// ```
  public struct Options: Hashable, Sendable {
    /// How a file in JSON holds tables.
    public enum Layout: Hashable, Sendable {
      /// Holt's own, which holds all that tables of SQLite do.
      case database
      /// An array, whose elements are the rows of one table.
      case array
      /// Values one behind the other, mostly in a line each, which are the rows of one table.
      case lines
      /// An object: its members that are arrays of objects are tables, and the others the one row of another table.
      case object
    }

    /// What becomes of objects and arrays in a row.
    public enum Nesting: Hashable, Sendable {
      /// The members of an object are columns, named by their path: `address.city`. Arrays are columns of JSON.
      case columns
      /// As ``columns``; but arrays of objects are tables, `people_orders`, whose column `parent` is the number of the row
      /// that an object belongs to, and `position` its place in the array, from 0. The rows of `people` have their numbers in
      /// a column `row`, and what belongs to a row is deleted with it.
      case tables
      /// Objects and arrays are columns of JSON.
      case json
    }

    /// What becomes of a key that an object has twice.
    public enum DuplicateKeys: Hashable, Sendable {
      case refused
      /// The first one counts, and the others are lost when the file is written.
      case first
      /// The last one counts, and the others are lost when the file is written.
      case last
    }

    /// How a file is laid out; `nil` where that shows from its text.
    public var layout: Layout?
    /// Whether files are written in Holt's own layout, however they were laid out.
    ///
    /// It is for changes that an ordinary file can't hold: indexes, views, blobs.
    public var writesDatabases: Bool
    public var nesting: Nesting
    public var duplicateKeys: DuplicateKeys
    /// The types of columns that are not to be inferred, by the names of their tables.
    public var columnTypes: [String: [String: TableCollector.ColumnType]]
    /// The columns that are primary keys, by the names of their tables. That of a table without one is found out. Where other
    /// rows belong to those of a table, their number is its primary key, and this one is `UNIQUE`.
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
      throw ProviderError(.malformed, "the file is empty, and JSON has a value")
    }
    switch options.layout {
    case .database: prologue.kind = .database
    case .array: prologue.kind = .array
    case .lines: prologue.kind = .sequence
    case .object: prologue.kind = .single
    case nil: if isLines { prologue.kind = .sequence }
    }
    if prologue.kind == .database {
      var reader = JSONDatabaseReader(window, reading, into: tables.connection)
      return try reader.read()
    }
    tables.declaredTypes = options.columnTypes
    tables.declaredKeys = options.primaryKeys
    var reader = JSONTableReader(
      prologue.kind, named: name(input, prologue),
      mode: prologue.kind != .sequence ? .single : isLines ? .lines : .concatenated, options,
      into: tables)
    return try read(&window, &reader)
  }

  private func read(
    _ window: inout ByteWindow, _ reader: inout JSONTableReader
  ) throws -> JSONLayout {
    var spelling = JSONSpelling(of: window.bytes.elementSpan)
    while true {
      reader.reader.isComplete = window.isAtEnd
      do {
        if try reader.take(window.bytes.elementSpan) { break }
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
    spelling.endsInLineBreak = window.bytes.last == 0x0A
    return try reader.finish(spelling)
  }

  private func hasExtensionOfLines(_ path: String?) -> Bool {
    let end = path.map { SQLName.folded($0) } ?? ""
    return end.hasSuffix(".jsonl") || end.hasSuffix(".ndjson")
  }

  /// What the table of the text's own rows is called: another name than that of a member which may be a table.
  private func name(_ input: SourceSession.ByteInput, _ prologue: JSONPrologue) -> String {
    let isTaken =
      prologue.kind == .single
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
    try writer.write()
    return layout
  }
}

/// What is remembered of a file in JSON: how it holds tables, where each member of it stands, and how it is spaced.
struct JSONLayout: Sendable {
  enum Kind: Sendable {
    /// Holt's own.
    case database
    /// An array of rows.
    case array
    /// Rows one behind the other.
    case sequence
    /// One row, whose members may be tables.
    case single
  }

  /// A table of an ordinary file.
  struct Table: Sendable {
    /// As SQL knows it; `nil` where the file has nothing for its columns.
    let name: String?
    /// The node of its rows.
    let root: Int
    /// The array whose elements are its rows; -1 where they are those of the text.
    let node: Int
    /// The table whose rows have that array; -1 as well.
    let owner: Int
    /// The columns that say to which row of the owner a row belongs, and where in its array; `nil` where the owner has one
    /// row alone.
    var link: (parent: String, position: String)?
    /// The column that is the key of its rows; `nil` where there is none.
    var key: String?
    /// The rows of the file.
    var rows = RowNumbers()
    /// The nodes of the columns, by the names of these.
    var nodes: [(name: String, node: Int)] = []
  }

  var kind: Kind
  var spelling: JSONSpelling
  var keys = JSONKeyTable()
  var members = JSONMembers()
  var tables: [Table] = []

  static let database = JSONLayout(kind: .database, spelling: .database)
}

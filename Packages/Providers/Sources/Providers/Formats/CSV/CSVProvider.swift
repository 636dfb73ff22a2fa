internal import SQLiteCore

/// A provider of files in CSV, TSV, and what else is like them.
///
/// A file is one table, named like it. Its delimiter, its quotes and its header are found by its beginning, and the
/// types of its columns by all of its records; ``CSVProvider/Options`` can tell them instead. A field with nothing in it is
/// `NULL`, and `""` an empty text.
///
/// ```swift
/// let provider = CSVProvider()
/// try provider.openSource(.path("people.csv"))
/// print(try provider.query("SELECT town, count(*) FROM people GROUP BY town"))
/// try provider.closeSource()
/// ```
///
/// It is written as it was: in its encoding, with its delimiter, its line breaks and its quotes. Numbers have the digits
/// behind the point that they had, and dates and other texts their letters. A file can hold neither blobs nor a second table, a
/// view, a trigger, a computed column or a `user_version`: with one of them it is not written. Constraints and indexes hold
/// until it is closed.
public final class CSVProvider: DataProvider {
  public static let shared = CSVProvider()

  public let session: SourceSession

  public convenience init() { self.init(options: Options()) }

  /// - Parameters:
  ///   - options: What is known of the files.
  ///   - place: Where tables are held while a file is open.
  ///   - directories: Where sources are looked for by their names.
  public init(
    options: Options, place: SourceSession.StagingPlace = .memory,
    directories: SourceSession.Directories = .standard
  ) {
    session = SourceSession(
      store: SourceSession.FileStore(format: CSVFormat(options: options), place: place),
      directories: directories)
  }
}

extension CSVProvider {
  /// What is known of a file in CSV before it is read. The rest is found out.
  ///
  /// ```swift
  /// var options = CSVProvider.Options()
  /// options.columnTypes = ["zip": .text]
  /// let provider = CSVProvider(options: options)
  /// ```
  public struct Options: Hashable, Sendable {
    /// How records are written; `nil` where the file's beginning tells. A file `.tsv` or `.tab` has tabs between its fields.
    ///
    /// A file that is made anew has commas, or tabs by its name, and line feeds.
    public var dialect: Dialect?
    /// Whether the first record names the columns; `nil` where the file's beginning, or ``dialect``, tells.
    ///
    /// Without names, columns are `column1`, `column2` and so on. A file that is made anew has them.
    ///
    /// Names that don't look like some are written in quotes. A file whose beginning would yet tell the opposite is not written,
    /// but for an error ``ProviderError/Code/unrepresentable``.
    public var hasHeader: Bool?
    /// How characters are written as bytes; `nil` where a byte order mark tells, and else UTF-8.
    public var encoding: TextEncoding?
    /// The text that stands for `NULL` without quotes; `nil` where nothing does. Where it is given, nothing is an empty
    /// text. With one that needs quotes, `NULL` is not written, but for an error ``ProviderError/Code/unrepresentable``.
    public var nullText: String?
    /// Whether a record that is too short has `NULL` in what it lacks. Otherwise it is refused.
    public var padsShortRecords = false
    /// The types of columns that are not to be found out, by their names. Numbers of a column that is told to be one of
    /// numbers are written alike, however they were written.
    public var columnTypes: [String: TableCollector.ColumnType] = [:]
    /// The column that is the primary key; `nil` where it is found out.
    public var primaryKey: String?

    public init() {}
  }
}

/// Files in CSV and its kin, each as one table.
struct CSVFormat: TableFormat {
  let options: CSVProvider.Options

  var newLayout: CSVLayout {
    var dialect = options.dialect ?? CSVProvider.Dialect()
    if let hasHeader = options.hasHeader { dialect.hasHeader = hasHeader }
    return CSVLayout(
      encoding: options.encoding ?? .utf8,
      hasByteOrderMark: [.utf16BigEndian, .utf16LittleEndian].contains(options.encoding),
      dialect: dialect, isTold: options.dialect != nil, nullText: options.nullText,
      isNew: options.dialect == nil)
  }

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> CSVLayout {
    var reader = try CSVTableReader(input, options)
    return try reader.read(into: tables)
  }

  func write(
    _ contents: Connection, as layout: CSVLayout, to output: SourceSession.ByteOutput
  ) throws -> CSVLayout {
    var layout = layout
    if layout.isNew, Self.isNamedForTabs(output.path) { layout.dialect.delimiter = 0x09 }
    layout.isNew = false
    try CSVTableWriter(MirrorContents(contents), layout, options).write(from: contents, to: output)
    return layout
  }

  static func isNamedForTabs(_ path: String?) -> Bool {
    guard let path = path?.lowercased() else { return false }
    return path.hasSuffix(".tsv") || path.hasSuffix(".tab")
  }
}

/// What is remembered of a file in CSV, so that it is written as it was.
struct CSVLayout: Sendable {
  /// A column as the file has it.
  struct Column: Sendable {
    /// Its name as the header has it.
    var header: String
    /// Whether that stands in quotes.
    var quotesHeader = false
    /// Whether all of its texts stand in quotes, whether they need them or not.
    var quotesAll = false
    var form = TableCollector.ColumnForm()
  }

  var encoding = CSVProvider.TextEncoding.utf8
  var hasByteOrderMark = false
  var dialect: CSVProvider.Dialect
  /// Whether the dialect was told, and so will be, and not found by the file.
  var isTold = false
  var lineBreak = "\n"
  var endsWithLineBreak = true
  var nullText: String?
  /// By the names that the table has for them.
  var columns: [ExactText: Column] = [:]
  /// Whether the file was not read, and so has no dialect of its own yet.
  var isNew = false
}

internal import SQLiteCore

/// A provider of files in CSV, TSV and similar formats.
///
/// A file is one table with the file's name. The delimiter, the quotes and the header are detected
/// from the file's beginning, and the column types from all records; ``CSVProvider/Options`` can
/// specify them instead. An empty field is `NULL`, and `""` is an empty string.
///
/// ```swift
/// let provider = CSVProvider()
/// try provider.openSource(atPath: "people.csv")
/// print(try provider.query("SELECT town, count(*) FROM people GROUP BY town"))
/// try provider.closeSource()
/// ```
///
/// Writing preserves the file's encoding, delimiter, line breaks and quotes, and the spelling of
/// unchanged numbers, dates and other strings. A file can't hold blobs, a
/// second table, a view, a trigger, a generated column or a `user_version`: writing then fails.
/// Constraints and indexes last until the source is closed.
public final class CSVProvider: DataProvider {
  public static let shared = CSVProvider()

  public let session: SourceSession

  public convenience init() { self.init(options: Options()) }

  /// - Parameters:
  ///   - options: The known properties of the files.
  ///   - place: The location of the tables while a file is open.
  ///   - directories: The directories that contain sources opened by name.
  public init(
    options: Options, place: SourceSession.StagingPlace = .memory,
    directories: SourceSession.Directories = .standard
  ) {
    session = SourceSession(
      store: SourceSession.FileStore(
        format: CSVFormat(options: options), place: place, tableName: options.tableName),
      directories: directories)
  }
}

extension CSVProvider {
  /// The properties of a CSV file that are known before reading. Others are detected.
  ///
  /// ```swift
  /// var options = CSVProvider.Options()
  /// options.columnTypes = ["zip": .text]
  /// let provider = CSVProvider(options: options)
  /// ```
  public struct Options: Hashable, Sendable {
    /// The table's name; `nil` to derive it from the file's name.
    ///
    /// A file does not contain the name of its table. With this option, a table whose name differs
    /// from the file's keeps its name when the file is opened again.
    public var tableName: String?
    /// The dialect; `nil` to detect it from the file's beginning. The delimiter of `.tsv` and
    /// `.tab` files is a tab.
    ///
    /// A new file has commas, or tabs depending on its name, and line feeds.
    public var dialect: Dialect?
    /// The byte between fields; `nil` to detect it, or to use ``dialect``'s.
    public var delimiter: UInt8?
    /// The quotation mark; `nil` to detect it, or to use ``dialect``'s.
    public var quote: Quote?
    /// The byte that marks a line as a comment if it is the first byte; `nil` for no comments, or to
    /// use ``dialect``'s. Writing a file removes its comments.
    public var comment: UInt8?
    /// The number of lines before the header, or before the first record. A file with such lines
    /// can't be written.
    public var skippedLineCount = 0
    /// The maximum number of records to read after the header; `nil` for all. A file with more
    /// records can't be written.
    public var maximumRecordCount: Int?
    /// The handling of a record that is not valid.
    public var badRecords = BadRecords.refused
    /// A Boolean value that indicates whether the first record contains the column names; `nil` to
    /// detect it from the file's beginning, or to use ``dialect``'s value.
    ///
    /// Without a header, columns are named `column1`, `column2` and so on. New files have a header.
    ///
    /// Names that do not look like a header are quoted. If detection would still give another
    /// result, writing fails with ``ProviderError/Code/unrepresentable``.
    public var hasHeader: Bool?
    /// The text encoding; `nil` to use the byte order mark, or else UTF-8.
    public var encoding: TextEncoding?
    /// The unquoted text that represents `NULL`; `nil` for the empty field. If it is set, an empty
    /// field is an empty string. If it would need quotes, writing `NULL` fails with
    /// ``ProviderError/Code/unrepresentable``.
    public var nullText: String?
    /// A Boolean value that indicates whether missing fields of a short record are `NULL`.
    /// Otherwise such a record is refused.
    public var padsShortRecords = false
    /// The types of columns that are not detected, by column name.
    public var columnTypes: [String: TableCollector.ColumnType] = [:]
    /// The primary key column; `nil` to detect it.
    public var primaryKey: String?

    public init() {}

    /// The quotation mark of a file.
    public enum Quote: Hashable, Sendable {
      /// Quotes have no special meaning.
      case none
      case byte(UInt8)
    }

    /// The handling of a record after the first one that is not valid: it has too many or too few
    /// fields, text after a quoted field, an unclosed quote or bytes that are not UTF-8.
    public enum BadRecords: Hashable, Sendable {
      /// The file is not opened.
      case refused
      /// The line at which the record begins is a row of another table, named after the file's table
      /// with the suffix `_errors`. Its columns are `line`, `message` and `text`. If there is such a
      /// row, the file can't be written.
      case collected
    }
  }
}

/// CSV files. Each file is one table.
struct CSVFormat: TableFormat {
  let options: CSVProvider.Options

  var newLayout: CSVLayout {
    var dialect = options.dialect ?? CSVProvider.Dialect()
    if let hasHeader = options.hasHeader { dialect.hasHeader = hasHeader }
    return CSVLayout(
      encoding: options.encoding ?? .utf8,
      hasByteOrderMark: [.utf16BigEndian, .utf16LittleEndian].contains(options.encoding),
      dialect: dialect, isExplicit: options.dialect != nil, nullText: options.nullText,
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
    try CSVTableWriter(DatabaseContents(contents), layout, options).write(
      from: contents, to: output)
    return layout
  }

  static func isNamedForTabs(_ path: String?) -> Bool {
    guard let path = path?.lowercased() else { return false }
    return path.hasSuffix(".tsv") || path.hasSuffix(".tab")
  }
}

/// The properties of a CSV file that are preserved when it is written.
struct CSVLayout: Sendable {
  /// A column of the file.
  struct Column: Sendable {
    /// The name in the header.
    var header: String
    /// A Boolean value that indicates whether the name in the header is quoted.
    var quotesHeader = false
    /// A Boolean value that indicates whether all strings are quoted, even if unnecessary.
    var quotesAll = false
    var form = TableCollector.ColumnForm()
  }

  var encoding = CSVProvider.TextEncoding.utf8
  var hasByteOrderMark = false
  var dialect: CSVProvider.Dialect
  /// A Boolean value that indicates whether the dialect was specified, not detected.
  var isExplicit = false
  var lineBreak = "\n"
  var endsWithLineBreak = true
  var nullText: String?
  /// The columns by their names in the table.
  var columns: [ExactText: Column] = [:]
  /// A Boolean value that indicates whether the file is new, so that it has no dialect yet.
  var isNew = false
  /// A Boolean value that indicates whether lines or records of the file are not in the table, so
  /// that they would be lost.
  var isPartial = false
}

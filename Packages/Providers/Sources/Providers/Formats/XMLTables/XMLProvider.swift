/// A provider of files in XML.
///
/// ```swift
/// let provider = XMLProvider()
/// try provider.openSource("people.xml")  // <people><person id="1"><name>Ada</name>…</person>…</people>
/// print(try provider.query(#"SELECT "@id", name, "address/city" FROM person"#))
/// ```
///
/// A new file has Holt's document layout, which represents everything that a database contains:
/// constraints, indexes, views, triggers, blobs. Other files are read in their own layout, and
/// written in the same layout:
///
/// - Elements that repeat within another element are rows, and their name is the table's. If
///   several kinds of elements repeat, each is a table. If none does, the document is a single row,
///   or its only child element is. ``XMLProvider/Options/rows`` specifies other elements. `item`,
///   `entry`, `row` and `record` are rows even if there is only one.
/// - Attributes are columns such as `@id`. Elements are columns with their names, and nested
///   elements are columns with their paths: `address/city` and `link/@href`. A row's own text is
///   `#text`. Names have the prefix of their first occurrence.
/// - An element that repeats within a row is a row of a separate table such as `person_phone`. Its
///   column `#parent` contains the `#row` of the enclosing row, and `#position` its position among
///   the elements there. Deleting the enclosing row deletes it.
/// - If elements of several kinds alternate, each of their tables has a column `#position`.
/// - Mixed content, text next to elements or comments, is XML text in a column whose path ends in
///   `#xml`.
/// - A missing attribute or element is NULL; an empty one is an empty text. A row, or an element
///   with attributes, has no text if it is written as `<a/>`, and an empty text if it is written as
///   `<a></a>`.
/// - Everything outside rows is preserved: attributes, other elements, comments, instructions.
///
/// Column types are inferred from all values: see ``TableCollector``.
///
/// Files are in UTF-8, UTF-16, ISO-8859-1 or US-ASCII, and are written in UTF-8. Their indentation,
/// by any number of spaces or none, is preserved. Elements and attributes of a row are written in
/// the order of their first appearance. Comments and instructions between rows, or between the
/// elements of a row, are lost when a file is written. Entities are not followed, and no file that
/// a document names is opened: see ``ProviderError/Code/forbidden``.
///
/// An ordinary file contains values only. Writing fails with ``ProviderError/Code/unrepresentable``
/// if there is a new table, a view, a trigger, a constraint other than the primary key, or a blob.
/// Types, defaults and indexes that are not unique are omitted.
/// ``XMLProvider/Options/writesDatabases`` preserves everything.
public final class XMLProvider: DataProvider {
  public static let shared = XMLProvider()
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
    let store = SourceSession.FileStore(format: XMLFormat(options), place: place)
    session = SourceSession(store: store, directories: directories)
  }
}

extension XMLProvider {
  /// The options of an ``XMLProvider``.
  ///
  /// ```swift
  /// var options = XMLProvider.Options()
  /// options.rows = ["offer"]
  /// options.columnTypes = ["offer": ["@zip": .text]]
  /// let provider = XMLProvider(options: options)
  /// ```
  public struct Options: Hashable, Sendable {
    /// The way in which an XML file represents tables.
    public enum Layout: Hashable, Sendable {
      /// Holt's document layout, which represents everything that SQLite's tables contain.
      case database
      /// Any other document, whose repeating elements are rows.
      case document
    }

    /// The file's layout; `nil` to detect it from the text.
    public var layout: Layout?
    /// A Boolean value that indicates whether to write files in Holt's document layout, regardless
    /// of their current layout.
    ///
    /// Set it for changes that an ordinary file can't represent: new tables, views, blobs.
    public var writesDatabases: Bool
    /// The elements of an ordinary document that are rows, by name or by path from the root, such
    /// as `rss/channel/item`. If the set is empty, repeating elements are rows.
    public var rows: Set<String>
    /// The types of columns that are not inferred, by table name.
    public var columnTypes: [String: [String: TableCollector.ColumnType]]
    /// The primary key columns, by table name. The key of any other table is detected. If other
    /// rows refer to a table's rows, the row number is the primary key, and this column is
    /// `UNIQUE`.
    public var primaryKeys: [String: String]
    var limits = XMLEventReader.Limits()

    public init(
      layout: Layout? = nil, writesDatabases: Bool = false, rows: Set<String> = [],
      columnTypes: [String: [String: TableCollector.ColumnType]] = [:],
      primaryKeys: [String: String] = [:]
    ) {
      self.layout = layout
      self.writesDatabases = writesDatabases
      self.rows = rows
      self.columnTypes = columnTypes
      self.primaryKeys = primaryKeys
    }

    public static func == (a: Options, b: Options) -> Bool {
      a.layout == b.layout && a.writesDatabases == b.writesDatabases && a.rows == b.rows
        && a.columnTypes == b.columnTypes && a.primaryKeys == b.primaryKeys
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(layout)
      hasher.combine(writesDatabases)
      hasher.combine(rows)
    }
  }
}

/// The representation of tables in an ordinary document: the content outside rows, and the location
/// of each column.
struct XMLTablesLayout: Sendable {
  /// The number of spaces per level; `nil` if the document is not indented.
  var indentation: Int?
  /// The document type, verbatim.
  var documentType: [UInt8]?
  /// The content before and after the root element.
  var before: [Content] = []
  var after: [Content] = []
  /// The root element.
  var root: Content = .rows([0])
  var structure = XMLStructure()
  var tables: [Table] = []

  /// An element outside rows.
  struct Element: Sendable {
    var name: XMLStructure.Name
    var declarations: [XMLStructure.Declaration]
    var attributes: [(name: XMLStructure.Name, value: String)]
    var content: [Content] = []
    /// The number of child elements that were read.
    var elementCount = 0
  }

  indirect enum Content: Sendable {
    case element(Element)
    case text(String)
    case comment(String)
    case instruction(String, String)
    /// An element with its content, as markup.
    case markup([UInt8])
    /// The location of the rows of these nodes.
    case rows([Int])
  }

  struct Table: Sendable {
    let node: Int
    let parent: Int?
    let isOrdered: Bool
    /// The table's name in SQL.
    let name: String
    /// The key column; `nil` if the table has no key.
    var key: String?
    /// The columns of the row's nodes.
    var columns: [Column] = []
  }

  struct Column: Sendable {
    let node: Int
    let location: Location
    /// The column's name in SQL.
    let name: String
    /// The text format of the column's values.
    var form = TableCollector.ColumnForm()
  }

  enum Location: Hashable, Sendable {
    case text, markup
    case attribute(Int)
  }

  /// The column with the numbers of rows that contain child rows.
  static let numberColumn = "#row"
  static let parentColumn = "#parent"
  static let positionColumn = "#position"
}

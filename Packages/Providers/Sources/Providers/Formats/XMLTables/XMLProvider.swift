/// Files in XML as sources of tables.
///
/// ```swift
/// let provider = XMLProvider()
/// try provider.openSource("people.xml")  // <people><person id="1"><name>Ada</name>…</person>…</people>
/// print(try provider.query(#"SELECT "@id", name, "address/city" FROM person"#))
/// ```
///
/// A file that a provider makes is in Holt's own layout, which holds all that a database does: constraints, indexes,
/// views, triggers, blobs. Other files are taken as they come, and written as they came:
///
/// - The elements that repeat in another are rows, and their name is the table's. Where several kinds do, each is a
///   table. Where none does, the document is a single row, or the only element in it is. ``XMLProvider/Options/rows`` names
///   others. `item`, `entry`, `row` and `record` are taken for rows if there is only one, too.
/// - Attributes are columns, `@id`; so are elements, by their names, and elements in those, by their paths,
///   `address/city` and `link/@href`. A row's own text is `#text`. Names have the prefixes with which they come first.
/// - An element that repeats in a row is a row of a table of its own, `person_phone`, whose column `#parent` is the
///   `#row` of the row that it is in, and `#position` its place among the elements there. It is deleted with that row.
/// - Where elements of several kinds stand in turns, each of their tables has `#position`.
/// - What has texts and elements, or comments, side by side is a text of XML, in a column whose path ends in `#xml`.
/// - An attribute or element that is not there is NULL; one that is empty is an empty text. A row, or an element with
///   attributes, has no text where it is written `<a/>`, and an empty one where it is `<a></a>`.
/// - What is around rows stays as it is: attributes, other elements, comments, instructions.
///
/// The types of columns are those of all their values: see ``TableCollector``.
///
/// Files are UTF-8, UTF-16, ISO-8859-1 or US-ASCII, and are written in UTF-8. They are indented as they were, by any
/// number of spaces or not at all. Elements and attributes of a row come in the order in which they were first seen.
/// Comments and instructions between rows, or between the elements of a row, are lost when a file is written.
/// No entity is followed and nothing that a file names is opened: see ``ProviderError/Code/forbidden``.
///
/// An ordinary file holds values, and nothing about them: where there is a new table, a view, a trigger, a constraint
/// beside the primary key, or a blob, it is not written, but for an error ``ProviderError/Code/unrepresentable``. Types,
/// defaults and indexes that are not unique are left out. ``XMLProvider/Options/writesDatabases`` keeps all.
public final class XMLProvider: DataProvider {
  public static let shared = XMLProvider()
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
    let store = SourceSession.FileStore(format: XMLFormat(options), place: place)
    session = SourceSession(store: store, directories: directories)
  }
}

extension XMLProvider {
  /// How an ``XMLProvider`` takes files.
  ///
  /// ```swift
  /// var options = XMLProvider.Options()
  /// options.rows = ["offer"]
  /// options.columnTypes = ["offer": ["@zip": .text]]
  /// let provider = XMLProvider(options: options)
  /// ```
  public struct Options: Hashable, Sendable {
    /// How a file in XML holds tables.
    public enum Layout: Hashable, Sendable {
      /// Holt's own, which holds all that tables of SQLite do.
      case database
      /// A document of any kind, whose elements that repeat are rows.
      case document
    }

    /// How a file is laid out; `nil` where that shows from its text.
    public var layout: Layout?
    /// Whether files are written in Holt's own layout, however they were laid out.
    ///
    /// It is for changes that an ordinary file can't hold: new tables, views, blobs.
    public var writesDatabases: Bool
    /// The elements of an ordinary document that are rows, by their names or by their paths from the root,
    /// `rss/channel/item`; where there are none, they are found by their repeating.
    public var rows: Set<String>
    /// The types of columns that are not to be inferred, by the names of their tables. Numbers of a column that is told to be
    /// one of numbers are written alike, however they were written.
    public var columnTypes: [String: [String: TableCollector.ColumnType]]
    /// The columns that are primary keys, by the names of their tables. That of a table without one is found out. Where other
    /// rows belong to those of a table, their number is its primary key, and this one is `UNIQUE`.
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

/// How tables stand in a document that is not Holt's own: what is around the rows, and where each column is.
struct XMLTablesLayout: Sendable {
  /// How many spaces a level is indented by; `nil` where nothing is.
  var indentation: Int?
  /// The document type, as it is written.
  var documentType: [UInt8]?
  /// What stands before the root element, and behind it.
  var before: [Content] = []
  var after: [Content] = []
  /// The root element.
  var root: Content = .rows([0])
  var shape = XMLShape()
  var tables: [Table] = []

  /// An element around rows.
  struct Element: Sendable {
    var name: XMLShape.Name
    var declarations: [XMLShape.Declaration]
    var attributes: [(name: XMLShape.Name, value: String)]
    var content: [Content] = []
    /// How many elements were read in it.
    var elementCount = 0
  }

  indirect enum Content: Sendable {
    case element(Element)
    case text(String)
    case comment(String)
    case instruction(String, String)
    /// An element with all that is in it, as its text.
    case markup([UInt8])
    /// Where the rows of these nodes are.
    case rows([Int])
  }

  struct Table: Sendable {
    let node: Int
    let parent: Int?
    let isOrdered: Bool
    /// As SQL knows it.
    let name: String
    /// The column that is the key of its rows; `nil` where there is none.
    var key: String?
    /// The columns of the nodes of its rows.
    var columns: [Column] = []
  }

  struct Column: Sendable {
    let node: Int
    let place: Place
    /// As SQL knows it.
    let name: String
    /// How its values were written.
    var form = TableCollector.ColumnForm()
  }

  enum Place: Hashable, Sendable {
    case text, markup
    case attribute(Int)
  }

  /// The numbers of rows that others are in.
  static let numberColumn = "#row"
  static let parentColumn = "#parent"
  static let positionColumn = "#position"
}

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

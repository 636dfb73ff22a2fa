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

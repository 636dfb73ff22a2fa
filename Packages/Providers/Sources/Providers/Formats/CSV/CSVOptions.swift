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

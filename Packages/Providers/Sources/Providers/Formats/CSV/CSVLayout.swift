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

internal import Primitives
internal import SPON
internal import SQLiteCore

/// Writes a table as CSV text.
struct CSVTableWriter {
  private let table: StoredTable?
  private let layout: CSVLayout
  private let options: CSVProvider.Options

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if there is more than
  ///   one table, or anything else that CSV can't represent.
  init(_ contents: DatabaseContents, _ layout: CSVLayout, _ options: CSVProvider.Options) throws {
    table = contents.tables.first
    self.layout = layout
    self.options = options
    if layout.isPartial {
      throw ProviderError(
        .unrepresentable, "lines that were not read into the table would be lost",
        table: table?.name)
    }
    if let (name, value) = contents.nonzeroPragma {
      throw ProviderError(
        .unrepresentable, "a CSV file can't contain \(name), which is \(value)", table: table?.name)
    }
    if let column = table?.generatedColumn {
      throw ProviderError(
        .unrepresentable, "a CSV file can't contain generated columns", table: table?.name,
        column: column.name)
    }
    if contents.tables.count > 1 {
      throw ProviderError(
        .unrepresentable, "a CSV file can contain only one table", table: contents.tables[1].name)
    }
    for statement in contents.statements {
      let kind = DDLStatement(statement)
      guard kind == .view || kind == .trigger else { continue }
      throw ProviderError(
        .unrepresentable, "a CSV file can't contain views or triggers", table: table?.name)
    }
  }

  func write(from connection: Connection, to output: SourceSession.ByteOutput) throws {
    let encoding = layout.encoding
    if layout.hasByteOrderMark, let mark = encoding.byteOrderMark { try output.write(mark) }
    guard let table else { return }
    var columns = table.columns.map { column in
      CSVColumnWriter(
        column, table: table.name, layout,
        quotesDelimiters: table.columns.count == 1 && !layout.isExplicit)
    }
    if !layout.isExplicit {
      columns = try detectableColumns(columns, table, connection, output.path)
    }
    try write(table, columns, from: connection) { piece in
      try output.write(encoding == .utf8 ? piece : encoding.encoded(piece.elementSpan))
    }
  }

  private func write(
    _ table: StoredTable, _ columns: [CSVColumnWriter], from connection: Connection,
    _ output: @escaping ([UInt8]) throws -> Void
  ) throws {
    var writer = CSVProvider.Writer(layout.dialect, lineBreak: layout.lineBreak, write: output)
    if layout.dialect.hasHeader {
      for column in columns {
        try column.addingContext(row: nil) {
          try writer.field(column.header, isQuoted: column.layout.quotesHeader)
        }
      }
      try writer.endRecord()
    }
    var number = 0
    var endsWithNull = false
    let spellings = try Spellings(of: table.name, in: connection)
    let spelled = columns.map { spellings.number(of: $0.name) }
    let hasRowID = table.rowIDName != nil
    let rowIDColumn = ColumnIndex(rawValue: columns.count)
    try table.forEachRow(of: connection, withRowID: hasRowID) { row in
      number += 1
      for index in 0..<columns.count {
        var spelling: String?
        if hasRowID, let spelled = spelled[index] {
          spelling = try spellings.text(
            spelled, rowID: row.optionalInteger(at: rowIDColumn),
            of: row.value(at: ColumnIndex(rawValue: index)),
            isBoolean: columns[index].type == .boolean)
        }
        try columns[index].write(row, at: index, number, spelling, to: &writer)
      }
      if columns.count == 1 { endsWithNull = try row.isNull(at: 0) }
      try writer.endRecord()
    }
    // Without the last line break, an empty record would not be read.
    try writer.finish(endsWithLineBreak: layout.endsWithLineBreak || endsWithNull)
  }

  // MARK: Detection

  /// Returns the columns, adjusted so that the file's dialect is detected again. If necessary, the
  /// header, or every text that contains another file's delimiter, is quoted.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the dialect would
  ///   not be detected.
  private func detectableColumns(
    _ columns: [CSVColumnWriter], _ table: StoredTable, _ connection: Connection, _ path: String?
  ) throws -> [CSVColumnWriter] {
    guard let fault = try fault(columns, table, connection, path) else { return columns }
    if layout.dialect.quote != nil {
      for (header, delimiters) in [(true, false), (false, true), (true, true)] {
        var quoted = columns
        for index in quoted.indices {
          if header { quoted[index].layout.quotesHeader = true }
          if delimiters { quoted[index].quotesDelimiters = true }
        }
        if try self.fault(quoted, table, connection, path) == nil { return quoted }
      }
    }
    throw ProviderError(.unrepresentable, fault, table: table.name)
  }

  /// Returns a message about the property that would be detected incorrectly; `nil` if detection
  /// succeeds.
  private func fault(
    _ columns: [CSVColumnWriter], _ table: StoredTable, _ connection: Connection, _ path: String?
  ) throws -> String? {
    var sample: [UInt8] = []
    do {
      try write(table, columns, from: connection) { piece in
        sample += piece
        if sample.count > Self.sampleSize { throw SampleIsFull() }
      }
    } catch is SampleIsFull {}
    let found = CSVTableReader.dialect(of: sample.elementSpan, options, path)
    if columns.count > 1, found.delimiter != layout.dialect.delimiter {
      return "the delimiter would not be detected: specify it with CSVProvider.Options.dialect"
    }
    let written = Self.records(layout.dialect, columns.count, sample)
    guard let written, Self.records(found, columns.count, sample) == written else {
      return
        "the fields would not be detected: specify the dialect with CSVProvider.Options.dialect"
    }
    // An empty sample has no dialect.
    guard found.hasHeader != layout.dialect.hasHeader, !sample.isEmpty else { return nil }
    return layout.dialect.hasHeader
      ? "the column names would be read as a row: specify CSVProvider.Options.hasHeader"
      : "the first row would be read as the column names: specify CSVProvider.Options.hasHeader"
  }

  /// More bytes than dialect detection examines.
  private static let sampleSize = 1 << 17

  private struct SampleIsFull: Error {}

  /// Returns the fields of the complete records in `text`; `nil` if the text is not valid in the
  /// dialect.
  private static func records(
    _ dialect: CSVProvider.Dialect, _ columnCount: Int, _ text: [UInt8]
  ) -> [[[UInt8]?]]? {
    var dialect = dialect
    dialect.raggedRecords = .kept
    if columnCount == 1 { dialect.emptyLines = .records }
    var reader = CSVReader(dialect)
    reader.isComplete = text.count <= sampleSize
    var records: [[[UInt8]?]] = []
    do throws(ProviderError) {
      while try reader.next(in: text.elementSpan) == .record {
        records.append(
          reader.fields.indices.map { index in
            reader.fields[index].isNull
              ? nil : reader.withText(of: index, in: text.elementSpan) { $0.array(0..<$0.count) }
          })
      }
    } catch {
      return nil
    }
    return records
  }
}

/// A column, and the notation of its values.
struct CSVColumnWriter {
  let name: String
  let table: String
  var layout: CSVLayout.Column
  let type: ValueType
  let encoding: CSVProvider.TextEncoding
  let nullText: [UInt8]?
  /// A Boolean value that indicates whether to quote every text that contains a delimiter, so that
  /// it is not detected as the file's: necessary if there is no other column.
  var quotesDelimiters: Bool
  /// A Boolean value that indicates whether blobs are written as Base64 text. They are refused
  /// otherwise, because they would be read as text.
  var writesBlobs = false
  /// A Boolean value that indicates whether to quote every text that contains a space.
  var quotesSpaces = false

  init(_ column: TableSchema.Column, table: String, _ layout: CSVLayout, quotesDelimiters: Bool) {
    self.init(column.name, type: column.declaredType, table: table, layout)
    self.quotesDelimiters = quotesDelimiters
  }

  /// - Parameter type: The declared type.
  init(_ name: String, type: String, table: String, _ layout: CSVLayout) {
    self.name = name
    self.table = table
    self.layout = layout.columns[ExactText(name)] ?? CSVLayout.Column(header: name)
    self.type = ValueType(declared: type)
    encoding = layout.encoding
    nullText = layout.nullText.map { Array($0.utf8) }
    quotesDelimiters = false
  }

  var header: String { layout.header }

  func write(
    _ row: borrowing Row, at index: Int, _ number: Int, _ spelling: String?,
    to writer: inout CSVProvider.Writer
  ) throws {
    do {
      if let spelling { return try writer.plain(spelling, self) }
      try writer.write(row, at: ColumnIndex(rawValue: index), as: type, self)
    } catch {
      throw addingContext(error, row: number)
    }
  }

  /// Returns whether an unquoted string would be read as `NULL`.
  fileprivate func isNullText(_ text: Span<UInt8>) -> Bool {
    guard let nullText, nullText.count == text.count else { return false }
    for index in 0..<nullText.count where nullText[index] != text[index] { return false }
    return true
  }

  fileprivate func mustQuote(_ text: Span<UInt8>) -> Bool {
    if layout.quotesAll || isNullText(text) { return true }
    guard quotesDelimiters || quotesSpaces else { return false }
    for index in 0..<text.count {
      if quotesSpaces, text[index] == 0x20 { return true }
      if quotesDelimiters, CSVProvider.Dialect.delimiters.contains(text[index]) { return true }
    }
    return false
  }

  func addingContext(row: Int?, _ body: () throws -> Void) throws {
    do { try body() } catch { throw addingContext(error, row: row) }
  }

  /// Adds the table, the column and the row to an error.
  func addingContext(_ error: any Error, row: Int?) -> any Error {
    let suffix = row.map { " (row \($0))" } ?? ""
    if var error = error as? ProviderError, error.code == .unrepresentable {
      if !error.message.contains("row") {
        error = ProviderError(error.code, error.message + suffix)
      }
      error.table = table
      error.column = name
      return error
    }
    guard let failure = error as? SQLiteError, failure.code == .invalidText else { return error }
    return ProviderError(
      .unrepresentable, "the text is not UTF-8\(suffix)", table: table, column: name)
  }
}

// Values of rows. Types that CSV does not have are written as text.
extension CSVProvider.Writer: ValueSink {
  typealias Notation = CSVColumnWriter

  mutating func null(_ column: CSVColumnWriter) throws {
    guard let nullText = column.nullText else { return try field(nil as String?) }
    guard !column.encoding.isSingleByte || column.encoding.canEncode(nullText.elementSpan),
      isReadUnquoted(nullText.elementSpan)
    else {
      throw ProviderError(.unrepresentable, "the text for NULL would not be read as NULL")
    }
    try field(unquoted: nullText.elementSpan)
  }

  mutating func integer(_ value: Int64, _ column: CSVColumnWriter) throws {
    if column.layout.quotesAll || column.nullText != nil {
      try plain(value.description, column)
    } else {
      try field(value)
    }
  }

  mutating func real(_ value: Double, _ column: CSVColumnWriter) throws {
    guard value.isFinite || column.writesBlobs else {
      throw ProviderError(.unrepresentable, "the number is not finite")
    }
    try plain(
      value.isFinite ? column.layout.form.text(of: value) : value.description, column)
  }

  mutating func boolean(_ value: Bool, _ column: CSVColumnWriter) throws {
    try plain(column.layout.form.text(of: value), column)
  }

  /// Writes a number or a Boolean.
  fileprivate mutating func plain(_ text: String, _ column: CSVColumnWriter) throws {
    let isNull = column.nullText.map { $0.elementsEqual(text.utf8) } ?? false
    try field(text, isQuoted: column.layout.quotesAll || isNull)
  }

  mutating func text(_ value: Span<UInt8>, _ column: CSVColumnWriter) throws {
    if column.encoding.isSingleByte, !column.encoding.canEncode(value) {
      throw ProviderError(
        .unrepresentable,
        "the text has characters that \(column.encoding.rawValue) can't represent")
    }
    try field(
      utf8: value, isQuoted: column.mustQuote(value), writesEmptyUnquoted: column.nullText != nil)
  }

  mutating func blob(_ value: Span<UInt8>, _ column: CSVColumnWriter) throws {
    guard column.writesBlobs else {
      throw ProviderError(.unrepresentable, "CSV can't represent a blob")
    }
    try text(Base64.encoded(value).elementSpan, column)
  }

  mutating func json(_ text: Span<UInt8>, _ column: CSVColumnWriter) throws {
    try self.text(text, column)
  }

  mutating func tagged(_ value: SPONValue, _ column: CSVColumnWriter) throws {
    switch value {
    case .null: try null(column)
    case .bytes(let value): try blob(value.elementSpan, column)
    default: try value.plainText().withUTF8Span { try text($0, column) }
    }
  }
}

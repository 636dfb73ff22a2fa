internal import SQLiteCore

/// Writes a table as a text in CSV.
struct CSVTableWriter {
  private let table: StoredTable?
  private let layout: CSVLayout

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` where there is more than one table.
  init(_ contents: MirrorContents, _ layout: CSVLayout) throws {
    table = contents.tables.first
    self.layout = layout
    if contents.tables.count > 1 {
      throw ProviderError(
        .unrepresentable, "a file in CSV holds one table", table: contents.tables[1].name)
    }
    for statement in contents.statements {
      let kind = MirrorSchema.kind(of: statement)
      guard kind == .view || kind == .trigger else { continue }
      throw ProviderError(
        .unrepresentable, "a file in CSV holds neither views nor triggers", table: table?.name)
    }
  }

  func write(from connection: Connection, to output: ByteOutput) throws {
    let encoding = layout.encoding
    if layout.hasByteOrderMark, let mark = encoding.mark { try output.write(mark) }
    guard let table else { return }
    var writer = CSVWriter(layout.dialect, lineBreak: layout.lineBreak) { piece in
      try output.write(encoding == .utf8 ? piece : encoding.encoded(piece.span))
    }
    let columns = table.columns.map { column in
      CSVWrittenColumn(
        column, table: table.name, layout, isAlone: table.columns.count == 1 && !layout.isTold)
    }
    if layout.dialect.hasHeader {
      for column in columns {
        try column.locating(row: nil) {
          try writer.field(column.header, isQuoted: column.layout.quotesHeader)
        }
      }
      try writer.endRecord()
    }
    var number = 0
    var endsInNothing = false
    try table.forEachRow(of: connection) { row in
      number += 1
      for index in 0..<columns.count {
        try columns[index].write(row, at: index, number, to: &writer)
      }
      if columns.count == 1 { endsInNothing = try row.isNull(at: 0) }
      try writer.endRecord()
    }
    // Without the line's end there would be no record.
    try writer.finish(endsWithLineBreak: layout.endsWithLineBreak || endsInNothing)
  }
}

/// A column, and how its values are written.
private struct CSVWrittenColumn {
  let name: String
  let table: String
  let layout: CSVLayout.Column
  let isBoolean: Bool
  let encoding: TextEncoding
  let nullText: [UInt8]?
  /// Whether there is no other column by which the file's delimiter is found: then every delimiter is quoted, so that none
  /// is taken for it.
  let isAlone: Bool

  init(_ column: ColumnSchema, table: String, _ layout: CSVLayout, isAlone: Bool) {
    self.isAlone = isAlone
    name = column.name
    self.table = table
    self.layout = layout.columns[ExactText(column.name)] ?? CSVLayout.Column(header: column.name)
    isBoolean = column.declaredType.uppercased().contains("BOOL")
    encoding = layout.encoding
    nullText = layout.nullText.map { Array($0.utf8) }
  }

  var header: String { layout.header }

  func write(
    _ row: borrowing Row, at index: Int, _ number: Int, to writer: inout CSVWriter
  ) throws {
    let place = ColumnIndex(rawValue: index)
    let quotes = layout.quotesAll
    do {
      switch try row.storageClass(at: place) {
      case .null:
        if let nullText {
          try writer.field(bare: nullText.span)
        } else {
          try writer.field(nil as String?)
        }
      case .integer:
        let value = try row.integer(at: place)
        if isBoolean, value == 0 || value == 1 {
          try writer.field(layout.form.text(of: value == 1), isQuoted: quotes)
        } else if quotes {
          try writer.field(value.description, isQuoted: true)
        } else {
          try writer.field(value)
        }
      case .real:
        let value = try row.real(at: place)
        guard value.isFinite else {
          throw ProviderError(.unrepresentable, "the number of row \(number) is not finite")
        }
        try writer.field(layout.form.text(of: value), isQuoted: quotes)
      case .text:
        try row.withText(at: place) { text in
          if encoding.isLimited, !encoding.holds(text) {
            throw ProviderError(
              .unrepresentable,
              "the text of row \(number) has characters that are not of \(encoding.rawValue)")
          }
          try writer.field(
            utf8: text,
            isQuoted: quotes || isNullText(text) || isAlone && Self.hasDelimiter(text),
            isEmptyBare: nullText != nil)
        }
      case .blob:
        throw ProviderError(
          .unrepresentable, "row \(number) has a blob, which CSV has no form for")
      }
    } catch {
      throw located(error, row: number)
    }
  }

  /// Whether a text without quotes would be read as `NULL`.
  private func isNullText(_ text: Span<UInt8>) -> Bool {
    guard let nullText, nullText.count == text.count else { return false }
    for index in 0..<nullText.count where nullText[index] != text[index] { return false }
    return true
  }

  private static func hasDelimiter(_ text: Span<UInt8>) -> Bool {
    for index in 0..<text.count where CSVDialect.delimiters.contains(text[index]) { return true }
    return false
  }

  func locating(row: Int?, _ body: () throws -> Void) throws {
    do { try body() } catch { throw located(error, row: row) }
  }

  /// The error with what it is about.
  private func located(_ error: any Error, row: Int?) -> any Error {
    let place = row.map { " (row \($0))" } ?? ""
    if var error = error as? ProviderError, error.code == .unrepresentable {
      if !error.message.contains("row") {
        error = ProviderError(error.code, error.message + place)
      }
      error.table = table
      error.column = name
      return error
    }
    guard let failure = error as? SQLiteError, failure.code == .invalidText else { return error }
    return ProviderError(
      .unrepresentable, "the text is not UTF-8\(place)", table: table, column: name)
  }
}

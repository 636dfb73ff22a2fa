internal import Primitives

/// Reads CSV text as a table.
struct CSVTableReader {
  private let input: SourceSession.ByteInput
  private let options: CSVProvider.Options
  private var window: ByteWindow
  private var layout: CSVLayout
  private var reader: CSVReader
  /// The position in the text after the skipped lines.
  private var origin = TextOrigin(carriageReturnsBreak: true)
  /// The records that are not valid; `nil` if they are refused.
  private var badRecords: CSVBadRecords?
  /// The error of the record at the reader's position.
  private var fault: ProviderError?
  /// For each column, whether a field is quoted, and whether a field is not.
  private var hasQuoted: [Bool] = []
  private var hasUnquoted: [Bool] = []
  private var lastByte: UInt8?
  private let nullText: [UInt8]?

  init(_ input: SourceSession.ByteInput, _ options: CSVProvider.Options) throws {
    self.input = input
    self.options = options
    nullText = options.nullText.map { Array($0.utf8) }
    var window = try ByteWindow(input)
    var layout = CSVLayout(
      dialect: CSVProvider.Dialect(), isExplicit: options.dialect != nil, nullText: options.nullText
    )
    layout.encoding = try options.encoding ?? .detected(in: window.bytes.elementSpan)
    if layout.encoding == .utf8 {
      layout.hasByteOrderMark = window.bytes.starts(with: [0xEF, 0xBB, 0xBF])
      // A sample that is large enough for long records.
      while window.bytes.count < 1 << 20, !window.isAtEnd { try window.refill(dropping: 0) }
    } else {
      var bytes = window.bytes
      while !window.isAtEnd {
        try window.refill(dropping: window.bytes.count)
        bytes.append(contentsOf: window.bytes)
      }
      layout.hasByteOrderMark =
        layout.encoding.byteOrderMark.map { bytes.starts(with: $0) } ?? false
      let text = try layout.encoding.transcoded(bytes.elementSpan)
      window = try ByteWindow(SourceSession.ByteInput([text], name: input.name, path: input.path))
    }
    if options.skippedLineCount > 0 {
      layout.isPartial = !window.bytes.isEmpty
      origin = try window.skipLines(options.skippedLineCount)
    }
    layout.dialect = Self.dialect(of: window.bytes.elementSpan, options, input.path)
    reader = CSVReader(layout.dialect, at: origin)
    self.window = window
    self.layout = layout
  }

  /// Returns the dialect of a file that begins with `bytes`.
  static func dialect(
    of bytes: Span<UInt8>, _ options: CSVProvider.Options, _ path: String?
  ) -> CSVProvider.Dialect {
    let delimiter = options.delimiter ?? (CSVFormat.isNamedForTabs(path) ? 0x09 : nil)
    var dialect =
      if let dialect = options.dialect {
        dialect
      } else if options.comment != nil || options.quote != nil || options.badRecords == .collected {
        CSVProvider.Dialect.detected(
          in: bytes.detectionSample(options).elementSpan, delimiter: delimiter)
      } else {
        CSVProvider.Dialect.detected(in: bytes, delimiter: delimiter)
      }
    if let delimiter = options.delimiter { dialect.delimiter = delimiter }
    if let comment = options.comment { dialect.comment = comment }
    switch options.quote {
    case nil: break
    case CSVProvider.Options.Quote.none?: dialect.quote = nil
    case .byte(let quote)?: dialect.quote = quote
    }
    if let hasHeader = options.hasHeader { dialect.hasHeader = hasHeader }
    // A record can't have more fields than there are columns.
    if options.padsShortRecords || dialect.raggedRecords == .kept {
      dialect.raggedRecords = .padded
    }
    return dialect
  }

  // MARK: Records

  mutating func read(into tables: TableCollector) throws -> CSVLayout {
    do {
      return try readRecords(into: tables)
    } catch {
      throw withoutByteOffset(error)
    }
  }

  /// Removes byte offsets, which count bytes of the UTF-8 text, from the error if the file has
  /// another encoding.
  private func withoutByteOffset(_ error: any Error) -> any Error {
    guard layout.encoding != .utf8, var error = error as? ProviderError,
      let line = error.position?.line
    else { return error }
    error.position = ProviderError.Position(line: line)
    return error
  }

  private mutating func readRecords(into tables: TableCollector) throws -> CSVLayout {
    tables.declaredTypes = [input.name: options.columnTypes]
    if let key = options.primaryKey { tables.declaredKeys = [input.name: key] }
    guard let names = try readHeader() else { return layout }
    recordLineBreak()
    let table = tables.table(input.name)
    let columns = names.map { table.column($0) }
    hasQuoted = Array(repeating: false, count: columns.count)
    hasUnquoted = hasQuoted
    if options.badRecords == .collected { badRecords = CSVBadRecords(tables, input.name) }
    var count = 0
    if !layout.dialect.hasHeader {
      count = 1
      try readRecord(into: table, columns)
    }
    while try nextRecord() {
      if count == options.maximumRecordCount {
        layout.isPartial = true
        break
      }
      count += 1
      try readRecord(into: table, columns)
    }
    if let badRecords, badRecords.count > 0 { layout.isPartial = true }
    finish(table, names, columns)
    return layout
  }

  /// Reads the first record, and returns the column names; `nil` if there is no record.
  private mutating func readHeader() throws -> [String]? {
    guard try nextRecord() else {
      // An empty file has no detectable properties: it is written as a new file.
      layout.dialect.hasHeader = options.hasHeader ?? options.dialect?.hasHeader ?? true
      return nil
    }
    if reader.fields.count == 1, layout.dialect.emptyLines == .skipped {
      // An empty line is a record whose only field is NULL.
      layout.dialect.emptyLines = .records
      reader = CSVReader(layout.dialect, at: origin)
      guard try nextRecord() else { return nil }
    }
    return try header()
  }

  /// Returns the columns and the place of the rows; `nil` if there is no record, or if the text is
  /// not the file's bytes.
  mutating func readStructure() throws -> CSVStructure? {
    guard layout.encoding == .utf8, let columns = try readHeader() else { return nil }
    let start = layout.dialect.hasHeader ? reader.position : reader.start
    guard
      let rows = reader.sourcePosition(of: start, in: window.bytes.elementSpan).byteOffset
    else { return nil }
    return CSVStructure(
      dialect: layout.dialect, columns: columns, fieldCount: reader.fields.count, rows: rows)
  }

  /// Reads the next record; `false` at the end.
  private mutating func nextRecord() throws -> Bool {
    while true {
      reader.isComplete = window.isAtEnd
      let read: Int
      do {
        let bytes = window.bytes
        let outcome = try next(in: bytes)
        if outcome == .record { return true }
        lastByte = bytes.last ?? lastByte
        if outcome == .end { return false }
        read = reader.position
        reader.discard(read, in: bytes.elementSpan)
      }
      // No other reference to the bytes exists here, so they are not copied.
      try window.refill(dropping: read)
    }
  }

  /// Reads the next record, and collects invalid records before it if they are not refused.
  private mutating func next(in bytes: [UInt8]) throws -> CSVReader.Outcome {
    while true {
      if fault == nil {
        do throws(ProviderError) {
          return try reader.next(in: bytes.elementSpan)
        } catch {
          guard badRecords != nil else { throw error }
          fault = error
        }
      }
      let position = reader.sourcePosition(of: reader.position, in: bytes.elementSpan)
      guard let line = reader.skipLine(bytes.elementSpan) else { return .incomplete }
      try badRecords?.add(
        line: position.line, message: fault?.message ?? "",
        text: String(decoding: bytes[line], as: UTF8.self))
      fault = nil
    }
  }

  /// Returns the column names, from the current record if it is a header.
  private mutating func header() throws -> [String] {
    let bytes = window.bytes
    let count = reader.fields.count
    let texts = (0..<count).map { index in
      layout.dialect.hasHeader ? reader.text(of: index, in: bytes.elementSpan) : ""
    }
    let names = TableCollector.ColumnNames.unique(texts)
    for (index, name) in names.enumerated() {
      layout.columns[ExactText(name)] = CSVLayout.Column(
        header: layout.dialect.hasHeader ? texts[index] : name,
        quotesHeader: reader.fields[index].isQuoted)
    }
    return names
  }

  private mutating func readRecord(into table: TableCollector.Builder, _ columns: [Int]) throws {
    let buffer = window.bytes
    let bytes = buffer.elementSpan
    for index in 0..<columns.count {
      let field = reader.fields[index]
      if field.isQuoted {
        hasQuoted[index] = true
      } else {
        if isNull(field, index, bytes) { continue }
        hasUnquoted[index] = true
      }
      if field.isDecoded {
        table.set(columns[index], field: reader.decoded.elementSpan.extracting(field.range))
      } else {
        table.set(columns[index], field: bytes.extracting(field.range))
      }
    }
    do {
      try table.endRow()
    } catch var error as ProviderError {
      if error.position == nil {
        let column = error.column.flatMap { table.columnNames.firstIndex(of: $0) }
        let field = column.flatMap { columns.firstIndex(of: $0) }.map { reader.fields[$0] }
        let start = field.flatMap { $0.isDecoded ? nil : $0.range.lowerBound } ?? reader.start
        error.position = reader.sourcePosition(of: start, in: bytes)
      }
      throw error
    }
  }

  /// Returns whether an unquoted field is `NULL`.
  @inline(__always)
  private func isNull(_ field: CSVReader.Field, _ index: Int, _ bytes: Span<UInt8>) -> Bool {
    guard let nullText else { return field.range.isEmpty }
    if field.isMissing { return true }
    guard field.range.count == nullText.count else { return false }
    return reader.withText(of: index, in: bytes) { text in
      for index in 0..<nullText.count where text[index] != nullText[index] { return false }
      return true
    }
  }

  // MARK: Recorded properties

  /// Records the line break after the current record.
  private mutating func recordLineBreak() {
    let bytes = window.bytes
    let end = reader.position
    guard end > 0 else { return }
    let last = bytes[end - 1]
    let isPair = last == 0x0A && end > 1 && bytes[end - 2] == 0x0D
    if isPair { layout.lineBreak = "\r\n" } else if last == 0x0D { layout.lineBreak = "\r" }
  }

  private mutating func finish(_ table: TableCollector.Builder, _ names: [String], _ columns: [Int])
  {
    layout.endsWithLineBreak = lastByte == 0x0A || lastByte == 0x0D
    for (index, name) in names.enumerated() {
      layout.columns[ExactText(name)]?.quotesAll = hasQuoted[index] && !hasUnquoted[index]
      layout.columns[ExactText(name)]?.form = table.form(of: columns[index])
    }
  }
}

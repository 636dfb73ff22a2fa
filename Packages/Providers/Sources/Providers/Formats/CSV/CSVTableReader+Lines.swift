internal import Primitives

/// Collects the invalid records of a CSV file in a separate table.
struct CSVBadRecords {
  private let table: TableCollector.Builder
  private let columns: (line: Int, message: Int, text: Int)
  private(set) var count = 0

  init(_ tables: TableCollector, _ name: String) {
    table = tables.table("\(name)_errors")
    columns = (table.column("line"), table.column("message"), table.column("text"))
  }

  mutating func add(line: Int, message: String, text: String) throws {
    count += 1
    table.set(columns.line, integer: Int64(line))
    message.withUTF8Span { table.set(columns.message, text: $0) }
    text.withUTF8Span { table.set(columns.text, text: $0) }
    try table.endRow()
  }
}

extension CSVReader {
  /// Creates a reader of text after skipped lines.
  init(_ dialect: CSVProvider.Dialect, at origin: TextOrigin) {
    self.init(dialect)
    self.origin = origin
    // A byte order mark is a part of the first line.
    isAtBeginning = origin == TextOrigin(carriageReturnsBreak: true)
  }
}

extension ByteWindow {
  /// Drops the first lines.
  ///
  /// - Returns: The position after them.
  mutating func skipLines(_ count: Int) throws -> TextOrigin {
    var reader = CSVReader()
    var remaining = count
    while remaining > 0 {
      reader.isComplete = isAtEnd
      if reader.position < bytes.count, reader.skipLine(bytes.elementSpan) != nil {
        remaining -= 1
      } else if isAtEnd {
        break
      } else {
        try refill(dropping: 0)
      }
    }
    let end = reader.position
    reader.discard(end, in: bytes.elementSpan)
    try refill(dropping: end)
    return reader.origin
  }
}

extension Span<UInt8> {
  /// Returns text in which a dialect is detected: the bytes without comments, with `"` as the
  /// quotation mark, and without lines that can contain an invalid quoted field.
  func detectionSample(_ options: CSVProvider.Options) -> [UInt8] {
    var sample: [UInt8] = []
    sample.reserveCapacity(count)
    var start = 0
    var lineCount = 0
    while start < count {
      var end = start
      var hasQuote = false
      let isComment = self[start] == options.comment
      while end < count, self[end] != 0x0A, self[end] != 0x0D {
        let byte = Self.mapped(self[end], options.quote)
        hasQuote = hasQuote || byte == Self.quote
        if !isComment { sample.append(byte) }
        end += 1
      }
      // The header is valid.
      if hasQuote, options.badRecords == .collected, lineCount > 0 {
        sample.removeLast(isComment ? 0 : end - start)
      } else if !isComment, end < count {
        sample.append(self[end])
      }
      if !isComment { lineCount += 1 }
      start = end + 1
    }
    return sample
  }

  private static var quote: UInt8 { UInt8(ascii: "\"") }

  /// Exchanges the quotation mark and `"`, or replaces `"` by a letter if there are no quotes.
  private static func mapped(_ byte: UInt8, _ quote: CSVProvider.Options.Quote?) -> UInt8 {
    switch quote {
    case nil: byte
    case CSVProvider.Options.Quote.none?: byte == Self.quote ? UInt8(ascii: "q") : byte
    case .byte(let quote)?: byte == quote ? Self.quote : byte == Self.quote ? quote : byte
    }
  }
}

extension CSVProvider {
  /// Writes delimited text record by record, in the form that ``CSVReader`` reads.
  ///
  /// A field is quoted if necessary: if it contains a delimiter, a quote or a line break, begins or
  /// ends with a space, begins with the comment character, or is an empty string, which unquoted
  /// means `NULL`.
  ///
  /// ```swift
  /// var writer = CSVProvider.Writer { try file.write($0) }
  /// try writer.field("id")
  /// try writer.field("name")
  /// try writer.endRecord()
  /// try writer.finish()
  /// ```
  ///
  /// A record whose only field is `NULL` is written as an empty line: read it with
  /// ``CSVProvider/Dialect/EmptyLines/records``.
  @_spi(Formats) public struct Writer {
    public let dialect: Dialect
    private let lineBreak: [UInt8]
    private var sink: BufferedByteSink
    private var isAtBeginning = true
    /// A Boolean value that indicates whether the line break of the last record has not been
    /// written yet.
    private var hasPendingLineBreak = false

    /// - Parameters:
    ///   - lineBreak: The line break after each record. RFC 4180 specifies `"\r\n"`.
    ///   - pieceSize: The approximate size of the pieces that `write` receives.
    ///   - write: Receives a piece of the text.
    public init(
      _ dialect: Dialect = Dialect(), lineBreak: String = "\n", pieceSize: Int = 1 << 16,
      write: @escaping ([UInt8]) throws -> Void
    ) {
      self.dialect = dialect
      self.lineBreak = [UInt8](lineBreak.utf8)
      sink = BufferedByteSink(size: pieceSize, write)
    }

    /// Writes a field; `nil` means `NULL`.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the field needs
    ///   quotes that the dialect lacks, or contains a zero byte.
    public mutating func field(_ text: String?, isQuoted: Bool = false) throws {
      guard let text else { return separate() }
      try text.withUTF8Span { (bytes) throws in try self.field(utf8: bytes, isQuoted: isQuoted) }
    }

    public mutating func field(_ value: Int64) throws { try field(value.description) }

    /// Writes the shortest text that is parsed as the same number.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the number is not
    ///   finite.
    public mutating func field(_ value: Double) throws {
      guard value.isFinite else {
        throw ProviderError(.unrepresentable, "CSV has no number \(value)")
      }
      try field(value.description)
    }

    /// Returns whether an unquoted string is read back unchanged at any position.
    func isReadUnquoted(_ text: Span<UInt8>) -> Bool {
      guard text.count > 0 else { return true }
      if dialect.skipsInitialSpaces, text[0] == 0x20 { return false }
      if text[0] == dialect.comment || text[0] == 0xEF { return false }
      for index in text.indices {
        let byte = text[index]
        if byte == dialect.delimiter || byte == dialect.quote || byte == 0x0A || byte == 0x0D
          || byte == 0 || byte == CSVReader.backslash && dialect.escape == .backslash
        {
          return false
        }
      }
      return true
    }

    /// Writes a field in UTF-8 without quotes or escapes.
    public mutating func field(unquoted text: Span<UInt8>) throws {
      separate()
      sink.append(text, 0..<text.count)
      try sink.flushIfFull()
    }

    /// Writes a field in UTF-8.
    ///
    /// - Parameters:
    ///   - isQuoted: Whether to quote the field even if this is unnecessary.
    ///   - writesEmptyUnquoted: Whether to write an empty string without quotes, because `NULL` has
    ///     another representation.
    public mutating func field(
      utf8 text: Span<UInt8>, isQuoted: Bool = false, writesEmptyUnquoted: Bool = false
    ) throws {
      let isFirst = isAtBeginning
      let isNeeded = try needsQuotes(text, isFirst: isFirst)
      if writesEmptyUnquoted, !isQuoted, text.count == 0 { return separate() }
      if isNeeded || isQuoted {
        guard let quote = dialect.quote else { return try escapeWithoutQuotes(text) }
        separate()
        sink.append(quote)
        for index in 0..<text.count {
          let byte = text[index]
          if dialect.escape == .backslash, byte == quote || byte == CSVReader.backslash {
            sink.append(CSVReader.backslash)
          } else if byte == quote {
            sink.append(quote)
          }
          sink.append(byte)
        }
        sink.append(quote)
      } else {
        separate()
        sink.append(text, 0..<text.count)
      }
      try sink.flushIfFull()
    }

    /// Ends the record.
    public mutating func endRecord() throws {
      writePendingLineBreak()
      hasPendingLineBreak = true
      isAtBeginning = true
      try sink.flushIfFull()
    }

    /// Writes the buffered text, except the line break after the last record.
    mutating func flush() throws { try sink.flush() }

    /// Writes the rest of the buffered text.
    ///
    /// - Parameter endsWithLineBreak: Whether to write a line break after the last record.
    public mutating func finish(endsWithLineBreak: Bool = true) throws {
      if endsWithLineBreak { writePendingLineBreak() }
      try sink.flush()
    }

    @inline(__always)
    private mutating func writePendingLineBreak() {
      guard hasPendingLineBreak else { return }
      hasPendingLineBreak = false
      for byte in lineBreak { sink.append(byte) }
    }

    @inline(__always)
    private mutating func separate() {
      if isAtBeginning {
        writePendingLineBreak()
        isAtBeginning = false
      } else {
        sink.append(dialect.delimiter)
        if dialect.skipsInitialSpaces { sink.append(0x20) }
      }
    }

    private func needsQuotes(_ text: Span<UInt8>, isFirst: Bool) throws -> Bool {
      guard text.count > 0 else { return true }
      // A reader would skip a byte order mark at the beginning of the text.
      var isNeeded =
        text[0] == 0x20 || text[0] == 0x09 || text[text.count - 1] == 0x20
        || text[text.count - 1] == 0x09
        || isFirst && (text[0] == dialect.comment || text[0] == 0xEF)
        // If the quote is detected, apostrophes around a string would be taken for quotes.
        || dialect.quote == 0x22 && text.count > 1 && text[0] == 0x27
          && text[text.count - 1] == 0x27
      for index in 0..<text.count {
        let byte = text[index]
        guard byte != 0 else {
          throw ProviderError(.unrepresentable, "CSV can't represent a text with a zero byte")
        }
        if byte == dialect.delimiter || byte == dialect.quote || byte == 0x0A || byte == 0x0D
          || byte == CSVReader.backslash && dialect.escape == .backslash
        {
          isNeeded = true
        }
      }
      return isNeeded
    }

    /// Writes a field with backslashes before its special bytes.
    private mutating func escapeWithoutQuotes(_ text: Span<UInt8>) throws {
      let isEscaped = dialect.escape == .backslash
      var needsMore = text.count == 0
      for index in 0..<text.count where !needsMore {
        let byte = text[index]
        needsMore =
          byte == 0x0A || byte == 0x0D
          || !isEscaped && (byte == dialect.delimiter || byte == dialect.comment && index == 0)
          || index == 0 && (byte == 0x20 && dialect.skipsInitialSpaces || byte == 0xEF)
      }
      guard !needsMore else {
        throw ProviderError(.unrepresentable, "a field needs quotes, but the dialect has none")
      }
      separate()
      for index in 0..<text.count {
        let byte = text[index]
        if isEscaped,
          byte == dialect.delimiter || byte == CSVReader.backslash
            || index == 0 && byte == dialect.comment
        {
          sink.append(CSVReader.backslash)
        }
        sink.append(byte)
      }
    }
  }
}

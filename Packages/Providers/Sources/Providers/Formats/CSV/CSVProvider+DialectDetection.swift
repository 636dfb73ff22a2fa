internal import Primitives

/// Dialect detection.
///
/// The sample is the first 64 KB, or more if one record is longer, up to 4 MB. It is read with each
/// of the delimiters `,` tab `;` `|`, with the quote `"`, or with `'` if a field begins with `'`
/// and none with `"`, and with backslash escapes if a backslash precedes a quote. A dialect is no
/// candidate if reading fails, or if fewer than three in four records have the same number of
/// fields, of two or more. Candidates are scored by
///
///     records with that number ÷ all records  ×  clean fields ÷ all fields
///
/// A field is unclean if it is not quoted and contains another delimiter (a decimal comma does not
/// count), or begins or ends with a quotation mark. The first candidate with the highest score, in
/// the order above, is chosen. Without a candidate there is one column.
@_spi(Formats) extension CSVProvider.Dialect {
  /// Detects the dialect of UTF-8 text.
  ///
  /// - ``hasHeader`` is set if the types of the first record differ from those of the columns. Years
  ///   above other numbers count as names, and empty and duplicate names are permitted. If all
  ///   columns contain text, it is set unless a value of the first record occurs again in its
  ///   column. It is also set if all cells of the first record are unique and quoted unnecessarily,
  ///   and later values, if any, are not all quoted.
  /// - ``skipsInitialSpaces`` is set if every field but the first of each record begins with a
  ///   space.
  ///
  /// - Parameters:
  ///   - delimiter: The delimiter, if it is known.
  ///   - sampleSize: The number of bytes to examine.
  public static func detected(
    in bytes: Span<UInt8>, delimiter: UInt8? = nil, sampleSize: Int = 1 << 16
  ) -> CSVProvider.Dialect {
    var size = Swift.max(sampleSize, 1)
    while true {
      let sample = bytes.extracting(0..<Swift.min(size, bytes.count))
      let isWhole = sample.count == bytes.count
      let candidates = delimiter.map { [$0] } ?? delimiters
      if let dialect = detected(sample: sample, isWhole: isWhole, candidates) { return dialect }
      guard !isWhole, size < 1 << 22 else { break }
      size *= 4
    }
    var single = CSVProvider.Dialect(delimiter: delimiter ?? UInt8(ascii: ","))
    let sample = bytes.extracting(0..<Swift.min(size, bytes.count))
    let reading = Reading(single, sample, isWhole: sample.count == bytes.count)
    single.hasHeader = reading?.hasHeader ?? false
    return single
  }

  private static func detected(
    sample: Span<UInt8>, isWhole: Bool, _ candidates: [UInt8]
  ) -> CSVProvider.Dialect? {
    var best: (dialect: CSVProvider.Dialect, reading: Reading)?
    let isApostrophe = begins(sample, with: 0x27) && !begins(sample, with: 0x22)
    let quotes: [UInt8] = isApostrophe ? [0x22, 0x27] : [0x22]
    for delimiter in candidates {
      for quote in quotes {
        let escapes: [Escape] =
          hasEscapes(sample, quote) ? [.doubled, .backslash] : [.doubled]
        for escape in escapes {
          let dialect = CSVProvider.Dialect(
            delimiter: delimiter, quote: quote, escape: escape, raggedRecords: .kept)
          guard let reading = Reading(dialect, sample, isWhole: isWhole), reading.isCandidate,
            reading.score > best?.reading.score ?? 0
          else { continue }
          best = (dialect, reading)
        }
      }
    }
    guard var (dialect, reading) = best else { return nil }
    if reading.allBeginWithSpaces {
      dialect.skipsInitialSpaces = true
      reading = Reading(dialect, sample, isWhole: isWhole) ?? reading
    }
    dialect.raggedRecords = .refused
    dialect.hasHeader = reading.hasHeader
    return dialect
  }

  static let delimiters: [UInt8] = [0x2C, 0x09, 0x3B, 0x7C]

  /// Returns whether a quote is at a position at which a field can begin.
  private static func begins(_ sample: Span<UInt8>, with quote: UInt8) -> Bool {
    for index in 0..<sample.count where sample[index] == quote {
      if index == 0 { return true }
      let before = sample[index - 1]
      if before == 0x0A || before == 0x0D || delimiters.contains(before) { return true }
    }
    return false
  }

  private static func hasEscapes(_ sample: Span<UInt8>, _ quote: UInt8) -> Bool {
    for index in 0..<Swift.max(sample.count - 1, 0)
    where sample[index] == 0x5C && sample[index + 1] == quote {
      return true
    }
    return false
  }

  /// The result of reading a sample with a dialect.
  private struct Reading {
    private var records: [[CSVHeaderDetector.Cell]] = []
    private var usual = 0
    private var usualCount = 0
    private var fieldCount = 0
    private var cleanCount = 0
    private var laterCount = 0
    private var spacedCount = 0

    /// Returns `nil` if the sample can't be read with the dialect, or has no complete record.
    init?(_ dialect: CSVProvider.Dialect, _ sample: Span<UInt8>, isWhole: Bool) {
      var dialect = dialect
      dialect.raggedRecords = .kept
      var reader = CSVReader(dialect)
      reader.isComplete = isWhole
      var counts: [Int: Int] = [:]
      do throws(ProviderError) {
        while try reader.next(in: sample) == .record { add(reader, sample, &counts) }
      } catch {
        return nil
      }
      guard reader.recordCount > 0 else { return nil }
      // Of two equally frequent counts, the larger one wins.
      for (count, times) in counts where (times, count) > (usualCount, usual) {
        (usual, usualCount) = (count, times)
      }
      self.recordCount = reader.recordCount
    }

    private var recordCount = 0

    private mutating func add(
      _ reader: CSVReader, _ sample: Span<UInt8>, _ counts: inout [Int: Int]
    ) {
      counts[reader.fields.count, default: 0] += 1
      var record: [CSVHeaderDetector.Cell] = []
      for (index, field) in reader.fields.enumerated() {
        reader.withText(of: index, in: sample) { text in
          fieldCount += 1
          if field.isQuoted || Self.isClean(text, reader.dialect.delimiter) { cleanCount += 1 }
          if index > 0 {
            laterCount += 1
            if reader.start < field.range.lowerBound, !field.isDecoded, Self.isSpaced(field, text) {
              spacedCount += 1
            }
          }
          if records.count < 1_000 {
            record.append(
              CSVHeaderDetector.Cell(
                text: text.array(0..<text.count), kind: TableCollector.TextKind(text),
                isNull: field.isNull,
                isQuoted: field.isQuoted))
          }
        }
      }
      if records.count < 1_000 { records.append(record) }
    }

    private static func isSpaced(_ field: CSVReader.Field, _ text: Span<UInt8>) -> Bool {
      !field.isQuoted && text.count > 0 && text[0] == 0x20
    }

    private static func isClean(_ text: Span<UInt8>, _ delimiter: UInt8) -> Bool {
      guard text.count > 0 else { return true }
      let (first, last) = (text[0], text[text.count - 1])
      if first == 0x22 || first == 0x27 || last == 0x22 || last == 0x27 { return false }
      var commas = 0
      var isNumber = true
      for index in 0..<text.count {
        let byte = text[index]
        if byte == 0x2C, delimiter != 0x2C {
          commas += 1
        } else if byte != delimiter, delimiters.contains(byte) {
          return false
        } else if byte &- 0x30 >= 10, byte != 0x2D, byte != 0x2E, byte != 0x20 {
          isNumber = false
        }
      }
      return commas == 0 || commas == 1 && isNumber
    }

    var isCandidate: Bool { usual >= 2 && 4 * usualCount >= 3 * recordCount }

    var score: Double {
      Double(usualCount) / Double(recordCount) * Double(cleanCount) / Double(fieldCount)
    }

    var allBeginWithSpaces: Bool { laterCount > 0 && spacedCount == laterCount }

    var hasHeader: Bool { CSVHeaderDetector(records).hasHeader }
  }
}

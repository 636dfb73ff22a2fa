internal import Primitives

/// The form of a CSV file, which its first record determines.
struct CSVStructure: Sendable {
  let dialect: CSVProvider.Dialect
  /// The names of the columns in SQL.
  let columns: [String]
  let fieldCount: Int
  /// The offset in the file of the first row.
  let rows: Int
}

/// Reads the records in a part of a CSV file, with the fields of some columns only.
///
/// Records of the usual form are read many at a time; ``CSVReader/next(in:)`` reads all others.
struct CSVScan {
  private let slots: [Int]
  private let slotCount: Int
  private var reader: CSVReader
  private var window: FileWindow
  /// The offset in the file before which the records begin.
  private let end: Int
  private let maximumRecordLength: Int
  private let checksUTF8: Bool
  /// The fields of the records, one record after another.
  private(set) var fields: [CSVReader.SelectedField]
  /// The number of records that ``next()`` has read.
  private(set) var count = 0
  private var decoded: [UInt8] = []
  private let nullText: [UInt8]?

  /// The maximum length of a record. The window becomes at most twice as long, so that
  /// ``CSVReader/SelectedField`` can represent each field.
  static let maximumRecordLength = 1 << 28

  /// The maximum number of records that are read at a time.
  private let capacity: Int

  /// Returns the maximum number of records with some fields, whose values are kept in memory.
  static func capacity(_ slotCount: Int) -> Int {
    Swift.max(1, Swift.min(2_048, 1 << 16 / Swift.max(1, slotCount)))
  }

  /// The columns that are read, and how.
  struct Selection: Sendable {
    /// The numbers of the columns, in order.
    let columns: [Int]
    let nullText: [UInt8]?
    /// Whether the columns are text columns, regardless of their values.
    let textSlots: [Bool]
    /// The column that must contain ascending integers, if there is one.
    let keySlot: Int?
  }

  /// - Parameters:
  ///   - range: The offsets in the file at which the records begin. The first record begins at the
  ///     lower bound.
  ///   - maximumRecordLength: The length of a record, in bytes, beyond which reading fails.
  ///   - windowLength: The number of bytes to read at a time.
  ///   - checksUTF8: Whether to check that the text is valid UTF-8, which may be known.
  init(
    _ file: FileReader, _ structure: CSVStructure, _ selection: Selection, _ range: Range<Int>,
    fileSize: Int, maximumRecordLength: Int = Self.maximumRecordLength,
    windowLength: Int, checksUTF8: Bool
  ) {
    self.checksUTF8 = checksUTF8
    var slots = Array(repeating: -1, count: structure.fieldCount)
    for (slot, column) in selection.columns.enumerated() { slots[column] = slot }
    self.slots = slots
    slotCount = selection.columns.count
    nullText = selection.nullText
    reader = CSVReader(structure.dialect)
    reader.fieldCount = structure.fieldCount
    reader.isAtBeginning = false
    window = FileWindow(
      file, from: range.lowerBound, fileSize: fileSize,
      length: Swift.max(1, Swift.min(windowLength, fileSize - range.lowerBound)))
    end = range.upperBound
    self.maximumRecordLength = maximumRecordLength
    capacity = Self.capacity(slotCount)
    fields = Array(repeating: .none, count: slotCount * capacity)
  }

  /// The offset in the file of the record after the last one that was read.
  var position: Int { window.offset + reader.position }

  /// Reads the next records.
  ///
  /// - Returns: `false` at the end.
  /// - Throws: ``ProviderError`` if a record is not valid or too long, if the file was changed, or
  ///   for a file system error.
  mutating func next() throws(ProviderError) -> Bool {
    count = 0
    if !decoded.isEmpty { decoded.removeAll(keepingCapacity: true) }
    while true {
      let isAtEnd = try readAvailable()
      if count > 0 { return true }
      if isAtEnd || position >= end { return false }
      guard reader.position > 0 || window.count < maximumRecordLength else {
        throw ProviderError(.limitExceeded, "a record is too long to be read in place")
      }
      let dropped = reader.position
      try window.refill(dropping: dropped)
      reader.move(to: 0)
    }
  }

  /// Reads the records in the window.
  ///
  /// - Returns: Whether the end of the file was reached.
  private mutating func readAvailable() throws(ProviderError) -> Bool {
    let (storage, slots) = (window.storage, slots)
    let bytes = storage.elementSpan.extracting(0..<window.count)
    let stop = Swift.min(end - window.offset, bytes.count)
    reader.isComplete = window.isAtEnd
    var fields: [CSVReader.SelectedField] = []
    swap(&fields, &self.fields)
    defer { swap(&fields, &self.fields) }
    while count < capacity, reader.position < stop {
      count = try reader.nextUsualRecords(
        in: bytes, before: stop, slots, slotCount, into: &fields, from: count, upTo: capacity,
        checksUTF8: checksUTF8)
      guard count < capacity, reader.position < stop else { break }
      switch try reader.next(in: bytes) {
      case .record:
        guard reader.start < stop else {
          // Empty lines were skipped: the record belongs to the next part.
          reader.move(to: reader.start)
          return false
        }
        for column in 0..<slots.count where slots[column] >= 0 {
          fields[count * slotCount + slots[column]] = Self.selected(
            reader.fields[column], reader.decoded, &decoded)
        }
        count += 1
      case .end: return true
      case .incomplete: return false
      }
    }
    return window.isAtEnd && reader.position == bytes.count
  }

  private static func selected(
    _ field: CSVReader.Field, _ text: [UInt8], _ decoded: inout [UInt8]
  ) -> CSVReader.SelectedField {
    if field.isMissing { return .missing }
    guard field.isDecoded else {
      return CSVReader.SelectedField(field.range, isQuoted: field.isQuoted)
    }
    let first = decoded.count
    decoded.append(contentsOf: text[field.range])
    return CSVReader.SelectedField(decoded: first..<decoded.count, isQuoted: field.isQuoted)
  }

  /// Calls `body` with each field that is not `NULL`, record by record.
  @inline(__always)
  func forEachValue<Failure: Error>(
    _ body: (_ record: Int, _ slot: Int, _ text: Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let storage = window.storage
    let decoded = decoded
    let (bytes, decodedBytes, fields) = (
      storage.elementSpan, decoded.elementSpan, fields.elementSpan
    )
    var index = 0
    for record in 0..<count {
      for slot in 0..<slotCount {
        let field = fields[index]
        index &+= 1
        let text =
          field.isDecoded ? decodedBytes.extracting(field.range) : bytes.extracting(field.range)
        if isNull(field, text) { continue }
        try body(record, slot, text)
      }
    }
  }

  /// Returns whether a field is `NULL`: see `CSVProvider.Options.nullText`.
  @inline(__always)
  private func isNull(_ field: CSVReader.SelectedField, _ text: Span<UInt8>) -> Bool {
    if nullText == nil { return text.count == 0 && (!field.isQuoted || field.isMissing) }
    return isNullText(field, text)
  }

  private func isNullText(_ field: CSVReader.SelectedField, _ text: Span<UInt8>) -> Bool {
    guard let nullText else { return false }
    if field.isMissing { return true }
    guard !field.isQuoted, text.count == nullText.count else { return false }
    for index in 0..<nullText.count where text[index] != nullText[index] { return false }
    return true
  }
}

extension FileReader {
  /// Returns the offset after the first line break that ends at or after an offset; the offset
  /// itself if the line is long.
  func lineEnd(from offset: Int, fileSize: Int) throws(ProviderError) -> Int {
    var window = FileWindow(self, from: offset - 1, fileSize: fileSize, length: 1 << 12)
    var reader = CSVReader()
    while window.count < 1 << 20 {
      try window.refill(dropping: 0)
      reader.isComplete = window.isAtEnd
      let storage = window.storage
      if let end = reader.lineEnd(storage.elementSpan.extracting(0..<window.count), 0) {
        return window.offset + end
      }
    }
    return offset
  }
}

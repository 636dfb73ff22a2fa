import Fuzzing
@_spi(Formats) import Providers

/// Infers the dialect, the encoding, the column types and the column names of a text.
func fuzzInference(_ bytes: [UInt8]) {
  let dialect = CSVProvider.Dialect.detected(in: bytes.span, sampleSize: 64)
  expect(
    dialect.raggedRecords == .refused,
    "the detected dialect does not reject ragged records: \(dialect)")
  for encoding in CSVProvider.TextEncoding.allCases {
    guard let text = try? encoding.transcoded(bytes.span) else { continue }
    expect(String(validating: text, as: UTF8.self) != nil, "\(encoding) is not transcoded to UTF-8")
  }
  _ = try? CSVProvider.TextEncoding.detected(in: bytes.span)
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  let names = TableCollector.ColumnNames.unique(lines.map { String(decoding: $0, as: UTF8.self) })
  expect(Set(names).count == lines.count, "two columns have the same name: \(names)")
  var kinds = TableCollector.ColumnKinds()
  for line in lines where !line.isEmpty {
    kinds.formUnion(TableCollector.ColumnKinds(TableCollector.TextKind(line.span)))
  }
  guard let type = kinds.type else { return expect(false, "no type for text") }
  for line in lines where !line.isEmpty {
    let text = String(decoding: line, as: UTF8.self)
    switch type {
    case .integer: expect(Int64(text)?.description == text, "\(text) is not a canonical integer")
    case .real: expect(Double(text)?.isFinite == true, "\(text) is not a number")
    case .boolean:
      expect(["true", "false"].contains(text.lowercased()), "\(text) is not a Boolean")
    case .date: expect(line.count == 10, "\(text) is not a date")
    case .dateTime: expect(line.count == 10 || line.count >= 16, "\(text) is not a date and time")
    case .text, .json: break
    }
  }
}

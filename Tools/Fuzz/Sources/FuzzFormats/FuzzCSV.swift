import Fuzzing
@_spi(Formats) import Providers

/// Parses CSV as a whole and in chunks, and tests that the records round-trip.
func fuzzCSV(_ bytes: [UInt8]) {
  guard bytes.count >= 2 else { return }
  let (first, second) = (bytes[0], bytes[1])
  let text = Array(bytes.dropFirst(2))
  let dialect = CSVProvider.Dialect(
    delimiter: [0x2C, 0x3B, 0x09, 0x7C][Int(first & 3)],
    quote: [0x22, 0x22, 0x27, nil][Int(first >> 2 & 3)],
    escape: first & 16 == 0 ? .doubled : .backslash, comment: first & 32 == 0 ? nil : 0x23,
    skipsInitialSpaces: first & 64 == 0,
    raggedRecords: [.refused, .padded, .kept][Int(second % 3)],
    emptyLines: second & 4 == 0 ? .skipped : .records, keepsTextAfterQuotes: second & 8 == 0)
  let whole = records(text, dialect, nil)
  let parts = records(text, dialect, Int(second >> 4) + 1)
  expect(whole == parts, "different result in chunks: \(whole), \(parts)")
  if let error = whole.error {
    let offset = error.position?.byteOffset ?? -1
    expect((0...text.count).contains(offset), "an error has no valid position: \(whole)")
    return
  }
  let byteSink = ByteSink()
  var written = dialect
  written.emptyLines = .records
  var writer = CSVProvider.Writer(written) { byteSink.bytes += $0 }
  do {
    for record in whole.records {
      for field in record { try writer.field(field) }
      try writer.endRecord()
    }
    try writer.finish()
  } catch {
    expect(
      (error as? ProviderError)?.code == .unrepresentable && dialect.quote == nil,
      "the parsed records can't be written: \(error)")
    return
  }
  let again = records(byteSink.bytes, written, nil)
  expect(again == whole, "the written text is parsed as different records: \(whole), \(again)")
}

private struct Outcome: Equatable {
  var records: [[String?]] = []
  var error: ProviderError?
}

private func records(_ text: [UInt8], _ dialect: CSVProvider.Dialect, _ chunk: Int?) -> Outcome {
  var outcome = Outcome()
  var reader = CSVReader(dialect)
  var window = Window(text, chunk)
  do throws(ProviderError) {
    while true {
      reader.isComplete = window.isComplete
      let bytes = text.span.extracting(window.from..<window.to)
      switch try reader.next(in: bytes) {
      case .end: return outcome
      case .incomplete:
        let count = reader.position
        reader.discard(count, in: bytes)
        window.move(count)
      case .record:
        outcome.records.append(
          reader.fields.indices.map {
            reader.fields[$0].isNull ? nil : reader.text(of: $0, in: bytes)
          })
      }
    }
  } catch {
    return Outcome(error: error)
  }
}

internal import SPON

enum HoltCoding {
  static func decode(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try SPONDecoder().decode([Record].self, from: texts.spon) },
      bytes: { texts, _ in texts.spon.count }, records: { $0 })
  }

  static func encode(
    _ name: String, _ coding: CodingFixture, _ formatting: SPONValue.Formatting = []
  ) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name,
      run: { coding, _ in
        var encoder = SPONEncoder()
        encoder.outputFormatting = formatting
        return try encoder.bytes(of: coding.records)
      },
      bytes: { $1.count }, records: { try SPONDecoder().decode(from: $0) })
  }

  static func tree(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try SPONValue(parsing: texts.spon) },
      bytes: { texts, _ in texts.spon.count }, records: { try Record.all($0) })
  }

  static func treeOfJSON(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try SPONValue(json: texts.jsonBytes) },
      bytes: { texts, _ in texts.jsonBytes.count }, records: { try Record.all($0) })
  }

  static func text(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try texts.tree.bytes() },
      bytes: { $1.count }, records: { try SPONDecoder().decode(from: $0) })
  }

  static func jsonText(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try texts.tree.jsonBytes() },
      bytes: { $1.count }, records: { try Record.all(SPONValue(json: $0)) })
  }
}

// Streaming variants.
extension HoltCoding {
  static func elements(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name,
      run: { _, texts in
        var trees: [SPONValue] = []
        try elements(texts.chunks) { trees.append(try $0.value()) }
        return trees
      },
      bytes: { texts, _ in texts.spon.count }, records: { try $0.map { try Record($0) } })
  }

  static func decodedElements(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name,
      run: { _, texts in
        var records: [Record] = []
        let decoder = SPONDecoder()
        try elements(texts.chunks) { records.append(try decoder.decode(from: $0)) }
        return records
      },
      bytes: { texts, _ in texts.spon.count }, records: { $0 })
  }

  private static func elements(
    _ chunks: [[UInt8]], _ take: (SPONElementReader.Element) throws -> Void
  ) throws {
    var reader = SPONElementReader()
    for chunk in chunks {
      reader.append(chunk)
      while let element = try reader.next() { try take(element) }
    }
    reader.finish()
    while let element = try reader.next() { try take(element) }
  }

  /// Sums up the scalars of the events, as a program would read them.
  static func events(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try records(ofEvents: texts.chunks) },
      bytes: { texts, _ in texts.spon.count }, records: { $0 })
  }

  private static func records(ofEvents chunks: [[UInt8]]) throws -> [Record] {
    var reader = SPONEventReader()
    var records: [Record] = []
    var record = Record.empty
    for chunk in chunks {
      reader.append(chunk)
      while let event = try reader.next() { record.take(event, into: &records) }
    }
    reader.finish()
    while let event = try reader.next() { record.take(event, into: &records) }
    return records
  }
}

extension Record {
  fileprivate static let empty = Record(
    id: 0, a: 0, b: 0, x: 0, y: nil, name: "", title: "", note: nil, flag: false)

  /// The handwritten code of a program that reads events.
  fileprivate mutating func take(_ event: SPONEventReader.Event, into records: inout [Record]) {
    switch event.kind {
    case .beginObject: self = .empty
    case .endObject: records.append(self)
    case .scalar(let value): take(value, for: event.key?.stringValue)
    case .beginArray, .endArray: break
    }
  }

  private mutating func take(_ value: SPONValue, for key: String?) {
    switch key {
    case "id": id = value.int ?? -1
    case "a": a = value.int ?? -1
    case "b": b = value.int ?? -1
    case "x": x = value.double ?? -1
    case "y": y = value.double
    case "name": name = value.string ?? ""
    case "title": title = value.string ?? ""
    case "note": note = value.string
    case "flag": flag = value.bool ?? false
    default: break
    }
  }
}

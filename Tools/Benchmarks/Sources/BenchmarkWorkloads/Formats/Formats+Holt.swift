internal import Primitives
@_spi(Formats) internal import Providers

enum HoltFormats {
  /// Counts objects, and reads their content.
  static func json(_ name: String, _ formats: FormatFixture) -> BenchmarkImplementation {
    formats.benchmarkImplementation(name, bytes: \.json, records: \.jsonRecords) { texts in
      var reader = JSONEventReader()
      let bytes = texts.json.span
      var count = 0
      var sum = 0.0
      while true {
        switch try reader.next(in: bytes) {
        case .beginObject: count += 1
        case .integer: sum += Double(reader.integer)
        case .double: sum += reader.double
        case .end: return sum.isNaN ? 0 : count
        default: break
        }
      }
    }
  }

  static func skippedJSON(_ name: String, _ formats: FormatFixture) -> BenchmarkImplementation {
    formats.benchmarkImplementation(name, bytes: \.json, records: \.jsonRecords) { texts in
      var reader = JSONEventReader()
      let bytes = texts.json.span
      var count = 0
      _ = try reader.next(in: bytes)
      while try reader.next(in: bytes) == .beginObject {
        count += try reader.skipContainer(in: bytes) == nil ? 0 : 1
      }
      return count
    }
  }

  static func csv(_ name: String, _ formats: FormatFixture) -> BenchmarkImplementation {
    formats.benchmarkImplementation(name, bytes: \.csv, records: \.csvRecords) { texts in
      var reader = CSVReader()
      let bytes = texts.csv.span
      var count = 0
      while try reader.next(in: bytes) == .record { count += reader.fields.count }
      return count
    }
  }

  static func typedCSV(_ name: String, _ formats: FormatFixture) -> BenchmarkImplementation {
    formats.benchmarkImplementation(name, bytes: \.csv, records: \.csvRecords) { texts in
      var reader = CSVReader()
      let bytes = texts.csv.span
      guard try reader.next(in: bytes) == .record else { return 0 }
      var count = reader.fields.count
      var kinds = Array(repeating: TableCollector.ColumnKinds(), count: count)
      while try reader.next(in: bytes) == .record {
        for (index, field) in reader.fields.enumerated() where !field.isNull {
          reader.withText(of: index, in: bytes) {
            kinds[index].formUnion(TableCollector.ColumnKinds(TableCollector.TextKind($0)))
          }
        }
        count += reader.fields.count
      }
      return kinds.contains { $0.type == nil } ? 0 : count
    }
  }
}

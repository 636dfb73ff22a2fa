internal import Foundation
@_spi(Formats) internal import Providers
internal import SPON
internal import SQLiteCore
internal import Synchronization

/// A file with the rows of ``FormatFixture``, created on first use.
final class TableFile: Sendable {
  private let formats: FormatFixture
  private let path: String
  private let kind: Kind
  private let made = Mutex<Made?>(nil)

  /// The format and layout of the file.
  enum Kind {
    case csv, json, sponArray, sponDatabase

    var isSPON: Bool { self == .sponArray || self == .sponDatabase }
  }

  private struct Made {
    let bytes: Int
    let records: Int
  }

  init(_ formats: FormatFixture, path: String, _ kind: Kind) {
    self.formats = formats
    self.path = path
    self.kind = kind
  }

  /// Opens the file as a table, and groups its rows.
  func open(grouping: Bool) throws -> Work {
    let made = try make()
    let watch = Stopwatch()
    let provider: any DataProvider =
      switch kind {
      case .csv: CSVProvider()
      case .json: JSONProvider()
      case .sponArray, .sponDatabase: SPONProvider()
      }
    try provider.openSource(atPath: path, readOnly: true)
    var groups = 0
    if grouping {
      groups = try provider.query(
        "SELECT town, flag, count(*), sum(price), avg(amount) FROM rows GROUP BY town, flag"
      ).count
    }
    try provider.closeSource()
    let time = watch.time
    guard groups == (grouping ? 2 : 0) else { throw BaselineError(code: 1) }
    return Work(
      checksum: nil, time: time,
      counts: [Work.records: Double(made.records), Work.bytes: Double(made.bytes)])
  }

  /// Reads the content of the file and discards it.
  func scan() throws -> Work {
    let made = try make()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let watch = Stopwatch()
    var count = 0
    if kind.isSPON {
      var reader = SPONEventReader()
      for start in stride(from: 0, to: bytes.count, by: 1 << 18) {
        reader.append(bytes[start..<min(start + 1 << 18, bytes.count)])
        while try reader.next() != nil { count += 1 }
      }
    } else {
      var reader = CSVReader()
      while try reader.next(in: bytes.span) == .record { count += reader.fields.count }
    }
    guard count > made.records else { throw BaselineError(code: 1) }
    return Work(
      checksum: nil, time: watch.time,
      counts: [Work.records: Double(made.records), Work.bytes: Double(made.bytes)])
  }

  private func make() throws -> Made {
    try made.withLock { made in
      if let made { return made }
      let texts = formats.texts()
      var records = texts.jsonRecords
      switch kind {
      case .json: try write(texts.json)
      case .sponArray: try write(SPONValue(json: texts.json).bytes())
      case .csv, .sponDatabase:
        let csv = kind == .csv ? path : "\(path).csv"
        try Data(texts.csv).write(to: URL(fileURLWithPath: csv))
        if kind == .sponDatabase { try Self.copy(csv, to: path) }
        records = texts.csvRecords
      }
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      let new = Made(bytes: size, records: records)
      made = new
      return new
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private static func copy(_ csv: String, to path: String) throws {
    let (source, target) = (CSVProvider(), SPONProvider())
    try source.openSource(atPath: csv, readOnly: true)
    try target.createSource(atPath: path)
    try source.read { reading in
      try target.write { writing in
        try writing.execute(
          """
          CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT, town TEXT, price REAL, amount INTEGER,
            flag BOOLEAN, note TEXT)
          """)
        let insert = try writing.prepare("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)")
        try reading.forEach("SELECT * FROM rows") { row in
          for column in 0..<7 {
            try insert.bind(
              row.value(at: ColumnIndex(rawValue: column)),
              at: ParameterIndex(rawValue: column + 1))
          }
          try insert.run()
        }
      }
    }
    try target.closeSource()
    try source.closeSource()
  }
}

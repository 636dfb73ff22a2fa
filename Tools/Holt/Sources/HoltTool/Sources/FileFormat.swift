import ArgumentParser
import Foundation
@_spi(Formats) import Providers

/// The supported file formats: the values of `--format`.
enum FileFormat: String, CaseIterable, ExpressibleByArgument {
  case sqlite, spon, json, jsonl, xml, csv

  /// Determines the format from the path's extension; `nil` if the extension is unknown.
  init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "sqlite", "sqlite3", "db", "db3", "s3db": self = .sqlite
    case "spon": self = .spon
    case "json", "geojson": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "xml", "rss", "atom", "svg": self = .xml
    case "csv", "tsv", "tab": self = .csv
    default: return nil
    }
  }

  /// Guesses the format from a file's first bytes.
  init(beginning bytes: [UInt8]) {
    if bytes.starts(with: "SQLite format 3\0".utf8) {
      self = .sqlite
      return
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let start = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch start.first {
    case UInt8(ascii: "<"): self = .xml
    case UInt8(ascii: "["): self = .json
    case UInt8(ascii: "@"): self = .spon
    // The JSON provider detects JSON lines itself.
    case UInt8(ascii: "{"): self = .json
    default: self = .csv
    }
  }

  /// The file extension of this format.
  var fileExtension: String { rawValue }

  /// A Boolean value that indicates whether changes are written directly to the file, which is a
  /// database.
  var isDatabase: Bool { self == .sqlite }

  /// The format of ordinary files, which store only rows; `nil` if the format has none.
  var rowFormat: RowWriter.Format? {
    switch self {
    case .csv: .csv
    case .json: .json
    case .jsonl: .jsonLines
    case .spon: .spon
    case .sqlite, .xml: nil
    }
  }

  /// Returns a provider for files in this format.
  ///
  /// - Parameter tableName: The table name of a file that contains only rows; `nil` to derive it
  ///   from the file's name.
  func provider(
    _ options: ReadingOptions = ReadingOptions(),
    _ place: SourceSession.StagingPlace = .temporaryFile, tableName: String? = nil
  ) -> any DataProvider {
    switch self {
    case .sqlite: return SQLiteProvider(configuration: .preservingSettings)
    case .spon: return SPONProvider(place: place, tableName: tableName)
    case .json, .jsonl:
      var own = JSONProvider.Options(
        layout: self == .jsonl ? .lines : nil, nesting: options.nesting)
      own.tableName = tableName
      return JSONProvider(options: own, place: place)
    case .xml: return XMLProvider(options: XMLProvider.Options(), place: place)
    case .csv:
      var own = options.csv
      own.tableName = tableName
      return CSVProvider(options: own, place: place)
    }
  }
}

import ArgumentParser
import Foundation
import Providers

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

  /// Returns a provider for files in this format.
  func provider(_ place: SourceSession.StagingPlace = .temporaryFile) -> any DataProvider {
    switch self {
    case .sqlite: SQLiteProvider(configuration: .preservingSettings)
    case .spon: SPONProvider(place: place)
    case .json: JSONProvider(options: JSONProvider.Options(), place: place)
    case .jsonl: JSONProvider(options: JSONProvider.Options(layout: .lines), place: place)
    case .xml: XMLProvider(options: XMLProvider.Options(), place: place)
    case .csv: CSVProvider(options: CSVProvider.Options(), place: place)
    }
  }
}

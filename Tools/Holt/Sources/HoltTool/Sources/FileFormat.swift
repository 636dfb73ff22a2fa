import ArgumentParser
import Foundation
import Providers

/// The kinds of files that can be opened: the values of `--format`.
enum FileFormat: String, CaseIterable, ExpressibleByArgument {
  case sqlite, spon, json, jsonl, xml, csv

  /// What a file's name says; `nil` where it says nothing that is known.
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

  /// What a file's first bytes look like.
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
    // What stands in lines is found out by the format itself.
    case UInt8(ascii: "{"): self = .json
    default: self = .csv
    }
  }

  /// The extension of files of this format.
  var fileExtension: String { rawValue }

  /// Whether what is changed in it is in the file at once.
  var isDatabase: Bool { self == .sqlite }

  /// A provider of files of this format.
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

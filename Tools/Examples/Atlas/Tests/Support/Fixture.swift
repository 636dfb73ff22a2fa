import Foundation

@testable import Atlas

/// A folder with a small sample of each source. It is removed when the object is deinitialized.
final class Fixture {
  let root = FileManager.default.temporaryDirectory.appending(
    path: "holt-atlas-\(UUID().uuidString)", directoryHint: .notDirectory)

  var folders: DataFolders { DataFolders(isoCodes: path, zones: path) }

  /// The path of a database file in the same folder.
  var database: String { path + "/atlas.sqlite" }

  private var path: String { root.path(percentEncoded: false) }

  init() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (source, text) in Self.texts { try write(text, to: source) }
  }

  func write(_ text: String, to source: DataSource) throws {
    try Data(text.utf8).write(to: root.appending(path: source.fileName))
  }

  func remove(_ source: DataSource) throws {
    try FileManager.default.removeItem(at: root.appending(path: source.fileName))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  static let texts: [DataSource: String] = [
    .countries: """
    { "3166-1": [
      { "alpha_2": "CH", "alpha_3": "CHE", "numeric": "756", "name": "Switzerland",
        "official_name": "Swiss Confederation", "flag": "🇨🇭" },
      { "alpha_2": "BE", "alpha_3": "BEL", "numeric": "056", "name": "Belgium", "flag": "🇧🇪" }
    ] }
    """,
    .formerCountries: """
    { "3166-3": [
      { "alpha_2": "SK", "alpha_3": "SKM", "alpha_4": "SKIN", "name": "Sikkim",
        "withdrawal_date": "1975" }
    ] }
    """,
    .subdivisions: """
    { "3166-2": [
      { "code": "BE-VAN", "name": "Antwerpen", "type": "Province", "parent": "VLG" },
      { "code": "BE-VLG", "name": "Vlaams Gewest", "type": "Region" },
      { "code": "CH-ZH", "name": "Zürich", "type": "Canton" }
    ] }
    """,
    .languages: """
    { "639-3": [
      { "alpha_3": "deu", "alpha_2": "de", "name": "German", "scope": "I", "type": "L" },
      { "alpha_3": "epo", "alpha_2": "eo", "name": "Esperanto", "scope": "I", "type": "C" }
    ] }
    """,
    .languageFamilies: """
    { "639-5": [ { "alpha_3": "gem", "name": "Germanic languages" } ] }
    """,
    .libraryCodes: """
    { "639-2": [
      { "alpha_3": "deu", "name": "German", "bibliographic": "ger" },
      { "alpha_3": "gem", "name": "Germanic languages" },
      { "alpha_3": "him", "name": "Himachali languages" }
    ] }
    """,
    .scripts: """
    { "15924": [ { "alpha_4": "Latn", "numeric": "215", "name": "Latin" } ] }
    """,
    .currencies: """
    { "4217": [ { "alpha_3": "CHF", "numeric": "756", "name": "Swiss Franc" } ] }
    """,
    .zones: """
    # a comment
    BE\t+5050+00420\tEurope/Brussels
    CH,BE\t+4723+00832\tEurope/Zurich\tSwiss time
    """,
  ]
}

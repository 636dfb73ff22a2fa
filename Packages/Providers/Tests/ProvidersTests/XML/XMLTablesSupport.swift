import Foundation
import Providers
import SQLiteCore
import Testing

/// A document in its own folder, opened with a provider.
final class XMLTables {
  let folder: TemporaryFolder
  let path: String
  let provider: XMLProvider

  /// - Throws: The errors of opening the document.
  init(_ bytes: [UInt8], _ options: XMLProvider.Options = XMLProvider.Options()) throws {
    folder = try TemporaryFolder()
    path = try folder.file(bytes)
    provider = XMLProvider(options: options)
    try provider.openSource(atPath: path)
  }

  convenience init(_ text: String, _ options: XMLProvider.Options = XMLProvider.Options()) throws {
    try self.init(Array(text.utf8), options)
  }

  deinit { try? provider.closeSource(discardingChanges: true) }

  /// Returns the content of the file.
  var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

  func query(_ sql: String) throws -> [[SQLiteValue]] {
    try provider.query(SQL(unsafe: sql)).map(\.values)
  }

  /// Returns all tables, with their column types and rows.
  func dump() throws -> [String] { try provider.read { try Self.dump($0) } }

  static func dump(_ connection: Connection) throws -> [String] {
    var lines: [String] = []
    for table in try connection.tables() where table.kind == .table {
      let columns = table.columns.map {
        $0.declaredType.isEmpty ? $0.name : "\($0.name) \($0.declaredType)"
      }
      lines.append("\(table.name.name)(\(columns.joined(separator: ", ")))")
      let rowID = table.isWithoutRowID ? "" : ", rowid"
      try connection.forEach(
        "SELECT *\(unsafe: rowID) FROM \(identifier: table.name.name)"
      ) { row in
        lines.append(try row.values.map(\.description).joined(separator: " "))
      }
    }
    return lines
  }

  /// Writes everything, changed or not, and reads it with another provider.
  func written(_ options: XMLProvider.Options = XMLProvider.Options()) throws -> XMLTables {
    try provider.execute("CREATE TABLE \"\u{1}\" (a)")
    try provider.execute("DROP TABLE \"\u{1}\"")
    try provider.persist()
    return try XMLTables(Array(Data(contentsOf: URL(fileURLWithPath: path))), options)
  }
}

func expectProviderError(
  _ code: ProviderError.Code, _ body: () throws -> Void,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> ProviderError? {
  let error = #expect(throws: ProviderError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  return error
}

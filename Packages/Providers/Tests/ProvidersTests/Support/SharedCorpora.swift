import Foundation
import SQLiteCore
import Testing

@testable import Providers

extension TemporaryFolder {
  func file(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }
}

/// The open corpora, if they are next to the repository.
enum SharedCorpora {
  /// Returns the lines of a corpus; none if the corpus does not exist, which is printed.
  static func lines(_ name: String) throws -> [[String: Any]] {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let file = folder.appendingPathComponent("shared/corpora/\(name)")
      if let data = try? Data(contentsOf: file) {
        return try data.split(separator: UInt8(ascii: "\n")).compactMap {
          try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
        }
      }
      folder.deleteLastPathComponent()
    }
    print("skipped: \(name) does not exist")
    return []
  }
}

extension DataProvider {
  /// Returns the open database as SQL that contains every value, rowid and statement.
  func dump() throws -> String { try read { try $0.dumpSQL() } }

  func values(_ sql: String) throws -> [[SQLiteValue]] { try query(SQL(unsafe: sql)).map(\.values) }
}

/// Returns the error that `body` throws.
func providerError(
  _ body: () throws -> Void, sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> ProviderError? {
  #expect(throws: ProviderError.self, sourceLocation: sourceLocation) { try body() }
}

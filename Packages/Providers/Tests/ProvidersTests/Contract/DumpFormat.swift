import Primitives
import Providers
import SQLiteCore

/// A test format: a file is the SQL that creates its tables.
///
/// Its layout counts how often the file was written.
struct DumpFormat: TableFormat {
  /// A fault of the format: SQL that changes the content that was read.
  var spoils: @Sendable (Connection) throws -> Void = { _ in }

  var newLayout: Int { 0 }

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> Int {
    var bytes: [UInt8] = []
    while let piece = try input.next() { bytes += piece }
    guard let text = String(wellFormed: bytes) else {
      throw ProviderError(.invalidEncoding, "expected a text")
    }
    guard text.hasPrefix(Self.beginning), text.hasSuffix(Self.end) else {
      throw ProviderError(.truncated, "the statements are not complete")
    }
    try tables.connection.forEachStatement(in: SQL(unsafe: text)) { statement in
      let first = statement.sql.drop { $0.isWhitespace }
      guard !["PRAGMA foreign_keys", "BEGIN", "COMMIT"].contains(where: first.hasPrefix) else {
        return
      }
      try statement.run()
    }
    try spoils(tables.connection)
    return 0
  }

  func write(_ contents: Connection, as layout: Int, to output: SourceSession.ByteOutput) throws
    -> Int
  {
    var bytes = Array(Self.beginning.utf8)
    try contents.dump { statement in
      bytes.append(contentsOf: statement.utf8)
      guard bytes.count > 1 << 16 else { return }
      try output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    bytes.append(contentsOf: Self.end.utf8)
    try output.write(bytes)
    return layout + 1
  }

  private static let beginning = "-- tables\n"
  private static let end = "-- end\n"
}

/// A provider of it.
final class DumpProvider: DataProvider {
  static let shared = DumpProvider()
  let session: SourceSession

  convenience init() {
    self.init(store: SourceSession.FileStore(format: DumpFormat()), directories: .standard)
  }

  init(store: some SourceSession.Store, directories: SourceSession.Directories) {
    session = SourceSession(store: store, directories: directories)
  }
}

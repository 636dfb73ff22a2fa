import Foundation
import Relations
import SQLiteCore

/// An in-memory database of books with an index of their titles and text.
struct IndexedBooks {
  let connection: Connection
  let index: FullTextIndex

  static let columns: [FullTextIndex.Column] = ["title", "body"]

  init(
    _ columns: [FullTextIndex.Column] = IndexedBooks.columns,
    tokenizer: FullTextIndex.Tokenizer = .unicode61(), prefixLengths: [Int] = [],
    schema: String =
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, body TEXT, code TEXT UNIQUE, n INTEGER)"
  ) throws {
    connection = try Connection.inMemory(configuration: .trusting)
    try connection.execute(SQL(unsafe: schema))
    index = FullTextIndex(
      "book_search", on: "book", columns: columns, tokenizer: tokenizer,
      prefixLengths: prefixLengths)
    try index.create(in: connection)
  }

  func add(_ titles: String...) throws {
    for title in titles { try connection.run("INSERT INTO book (title) VALUES (?)", title) }
  }

  func find(_ query: FullTextQuery) throws -> [Int64] {
    try connection.search(index, query).map(\.rowID.rawValue)
  }

  func problems() throws -> [FullTextIndex.Problem] { try index.integrityCheck(in: connection) }
}

/// A reproducible random number generator: SplitMix64.
struct FullTextGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension Configuration {
  /// The configuration that triggers of a full-text index need before about SQLite 3.43.
  static var trusting: Configuration {
    var configuration = Configuration()
    configuration.trustsSchema = true
    return configuration
  }
}

/// The amount of random testing: small by default, large with `HOLT_CORPORA=all`.
enum FullTextEffort {
  static func seeds(_ few: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment["HOLT_CORPORA"] == "all" ? few * 40 : few
  }
}

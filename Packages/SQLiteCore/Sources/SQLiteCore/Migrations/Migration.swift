internal import Primitives

/// One named step of a schema's history.
///
/// Its name is what the database remembers: once released, neither the name nor what it does may
/// change.
public struct Migration: Sendable {
  /// What references between tables undergo while a migration runs.
  public enum ForeignKeys: Hashable, Sendable {
    /// They are checked when the migration is done, before it is committed. Tables can be rebuilt
    /// under their references, as SQLite's documentation describes.
    case checkedAtEnd
    /// They are enforced, with their actions, at each statement.
    case enforced
  }

  /// What the database remembers it by.
  public let name: String
  /// What references undergo while it runs.
  public let foreignKeys: ForeignKeys
  /// What tells whether a migration of SQL has been changed; `nil` for one of Swift.
  ///
  /// Space, comments, and letter case outside of quotes do not count.
  public let checksum: String?
  let body: @Sendable (Connection) throws -> Void

  /// Creates a migration that runs SQL.
  ///
  /// SQL that is read from a file is passed as `SQL(unsafe: text)`.
  public init(name: String, foreignKeys: ForeignKeys = .checkedAtEnd, sql: SQL) {
    self.name = name
    self.foreignKeys = foreignKeys
    checksum = Self.checksum(of: sql.text)
    body = { try $0.execute(sql) }
  }

  /// A migration that runs Swift.
  public init(
    name: String, foreignKeys: ForeignKeys = .checkedAtEnd,
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) {
    self.name = name
    self.foreignKeys = foreignKeys
    checksum = nil
    self.body = body
  }

  /// FNV-1a over the statement's words: it guards against mistakes, not against malice.
  ///
  /// It is kept in the file, and so must not depend on what SQLite's release takes for a keyword.
  private static func checksum(of sql: String) -> String {
    let tokens = SQLTokens(sql)
    let words = (0..<tokens.count).map { index in
      switch tokens.kind(index) {
      case .word, .number: tokens.text(index).asciiLowercased
      // Each byte of an operator is a word of its own here: checksums of earlier releases had no longer symbols.
      case .symbol: tokens.text(index).map(String.init).joined(separator: " ")
      default: tokens.text(index)
      }
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in words.joined(separator: " ").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

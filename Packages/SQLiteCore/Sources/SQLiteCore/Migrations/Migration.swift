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

  public let name: String
  public let foreignKeys: ForeignKeys
  let body: @Sendable (Connection) throws -> Void

  /// A migration that runs SQL.
  public init(name: String, foreignKeys: ForeignKeys = .checkedAtEnd, sql: String) {
    self.init(name: name, foreignKeys: foreignKeys) { try $0.execute(sql) }
  }

  /// A migration that runs Swift.
  public init(
    name: String, foreignKeys: ForeignKeys = .checkedAtEnd,
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) {
    self.name = name
    self.foreignKeys = foreignKeys
    self.body = body
  }
}

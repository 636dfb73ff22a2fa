/// `BEGIN [DEFERRED|IMMEDIATE|EXCLUSIVE] [TRANSACTION [name]]`
public struct Begin: Equatable, Sendable {
  /// The mode, where written.
  public var mode: Mode?
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// When locks are taken.
  public enum Mode: String, Hashable, Sendable {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
    case exclusive = "EXCLUSIVE"
  }
}

/// `COMMIT [TRANSACTION [name]]`, `END [TRANSACTION [name]]`
public struct Commit: Equatable, Sendable {
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ROLLBACK [TRANSACTION [name]] [TO [SAVEPOINT] savepoint]`
public struct Rollback: Equatable, Sendable {
  /// The name, which SQLite ignores.
  public var name: Identifier?
  /// The savepoint to go back to; `nil` for the whole transaction.
  public var savepoint: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `SAVEPOINT name`
public struct Savepoint: Equatable, Sendable {
  /// Its name.
  public var name: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `RELEASE [SAVEPOINT] name`
public struct Release: Equatable, Sendable {
  /// The savepoint.
  public var name: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

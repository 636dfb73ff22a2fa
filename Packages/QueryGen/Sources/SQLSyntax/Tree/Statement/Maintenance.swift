/// `ATTACH [DATABASE] file AS schema [KEY key]`
public struct Attach: Equatable, Sendable {
  /// The file.
  public var file: Expression
  /// The schema it is to be; a bare word is its name.
  public var schema: Expression
  /// The key, which SQLite ignores.
  public var key: Expression?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `DETACH [DATABASE] schema`
public struct Detach: Equatable, Sendable {
  /// The schema; a bare word is its name.
  public var schema: Expression
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ANALYZE [name]`
public struct Analyze: Equatable, Sendable {
  /// A schema, a table or an index; `nil` for all.
  public var name: QualifiedName?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `REINDEX [name]`
public struct Reindex: Equatable, Sendable {
  /// A collation, a table or an index; `nil` for all.
  public var name: QualifiedName?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `VACUUM [schema] [INTO file]`
public struct Vacuum: Equatable, Sendable {
  /// The schema.
  public var schema: Identifier?
  /// The file to write to.
  public var into: Expression?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// A file of plain statements, such as a migration.
public struct Script: Hashable, Sendable {
  /// The statements that could be read, in order.
  public var statements: [ScriptStatement]
}

/// One statement of a script, and the comments above it.
public struct ScriptStatement: Hashable, Sendable {
  /// The statement.
  public var statement: Statement
  /// The lines of the comments directly above it, without their markers.
  public var documentation: [String]
}

/// A file of plain statements, such as a migration.
public struct Script: Equatable, Sendable {
  /// The statements that could be read, in order.
  public var statements: [ScriptStatement]
}

/// One statement of a script, and the comments above it.
public struct ScriptStatement: Equatable, Sendable {
  /// The statement.
  public var statement: Statement
  /// The lines of the comments directly above it, without their markers.
  public var documentation: [String]
}

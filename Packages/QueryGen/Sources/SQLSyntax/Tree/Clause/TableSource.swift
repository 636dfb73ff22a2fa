/// One source of rows in a `FROM` clause.
public indirect enum TableSource: Equatable, Sendable {
  /// A table, a view or a common table.
  case table(TableReference)
  /// A table-valued function: `json_each(x)`.
  case function(TableFunction)
  /// `(SELECT …) AS alias`
  case subquery(SubquerySource)
  /// `(a JOIN b …) AS alias`
  case parenthesized(ParenthesizedSource)

  /// Where it stands, alias included.
  public var span: ByteSpan {
    switch self {
    case .table(let node): node.span
    case .function(let node): node.span
    case .subquery(let node): node.span
    case .parenthesized(let node): node.span
    }
  }

  /// The alias, where one is written.
  public var alias: Identifier? {
    switch self {
    case .table(let node): node.alias
    case .function(let node): node.alias
    case .subquery(let node): node.alias
    case .parenthesized(let node): node.alias
    }
  }
}

/// A table named in a `FROM` clause or as the target of a change.
public struct TableReference: Equatable, Sendable {
  /// The table.
  public var name: QualifiedName
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// `INDEXED BY …` or `NOT INDEXED`, where written.
  public var indexing: Indexing?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// Which index a table must be read through.
  public enum Indexing: Equatable, Sendable {
    /// `INDEXED BY name`
    case indexedBy(Identifier)
    /// `NOT INDEXED`
    case notIndexed
  }
}

/// A call whose rows are a table.
public struct TableFunction: Equatable, Sendable {
  /// The function.
  public var name: QualifiedName
  /// What it is given.
  public var arguments: [Expression]
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// A select in parentheses whose rows are a table.
public struct SubquerySource: Equatable, Sendable {
  /// The select.
  public var select: Select
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// Sources joined inside parentheses.
public struct ParenthesizedSource: Equatable, Sendable {
  /// What stands inside.
  public var from: FromClause
  /// The name it goes by in the statement.
  public var alias: Identifier?
  /// Where it stands, parentheses included.
  @SourceSpan public var span: ByteSpan
}

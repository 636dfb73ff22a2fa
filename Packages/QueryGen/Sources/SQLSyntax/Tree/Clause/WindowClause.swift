/// One definition of a `WINDOW` clause: `name AS (…)`.
public struct WindowDefinition: Equatable, Sendable {
  /// Its name.
  public var name: Identifier
  /// What stands in its parentheses.
  public var window: WindowSpecification
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// What stands after `OVER`.
public enum OverClause: Equatable, Sendable {
  /// `OVER name`
  case named(Identifier)
  /// `OVER (…)`
  case specification(WindowSpecification)
}

/// A window: which rows a window function sees.
public struct WindowSpecification: Equatable, Sendable {
  /// The window it extends, where one is named.
  public var base: Identifier?
  /// `PARTITION BY`; empty where not written.
  public var partitionBy: [Expression]
  /// `ORDER BY`; empty where not written.
  public var orderBy: [OrderingTerm]
  /// The frame, where written.
  public var frame: WindowFrame?
  /// Where it stands, with its parentheses.
  @SourceSpan public var span: ByteSpan
}

/// `ROWS BETWEEN … AND … EXCLUDE …`
public struct WindowFrame: Equatable, Sendable {
  /// What the bounds count.
  public var unit: Unit
  /// Where the frame starts.
  public var start: Bound
  /// Where it ends; `nil` where only a start is written, which means the current row.
  public var end: Bound?
  /// Which rows are left out, where written.
  public var exclusion: Exclusion?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What the bounds of a frame count.
  public enum Unit: String, Hashable, Sendable {
    case rows = "ROWS"
    case range = "RANGE"
    case groups = "GROUPS"
  }

  /// One end of a frame.
  public enum Bound: Equatable, Sendable {
    case unboundedPreceding
    case preceding(Expression)
    case currentRow
    case following(Expression)
    case unboundedFollowing
  }

  /// Which rows of a frame are left out.
  public enum Exclusion: String, Hashable, Sendable {
    case noOthers = "NO OTHERS"
    case currentRow = "CURRENT ROW"
    case group = "GROUP"
    case ties = "TIES"
  }
}

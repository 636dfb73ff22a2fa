public import SQLSyntax

/// Statements that SQLite prepares although they are likely mistakes. Most are warnings.
extension Diagnostic.Identity {
  /// An insert without a value for a column that is `NOT NULL` and has no default.
  public static let missingValue = Self(rawValue: "missing-value")
  /// A comparison with `NULL`, which is never true.
  public static let nullComparison = Self(rawValue: "null-comparison")
  /// The name of a parameter inside a string literal, where it is text.
  public static let parameterInString = Self(rawValue: "parameter-in-string")
  /// A backslash before a wildcard in a pattern without `ESCAPE`, which matches a backslash.
  public static let missingEscape = Self(rawValue: "missing-escape")
  /// A parameter as a term of `ORDER BY` or `GROUP BY`, where it has the same value for every row.
  public static let constantTerm = Self(rawValue: "constant-term")
  /// A join without a condition.
  public static let unconstrainedJoin = Self(rawValue: "unconstrained-join")
  /// A column outside of the aggregates of a query, on which the query doesn't group.
  public static let ungroupedColumn = Self(rawValue: "ungrouped-column")
  /// A query for one row that may return several.
  public static let severalRows = Self(rawValue: "several-rows")
  /// Rows of a statement that is not the last of its query, whose result they can't be.
  public static let unusedResult = Self(rawValue: "unused-result")
  /// An argument of a declared function that may be `NULL`, although the parameter is `NOT NULL`.
  public static let nullArgument = Self(rawValue: "null-argument")
  /// A function in the schema that SQLite refuses unless the configuration trusts the schema.
  public static let untrustedFunction = Self(rawValue: "untrusted-function")
  /// A column type with a meaning in other databases that SQLite ignores.
  public static let ignoredType = Self(rawValue: "ignored-type")
}

extension Resolver {
  /// Warns of statements that return rows before the last statement of a query.
  mutating func warnOfUnusedResults(_ statements: [Statement], _ outcomes: [ResolvedStatement]) {
    for (statement, outcome) in zip(statements, outcomes).dropLast() where !outcome.columns.isEmpty
    {
      warn(
        .unusedResult, at: statement.span,
        "the rows of this statement are not used: the result of a query is that of its last statement"
      )
    }
  }
}

extension Diagnostic {
  /// Creates the warning for a query with `:one` that may return several rows. Only the first is
  /// used.
  static func severalRows(_ query: NamedQuery) -> Diagnostic {
    var diagnostic = Diagnostic(
      .severalRows, severity: .warning, at: query.name.span,
      "`\(query.name.text)` is for one row, but its conditions don't select one row by a unique key, "
        + "so it returns the first of several")
    if case .select(let select) = query.statement, select.limit == nil {
      diagnostic.message += "; add LIMIT 1 to confirm it"
      diagnostic.fixIt = FixIt(
        replace: ByteSpan(select.span.end, select.span.end), with: " LIMIT 1")
    }
    return diagnostic
  }
}

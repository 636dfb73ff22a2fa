extension Diagnostic.Identity {
  /// A statement in a query file without a name.
  public static let unnamedQuery = Self(rawValue: "unnamed-query")
  /// A name that a query before has.
  public static let duplicateQuery = Self(rawValue: "duplicate-query")
  /// A header without a statement.
  public static let emptyQuery = Self(rawValue: "empty-query")
  /// A header in a comment that can't be read.
  public static let malformedQueryHeader = Self(rawValue: "malformed-query-header")
}

extension Diagnostic {
  static func unnamedQuery(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .unnamedQuery, at: span,
      "this statement has no name; put \"DEFINE QUERY name AS\" or \"name:\" before it")
  }

  static func duplicateQuery(_ name: Identifier, first: Identifier) -> Diagnostic {
    Diagnostic(
      .duplicateQuery, at: name.span, "there is already a query called \"\(name.text)\"",
      notes: [Note("the first one is here", at: first.span)])
  }

  static func emptyQuery(_ name: Identifier) -> Diagnostic {
    Diagnostic(.emptyQuery, at: name.span, "the query \"\(name.text)\" has no statement")
  }

  static func malformedQueryHeader(at span: ByteSpan) -> Diagnostic {
    let known = NamedQuery.Cardinality.allCases.map { ":" + $0.rawValue }
    return Diagnostic(
      .malformedQueryHeader, at: span,
      "a header is \"-- name: queryName\" and one of \(known.joined(separator: ", "))")
  }
}

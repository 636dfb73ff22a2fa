/// The annotations of a query that let its caller choose parts of the statement.
public struct QueryAnnotations: Equatable, Sendable {
  /// The declared orders, one for each parameter.
  public var orders: [ChoiceAnnotation] = []
  /// The declared filters, one for each parameter.
  public var filters: [ChoiceAnnotation] = []
  /// The clauses with terms that may be absent, in the order of their ends. Clauses of subqueries
  /// precede the clauses that contain them.
  public var clauses: [AnnotatedClause] = []

  /// Creates annotations.
  public init(
    orders: [ChoiceAnnotation] = [], filters: [ChoiceAnnotation] = [],
    clauses: [AnnotatedClause] = []
  ) {
    self.orders = orders
    self.filters = filters
    self.clauses = clauses
  }
}

/// `order: :name = term, term AS name` or `filter: :name = column, expression AS name` above a query:
/// the terms with which the caller may replace `:name` in `ORDER BY`, or the values of which the
/// caller may compose a condition that replaces `:name`.
public struct ChoiceAnnotation: Equatable, Sendable {
  /// The parameter.
  public var parameter: Parameter
  /// The terms, in order; empty if all of them have errors.
  public var choices: [Choice]
  /// The annotation's span, starting at the parameter.
  @SourceSpan public var span: ByteSpan

  /// One of the terms.
  public struct Choice: Equatable, Sendable {
    /// The name after `AS`, or else the name of the column.
    public var name: Identifier
    /// The term; with its declared direction if it belongs to an order.
    public var term: OrderingTerm
  }
}

/// A clause of a statement, some of whose terms may be absent from the statement's text.
public struct AnnotatedClause: Equatable, Sendable {
  /// The kinds of clause.
  public enum Kind: Hashable, Sendable {
    /// `WHERE` of a select.
    case `where`
    /// `WHERE` of an update or a delete.
    case changeWhere
    case having, on, orderBy
  }

  /// A term: an operand of `AND`, or an element of `ORDER BY`.
  public struct Term: Equatable, Sendable {
    /// The parameters without which the term is absent. Empty if the term has no annotation.
    public var condition: [Parameter]
    /// The parameter, if the term consists of one, which may be declared as an order or a filter.
    public var parameter: Parameter?
    /// The term's span.
    @SourceSpan public var span: ByteSpan
  }

  /// The kind of clause.
  public var kind: Kind
  /// The terms; never empty.
  public var terms: [Term]
  /// The clause's span, from the end of the token before its keyword to the end of its last term.
  @SourceSpan public var span: ByteSpan
}

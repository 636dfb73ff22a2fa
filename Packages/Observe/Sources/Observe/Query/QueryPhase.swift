/// How far a query is, and what there is to show.
public enum QueryPhase<Value> {
  /// Nothing is observed: the query has not begun, or is disabled.
  case idle(last: Value?)
  /// A value is being fetched. The last one may be an earlier request's.
  case loading(last: Value?)
  /// The value as it is, as far as is known.
  case value(Value)
  /// Fetching has failed. The last value is of before.
  case failed(any Error, last: Value?)

  /// What there is to show: the value, or the last one.
  public var value: Value? {
    switch self {
    case .idle(let last), .loading(let last), .failed(_, let last): last
    case .value(let value): value
    }
  }

  /// Why fetching has failed; `nil` where it has not.
  public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }

  /// Whether a value is being fetched: the first one of a request, or a refreshed one.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// Whether what there is to show may not be what is asked for now: it is of before a change of the
  /// request, a refresh, a failure or a pause.
  public var isStale: Bool { if case .value = self { false } else { true } }
}

extension QueryPhase: Sendable where Value: Sendable {}

/// Rows as a query shows them: an array of any number, or an optional for one at most.
///
/// Nothing else need conform to it.
public protocol QueryableRows {
  /// What is shown before there is a value.
  static var noRows: Self { get }
}

extension Array: QueryableRows {
  public static var noRows: [Element] { [] }
}

extension Optional: QueryableRows {
  public static var noRows: Wrapped? { nil }
}

extension QueryableRows where Self: Sendable {
  /// Whether two values can be compared, and are equal.
  @Sendable static func areEqual(_ a: Self, _ b: Self) -> Bool {
    func equals<Other: Equatable>(_ a: Other) -> Bool { b as? Other == a }
    guard let a = a as? any Equatable else { return false }
    return equals(a)
  }
}

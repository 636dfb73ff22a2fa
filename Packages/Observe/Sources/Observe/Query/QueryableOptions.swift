/// How the values of a request are fetched.
public struct QueryableOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Fetches the first value at once, on the thread that asks: in an app that is the main thread, which
  /// stands still meanwhile. For values that are cheap to fetch, and must not be late.
  ///
  /// Without it nothing is fetched on the main thread, and the default value is there until the
  /// first one has come.
  public static let immediate = QueryableOptions(rawValue: 1 << 0)
}

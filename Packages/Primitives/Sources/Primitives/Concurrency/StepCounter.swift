/// Counts the steps of algorithms, for tests of their complexity.
///
/// Algorithms call ``step()`` in their loops. Steps are counted in debug builds and in builds with
/// `-DHOLT_COUNTS_STEPS`. In other builds the call has no code.
///
/// ```swift
/// let counter = StepCounter()
/// let value = try counter.run { try SPONValue(parsing: text) }
/// print(counter.count)
/// ```
public final class StepCounter: Sendable {
  private let steps = Atomic(0)
  @TaskLocal private static var current: StepCounter?

  public init() {}

  /// The number of counted steps.
  public var count: Int { steps.load(ordering: .relaxed) }

  /// Counts the steps of `body` in the calling task and its child tasks.
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  #if DEBUG || HOLT_COUNTS_STEPS
    /// Indicates whether this build counts steps.
    public static let isEnabled = true

    /// Counts one step.
    public static func step() { _ = current?.steps.add(1, ordering: .relaxed) }
  #else
    public static let isEnabled = false

    @inlinable @inline(__always) public static func step() {}
  #endif
}

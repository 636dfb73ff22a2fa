internal import Primitives

extension Hooks {
  /// A number that changes with what observers want to know, which a writer looks at without a lock.
  ///
  /// A ``TransactionObserver`` that declines a statement's changes is not asked about it again while the numbers of
  /// its ``TransactionObserver/interests`` stay what they were.
  public final class ChangeInterest: Sendable {
    private let number = Atomic<UInt64>(1)

    public init() {}

    public var current: UInt64 { number.load(ordering: .acquiring) }

    /// To be called once what it stands for has changed, and before anyone is told that it has.
    public func change() { number.add(1, ordering: .acquiringAndReleasing) }
  }
}

extension Hooks {
  /// The interests that an observer's decision rests on.
  public struct ChangeInterests: Sendable {
    public let first: ChangeInterest
    public let second: ChangeInterest?

    public init(_ first: ChangeInterest, _ second: ChangeInterest? = nil) {
      self.first = first
      self.second = second
    }
  }
}

extension DatabaseObservation {
  /// Which observation something is told of: one iteration, from when it is made until it ends.
  public struct Label: Hashable, Sendable {
    /// The observation's number among those of its database, counted from 1 together with other
    /// sequences.
    public let number: UInt64
    /// What `ValueObservation.named(_:)` has called it; several may have one name.
    public let name: String?
  }
}

extension DatabaseObservation.Label: CustomStringConvertible {
  /// The name, or the number where there is none.
  public var description: String { name ?? "observation \(number)" }
}

/// An error that prevents a check: a tool is missing, or a manifest does not load.
///
/// A violation of a rule is a ``Finding`` instead.
public struct CheckError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the failure, for a person.
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

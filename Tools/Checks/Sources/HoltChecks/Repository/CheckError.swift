/// A check could not do its work: a tool is missing, a manifest does not load.
///
/// What a check *refuses* is a ``Finding`` instead.
public struct CheckError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed, in words for a person.
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// A text that is not JSON, or that exceeds a limit.
public struct JSONFailure: Error, Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    case malformed
    /// The text ends too early.
    case truncated
    /// The bytes are not UTF-8, or an escape is half of a pair of surrogates.
    case invalidEncoding
    /// More containers are open than ``JSONReadingOptions/depth``.
    case tooDeep
    /// A text, key or number is longer than ``JSONReadingOptions/length``.
    case tooLong
  }

  public let code: Code
  public let message: String
  /// The place in the whole text, with all of its parts. The column counts bytes.
  public let position: DataErrorPlace.Position
}

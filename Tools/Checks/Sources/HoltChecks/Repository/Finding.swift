/// A violation of a rule, with its location.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  /// The file, as a path from the repository's root.
  public let path: String
  /// The line, counting from 1.
  public let line: Int
  /// A description of the violation and of the fix.
  public let message: String

  public init(path: String, line: Int, message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  /// The finding in the format of compilers: `path:line: error: message`.
  public var description: String { "\(path):\(line): error: \(message)" }
}

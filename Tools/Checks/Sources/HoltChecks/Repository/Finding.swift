/// One thing that a check refuses, and where it stands.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  /// The file, as a path from the repository's root.
  public let path: String
  /// The line, counting from 1.
  public let line: Int
  /// What is wrong, and what would be right.
  public let message: String

  public init(path: String, line: Int, message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  /// The form that editors and compilers agree on: `path:line: error: message`.
  public var description: String { "\(path):\(line): error: \(message)" }
}

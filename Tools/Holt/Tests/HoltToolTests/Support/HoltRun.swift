import CommandTesting

/// Runs the built command in a temporary folder, as a user would.
typealias HoltRun = CommandRun

extension CommandRun {
  convenience init() throws { try self.init("holt", products: ["holt", "holt-tool"]) }

  /// Runs the command in the folder.
  func holt(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    try command(arguments, input: input, environment: environment)
  }
}

import CommandTesting

/// A folder of its own for one test, in which the built command is run as a user runs it.
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

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

#if os(Linux)
  extension CommandRun {
    /// Runs a shell command line in a pseudoterminal, and returns its output with escape sequences.
    func inTerminal(
      _ line: String, size: (Int, Int) = (24, 80), environment: [String: String] = [:]
    ) throws -> String {
      let command = line.replacing("holt ", with: "\(executable) ")
      try write("stty rows \(size.0) cols \(size.1)\n\(command)\n", to: "command.sh")
      let result = try shell(
        "script -qec 'bash command.sh' /dev/null </dev/null",
        environment: ["TERM": "xterm"].merging(environment) { $1 })
      return result.output.replacing("\r\n", with: "\n")
    }
  }
#endif

internal import Foundation

/// A finished command with its output.
struct Command {
  let arguments: [String]
  let status: Int32
  let output: String
  let errors: String

  /// Guards the start of a process: on Linux, Foundation has crashed when several started concurrently.
  private static let starting = NSLock()

  /// Runs the command `arguments`, searched on `PATH`, without standard input.
  static func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws(CheckError) -> Command {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Files instead of pipes: a full pipe would block the process while the other pipe is read.
    return try ScratchFolder.with(
      for: "command", or: "cannot run \(arguments.joined(separator: " "))"
    ) { folder in
      let output = folder.appending(path: "out")
      let errors = folder.appending(path: "err")
      try Data().write(to: output)
      try Data().write(to: errors)
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try starting.withLock { try process.run() }
      process.waitUntilExit()
      return Command(
        arguments: arguments, status: process.terminationStatus,
        output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
  }

  /// Runs the command `arguments` and returns its standard output.
  ///
  /// - Throws: ``CheckError`` with the complete output if the command fails.
  static func output(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws(CheckError) -> String {
    let command = try run(arguments, in: folder, environment: environment)
    guard command.status == 0 else {
      throw CheckError(
        "\(arguments.joined(separator: " ")) failed (\(command.status))\n"
          + command.output + command.errors)
    }
    return command.output
  }
}

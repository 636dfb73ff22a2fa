import Foundation

/// Runs a built command in a temporary folder, as a user would. Each test creates its own.
public final class CommandRun: Sendable {
  /// The command's name in ``shell(_:environment:)``.
  public let name: String
  /// The path of the executable.
  public let executable: String
  public let folder: String

  /// - Parameters:
  ///   - name: The command's name in the shell.
  ///   - products: The possible names of the executable, which is in the same folder as the tests.
  public init(_ name: String, products: [String]) throws {
    self.name = name
    executable = Self.executable(products) ?? name
    folder =
      FileManager.default.temporaryDirectory.appending(path: "holt-command-\(UUID().uuidString)")
      .path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  public struct Result: Sendable {
    public let status: Int32
    public let output: String
    public let errors: String
  }

  private static func executable(_ products: [String]) -> String? {
    let arguments = ProcessInfo.processInfo.arguments
    let bundles = arguments.filter { $0.hasSuffix(".xctest") } + arguments.prefix(1)
    for bundle in bundles {
      var folder = URL(filePath: bundle).deletingLastPathComponent()
      for _ in 0..<4 {
        for name in products {
          let path = folder.appending(path: name).path(percentEncoded: false)
          if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        folder = folder.deletingLastPathComponent()
      }
    }
    return nil
  }

  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> String { "\(folder)/\(name)" }

  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }

  public func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }

  public func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Runs the command in the folder.
  public func command(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    try run([executable] + arguments, input: input, environment: environment)
  }

  /// Runs a shell command line in the folder. The command is available under ``name``.
  public func shell(_ line: String, environment: [String: String] = [:]) throws -> Result {
    try run(
      ["/bin/bash", "-c", "\(name)() { '\(executable)' \"$@\"; }; \(line)"], input: nil,
      environment: environment)
  }

  private func run(
    _ arguments: [String], input: String?, environment: [String: String]
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory)
    var all = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "PAGER", "LESS"] { all[name] = nil }
    process.environment = all.merging(environment) { $1 }
    let number = UUID().uuidString
    let (out, error) = (path(".out-\(number)"), path(".err-\(number)"))
    // Writes to files, since a pipe that is not read would block when it is full.
    for path in [out, error] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    defer { for path in [out, error] { try? FileManager.default.removeItem(atPath: path) } }
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: out))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: error))
    if let input {
      let file = path(".in-\(number)")
      try Data(input.utf8).write(to: URL(filePath: file))
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: file))
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    let status =
      process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
    return Result(
      status: status, output: try read(out), errors: try read(error))
  }

  private func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }
}

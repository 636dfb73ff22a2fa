import Foundation
import Testing

/// A folder of its own for one test, in which the built command is run as a user runs it.
final class HoltRun: Sendable {
  let folder: String

  init() throws {
    folder =
      FileManager.default.temporaryDirectory.appending(path: "holt-tool-\(UUID().uuidString)")
      .path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  struct Result: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The executable: beside the tests, under the name of its product or that of its target.
  static let executable: String = {
    let arguments = ProcessInfo.processInfo.arguments
    let bundles = arguments.filter { $0.hasSuffix(".xctest") } + [arguments[0]]
    for bundle in bundles {
      var folder = URL(filePath: bundle).deletingLastPathComponent()
      for _ in 0..<4 {
        for name in ["holt", "holt-tool"] {
          let path = folder.appending(path: name).path(percentEncoded: false)
          if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        folder = folder.deletingLastPathComponent()
      }
    }
    return "holt"
  }()

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Runs the command in the folder.
  func holt(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    try run([Self.executable] + arguments, input: input, environment: environment)
  }

  /// Runs a line of the shell in the folder, in which `holt` is the command.
  func shell(_ line: String, environment: [String: String] = [:]) throws -> Result {
    let quoted = "'\(Self.executable)'"
    return try run(
      ["/bin/bash", "-c", "holt() { \(quoted) \"$@\"; }; \(line)"], input: nil,
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
    // Files take any amount, where a pipe that nobody reads would be full.
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

/// The files that the tests ask.
enum Samples {
  static let towns = """
    [{"id":1,"name":"Oslo","country":"NO","people":709037,"at":{"lat":59.91}},
    {"id":2,"name":"Reykjavík","country":"IS","people":139000,"at":{"lat":64.15}},
    {"id":3,"name":"東京","country":"JP","people":14094034,"at":{"lat":35.69}}]
    """
  static let orders = "id,town,sum\n1,1,12.50\n2,3,8.25\n3,1,100.00\n"
  static let library = """
    PRAGMA user_version = 3;
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, cover BLOB,
      author INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE);
    CREATE INDEX book_author ON book (author);
    CREATE VIEW titles AS SELECT title, name FROM book JOIN author ON author.id = author;
    CREATE TRIGGER book_trim AFTER INSERT ON book
      BEGIN UPDATE book SET title = trim(title) WHERE id = new.id; END;
    INSERT INTO author VALUES (1, 'George Eliot', 1819), (2, 'Sappho', NULL);
    INSERT INTO book VALUES (1, 'Middlemarch', x'00ff', 1), (2, 'Silas Marner', NULL, 1);
    """
}

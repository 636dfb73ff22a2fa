import Foundation
import Primitives
import Router
import SQLiteCore

/// A connection by `psql`, for tests of the dialect without a client.
final class PsqlSession: Sendable {
  /// The result of one statement.
  struct Result {
    var columns: [(name: String, type: String)] = []
    var rows: [[String?]] = []
    var affected = 0
  }

  private let input: FileHandle
  private let output: FileHandle
  private let state: Mutex<State>

  private struct State {
    let process: Process
    /// The number of prepared statements.
    var count = 0
  }

  init(_ server: PrivateServer) throws {
    let process = try server.psqlProcess()
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    state = Mutex(State(process: process))
    _ = try send("\\set VERBOSITY verbose\n")
  }

  deinit {
    try? input.close()
    state.withLock { $0.process.waitUntilExit() }
  }

  /// Runs statements without results.
  func execute(_ sql: String) throws {
    _ = try send("\(sql)\n;\n")
  }

  /// Prepares a statement, and runs it.
  func run(_ sql: String, _ literals: String) throws -> Result {
    let name = state.withLock { state in
      state.count += 1
      return "s\(state.count)"
    }
    let call = "EXECUTE \(name)\(literals.isEmpty ? "" : " (\(literals))")"
    let sections = try send(
      """
      PREPARE \(name) AS \(sql)
      ;
      \\echo \(Self.separator)
      \(call) \\gdesc
      \\echo \(Self.separator)
      \(call)
      ;
      \\echo \(Self.separator) :ROW_COUNT

      """
    ).components(separatedBy: Self.separator)
    guard sections.count == 4 else {
      throw PrivateServer.Failure(description: sections.joined(separator: "|"))
    }
    var result = Result()
    if !sections[1].contains("no result") {
      result.columns = PrivateServer.rows(sections[1].trimmingLines).compactMap { row in
        row.count == 2 ? (row[0] ?? "", row[1] ?? "") : nil
      }
    }
    result.affected = Int(sections[3].trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    if !result.columns.isEmpty, result.affected > 0 {
      let text = sections[2].trimmingLines
      // A row of one empty text is an empty line.
      result.rows = text.isEmpty ? [[""]] : PrivateServer.rows(text)
    }
    return result
  }

  private static let separator = "\u{1D}"
  private static let end = "\u{1C}"

  /// Sends commands, and returns their output.
  private func send(_ commands: String) throws -> String {
    try state.withLock { _ in
      try input.write(contentsOf: Data("\(commands)\\echo \(Self.end)\n".utf8))
      var text = Data()
      while !text.contains(0x1C) {
        let more = output.availableData
        if more.isEmpty { throw PrivateServer.Failure(description: "psql has ended") }
        text += more
      }
      let output = String(decoding: text, as: UTF8.self).replacingOccurrences(
        of: Self.end, with: "")
      if let range = output.range(of: "ERROR:  ") {
        throw ServerError(String(output[range.upperBound...]))
      }
      return output
    }
  }

  /// An error of the server, with its SQLSTATE.
  struct ServerError: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = text }

    var state: String { String(description.prefix(5)) }

    /// Returns a field of the message, such as `TABLE NAME`.
    func field(_ name: String) -> String? {
      guard let range = description.range(of: "\(name):  ") else { return nil }
      return description[range.upperBound...].split(separator: "\n").first.map(String.init)
    }
  }
}

extension String {
  /// The text without the line breaks at its ends.
  fileprivate var trimmingLines: String {
    var text = self[...]
    if text.first == "\n" { text.removeFirst() }
    if text.last == "\n" { text.removeLast() }
    return String(text)
  }
}

public import ArgumentParser
import CTerminal
import Foundation

/// One of the process's standard streams.
public enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  public var isTerminal: Bool { holt_is_terminal(rawValue) != 0 }

  /// The number of columns, or 80 if unknown.
  public var columns: Int {
    let columns = Int(holt_terminal_columns(rawValue))
    return columns > 0 ? columns : 80
  }

  /// The number of lines, or 24 if unknown.
  public var rows: Int {
    let rows = Int(holt_terminal_rows(rawValue))
    return rows > 0 ? rows : 24
  }

  /// A Boolean value that indicates whether the stream is a file, pipe or socket, not a terminal or
  /// a device such as `/dev/null`.
  public var isPipeOrFile: Bool { holt_is_pipe_or_file(rawValue) != 0 }

  /// Returns whether to use colors. With `auto`, they are used in terminals that support them,
  /// unless `NO_COLOR` is set.
  public func showsColor(_ choice: ColorChoice) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      return isTerminal && environment["NO_COLOR", default: ""].isEmpty
        && environment["TERM"] != "dumb"
    }
  }

  /// Writes text without buffering, ignoring errors.
  public func write(_ text: String) {
    let handle = self == .output ? FileHandle.standardOutput : .standardError
    try? handle.write(contentsOf: Data(text.utf8))
  }

  /// Makes writes to a closed pipe fail instead of ending the process; see ``BrokenPipe``.
  public static func ignoreBrokenPipeSignal() { holt_ignore_broken_pipe_signal() }
}

/// The values of `--color`.
public enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never
}

/// ANSI text styles.
public enum TerminalStyle: String, Sendable {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case blue = "34"
  case cyan = "36"
  case boldRed = "1;31"

  public func callAsFunction(_ text: String, if isOn: Bool = true) -> String {
    isOn ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}

internal import Foundation

/// The command-line options. If an option is repeated, the last one is used.
struct Options {
  private let arguments: [String]

  init(_ arguments: [String]) { self.arguments = arguments }

  func has(_ option: String) -> Bool { arguments.contains(option) }

  func value(of option: String) -> String? {
    guard let index = arguments.lastIndex(of: option), arguments.indices.contains(index + 1) else {
      return nil
    }
    return arguments[index + 1]
  }

  /// Writes `text` to the file given by the option, if any.
  func write(_ option: String, _ text: () throws -> String) throws {
    guard let path = value(of: option) else { return }
    try Data(text().utf8).write(to: URL(fileURLWithPath: path))
  }
}

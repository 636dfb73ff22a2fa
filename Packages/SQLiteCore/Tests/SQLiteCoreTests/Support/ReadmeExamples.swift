import Foundation

/// Extracts the Swift examples of the README and of the tests.
enum ReadmeExamples {
  /// Returns the code blocks of a page, without indentation.
  static func blocks(ofPage text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
      .map(unindented)
  }

  /// Returns the lines between each `// README: name` and `// README: end`, in the order of the file.
  static func blocks(ofTests text: String) -> [String] {
    text.components(separatedBy: "// README: ").dropFirst()
      .filter { !$0.hasPrefix("end\n") }
      .map { $0.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() }
      .map { unindented($0.dropLast().joined(separator: "\n")) }
  }

  private static func unindented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let indents = lines.filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " }.count }
    let indent = indents.min() ?? 0
    return lines.map { $0.allSatisfy(\.isWhitespace) ? "" : String($0.dropFirst(indent)) }
      .joined(separator: "\n").trimmingCharacters(in: .newlines)
  }
}

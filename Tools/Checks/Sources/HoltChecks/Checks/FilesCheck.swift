/// Rejects oversized files, traps on recoverable errors, reminders in comments, and paths of one machine.
public struct FilesCheck: Check {
  public let name = "files"
  public let summary = "no file over 500 lines, no traps, no reminders, no machine paths"

  /// The maximum number of lines of a source file.
  static let lineLimit = 500

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var findings: [Finding] = []
    for path in repository.files() where Self.isText(path) {
      let text = try repository.text(of: path)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      findings += Self.lineFindings(lines, at: path)
      guard path.hasSuffix(".swift"), case .target = CallSite(path: path) else { continue }
      findings += Self.trapFindings(in: SwiftCode(text), at: path)
      let count = lines.last == "" ? lines.count - 1 : lines.count
      if count > Self.lineLimit {
        findings.append(
          Finding(
            path: path, line: Self.lineLimit + 1,
            message: "\(count) lines, \(Self.lineLimit) at most; split the file by topic"))
      }
    }
    return findings
  }

  private static let textSuffixes = [
    ".swift", ".md", ".sql", ".sh", ".h", ".modulemap", ".json", ".txt", "Makefile", ".ci/run",
  ]

  private static func isText(_ path: String) -> Bool {
    textSuffixes.contains(where: path.hasSuffix)
  }

  // Split literals, so that this file passes its own check.
  private static let notes = ["TO" + "DO", "FIX" + "ME"]
  private static let machinePaths = ["/wor" + "k/", "/tmp/pl" + "an"]

  private static func lineFindings(_ lines: [Substring], at path: String) -> [Finding] {
    lines.enumerated().flatMap { offset, line -> [Finding] in
      let words = line.split { !$0.isLetter }
      let notes = notes.filter { words.contains(Substring($0)) }.map {
        "\($0): resolve it, or open an issue"
      }
      let paths = machinePaths.filter(line.contains).map { "\($0) is a path of a single machine" }
      return (notes + paths).map { Finding(path: path, line: offset + 1, message: $0) }
    }
  }

  private static func trapFindings(in code: SwiftCode, at path: String) -> [Finding] {
    code.words.compactMap { word in
      let isTrap =
        (word.text == "try" && word.after == UInt8(ascii: "!"))
        || (word.text == "fatalError" && word.after == UInt8(ascii: "("))
      guard isTrap else { return nil }
      return Finding(
        path: path, line: word.line,
        message: word.text == "try"
          ? "try! traps on an error that the caller could handle"
          : "fatalError traps; throw an error, or state the requirement with precondition")
    }
  }
}

internal import Foundation

/// Rejects prose that is not plain technical English, by the patterns of ``ProsePattern``.
///
/// It reads the comments of Swift and C sources, and Markdown pages without their code.
public struct LanguageCheck: Check {
  public let name = "language"
  public let summary = "comments and pages are plain technical English"

  /// The files and folders to read, absolute or relative to the root; empty for the repository.
  let paths: [String]

  public init() {
    self.init(paths: [])
  }

  init(paths: [String]) {
    self.paths = paths
  }

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    try reports(in: repository).flatMap(\.findings)
  }

  /// The passages that one file contains.
  struct Report {
    let path: String
    /// The number of comment blocks, or of paragraphs of a Markdown page.
    let blockCount: Int
    /// The number of blocks with at least one finding.
    let flaggedCount: Int
    let findings: [Finding]
  }

  func reports(in repository: Repository) throws(CheckError) -> [Report] {
    let rules = try ProsePattern.all.map { pattern throws(CheckError) in
      try Rule(pattern)
    }
    var reports: [Report] = []
    for path in try files(in: repository) {
      let place = path.hasPrefix("/") ? Repository(root: URL(filePath: "/")) : repository
      let text = try place.text(of: path)
      let prose = path.hasSuffix(".md") ? Prose(markdown: text) : Prose(source: text)
      reports.append(Self.report(on: prose, at: path, by: rules))
    }
    return reports
  }

  private func files(in repository: Repository) throws(CheckError) -> [String] {
    guard !paths.isEmpty else { return repository.files().filter(Self.isProse) }
    var found: [String] = []
    for path in paths {
      let place = path.hasPrefix("/") ? Repository(root: URL(filePath: "/")) : repository
      let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      guard place.exists(trimmed) else { throw CheckError("there is no file or folder \(path)") }
      let files = place.files(under: trimmed == "." ? "" : trimmed).filter(Self.isProse)
      found += files.isEmpty && Self.isProse(trimmed) ? [trimmed] : files
    }
    return found
  }

  /// SQLite's own sources are excluded, and the expected output of the generator's tests.
  private static func isProse(_ path: String) -> Bool {
    [".swift", ".c", ".h", ".md"].contains(where: path.hasSuffix)
      && !["sqlite3.c", "sqlite3.h", "/expected.swift"].contains(where: path.hasSuffix)
  }

  /// A pattern with its compiled expression.
  private struct Rule {
    let pattern: ProsePattern
    let expression: NSRegularExpression

    init(_ pattern: ProsePattern) throws(CheckError) {
      self.pattern = pattern
      do {
        var options: NSRegularExpression.Options = [.anchorsMatchLines]
        if pattern.scope == .prose { options.insert(.caseInsensitive) }
        expression = try NSRegularExpression(pattern: pattern.expression, options: options)
      } catch {
        throw CheckError("the pattern \(pattern.identity) is not a regular expression: \(error)")
      }
    }
  }

  private static func report(on prose: Prose, at path: String, by rules: [Rule]) -> Report {
    var findings: [(offset: Int, finding: Finding)] = []
    var flagged: Set<Int> = []
    // A passage is reported once, by the first pattern that matches.
    var reported = IndexSet()
    let text = prose.text as String
    for rule in rules {
      let range = NSRange(location: 0, length: prose.text.length)
      for match in rule.expression.matches(in: text, range: range) {
        let place = match.range.location..<match.range.location + match.range.length
        let paragraph = prose.paragraph(at: place.lowerBound)
        guard rule.pattern.scope.contains(paragraph.role), !reported.intersects(integersIn: place),
          !rule.pattern.allows(place, in: prose.original, paragraph.range)
        else { continue }
        reported.insert(integersIn: place)
        flagged.insert(paragraph.block)
        let excerpt = Self.excerpt(place, of: prose.original, in: paragraph.range)
        findings.append(
          (
            place.lowerBound,
            Finding(
              path: path, line: paragraph.line(at: place.lowerBound),
              message: "\(rule.pattern.identity): \(excerpt) -> \(rule.pattern.advice)")
          ))
      }
    }
    return Report(
      path: path, blockCount: prose.blockCount, flaggedCount: flagged.count,
      findings: findings.sorted { $0.offset < $1.offset }.map(\.finding))
  }

  /// Returns the passage with some words before and after it.
  private static func excerpt(
    _ place: Range<Int>, of text: NSString, in paragraph: Range<Int>
  ) -> String {
    var start = max(paragraph.lowerBound, place.lowerBound - 30)
    while start > paragraph.lowerBound, text.character(at: start - 1) != 32 { start -= 1 }
    var end = min(paragraph.upperBound, place.upperBound + 40)
    while end < paragraph.upperBound, text.character(at: end) != 32 { end += 1 }
    let words = text.substring(with: NSRange(location: start, length: end - start))
    return (start > paragraph.lowerBound ? "…" : "") + words
      + (end < paragraph.upperBound ? "…" : "")
  }
}

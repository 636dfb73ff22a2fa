import Foundation

/// A formatted test file, in which a declaration ends with a brace at the same indentation.
struct SeedSource {
  private let lines: [String]

  init(_ text: String) { lines = text.components(separatedBy: "\n") }

  /// Returns the imports and the declarations with the given beginnings; the whole file if there
  /// are none.
  func region(of declarations: [String]) -> [String] {
    guard !declarations.isEmpty else { return lines }
    let imports = lines.filter { $0.hasPrefix("import ") }
    return imports + declarations.flatMap { blocks(of: $0) }.flatMap { lines[$0] }
  }

  /// Returns the line ranges of declarations with the given beginning, including their attributes.
  func blocks(of declaration: String) -> [Range<Int>] {
    lines.indices.filter { declares(declaration, lines[$0]) }.map { index in
      let attributes = lines[..<index].reversed().prefix {
        $0.drop(while: \.isWhitespace).hasPrefix("@")
      }.count
      return index - attributes..<end(of: index)
    }
  }

  private func declares(_ declaration: String, _ line: String) -> Bool {
    let line = line.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
    guard !line.hasPrefix("//"), let range = line.firstRange(of: declaration) else { return false }
    let before = line[..<range.lowerBound].last
    let after = line[range.upperBound...].first
    return (before == nil || before == " ") && !(after.map(HandwrittenCode.isWord) ?? false)
  }

  private func end(of start: Int) -> Int {
    let indentation = lines[start].prefix(while: \.isWhitespace)
    if lines[start].hasSuffix("}"), lines[start].contains("{") { return start + 1 }
    let end = lines[start...].dropFirst().firstIndex { $0.hasPrefix(indentation + "}") }
    return (end ?? start) + 1
  }

  /// Returns the lines that are missing in a region, in which they must occur in order.
  ///
  /// A line of a sample may be split into several lines by a formatter. Lines that only contain punctuation are
  /// ignored.
  static func missing(_ lines: [String], from region: [String]) -> [String] {
    let region = region.map(HandwrittenCode.line).filter { !$0.isEmpty }
    var place = 0
    return lines.filter { line in
      let code = HandwrittenCode.line(line)
      guard code.contains(where: HandwrittenCode.isWord) else { return false }
      guard let end = end(of: code, in: region, after: place) else { return true }
      place = end
      return false
    }
  }

  private static func end(of code: String, in region: [String], after place: Int) -> Int? {
    for start in region.indices.dropFirst(place) {
      var found = region[start]
      var end = start + 1
      while found.count < code.count, code.hasPrefix(found), end < region.count {
        found = HandwrittenCode.joined(found, region[end])
        end += 1
      }
      if found == code { return end }
    }
    return nil
  }
}

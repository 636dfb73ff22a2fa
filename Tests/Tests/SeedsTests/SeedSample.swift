import Foundation

/// A code sample of a seed.
struct SeedSample {
  /// The number of the sample, starting at 1.
  let number: Int
  /// The heading of the sample's section.
  let heading: String
  /// The sample's lines, without the prefixes of a surrounding list or quotation.
  let lines: [String]

  /// Reads the fenced code blocks of a Markdown page, including blocks in lists and quotations, and an unclosed block
  /// at the end.
  static func samples(of page: String) -> [SeedSample] {
    var samples: [SeedSample] = []
    var heading = ""
    var open: [String]?
    func close() {
      if let lines = open {
        samples.append(SeedSample(number: samples.count + 1, heading: heading, lines: lines))
      }
      open = nil
    }
    for line in page.components(separatedBy: .newlines) {
      let text = line.drop { $0 == ">" || $0.isWhitespace }
      if text.hasPrefix("```") {
        if open == nil { open = [] } else { close() }
      } else if open != nil {
        open?.append(String(text))
      } else if line.hasPrefix("#") {
        heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
      }
    }
    close()
    return samples
  }
}

/// Code normalized for comparison: without comments, and without spaces except between words.
enum HandwrittenCode {
  static func line(_ line: some StringProtocol) -> String {
    var code = ""
    var isText = false
    var rest = Substring(line)
    while let character = rest.first {
      if !isText, rest.hasPrefix("//") || rest.hasPrefix("-- ") { break }
      if !isText, rest.hasPrefix("/*"), let end = rest.firstRange(of: "*/") {
        rest = rest[end.upperBound...]
        continue
      }
      if character == "\"" { isText.toggle() }
      code.append(character)
      rest.removeFirst()
    }
    return code.split(whereSeparator: \.isWhitespace).reduce("") { joined($0, String($1)) }
  }

  /// Concatenates two pieces, with a space if they would otherwise form one word.
  static func joined(_ one: String, _ other: String) -> String {
    guard let end = one.last, let start = other.first else { return one + other }
    return isWord(end) && isWord(start) ? "\(one) \(other)" : one + other
  }

  static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}

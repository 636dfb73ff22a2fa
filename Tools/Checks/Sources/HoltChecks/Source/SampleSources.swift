/// The sources that must contain the samples: the files of tests and example apps.
struct SampleSources {
  private struct Source {
    let path: String
    let lines: [String]
    /// The lines without comments and the contents of strings. Empty for files that are not Swift.
    let code: [String]
  }

  /// The result of a search for a sample.
  enum Answer: Equatable {
    case found
    /// A source contains only the first lines of the sample. The longest such match, with the first line that
    /// differs.
    case differs(after: Int, path: String, line: Int)
    /// The lines are only in a comment or a string.
    case isText(path: String, line: Int)
    case nowhere
  }

  private var sources: [Source] = []
  /// The positions of each line, by its text without indentation.
  private var places: [Substring: [(source: Int, line: Int)]] = [:]

  mutating func add(_ text: String, at path: String) {
    let lines = Self.lines(text)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      places[Self.trimmed(line), default: []].append((sources.count, number))
    }
    let code = path.hasSuffix(".swift") ? Self.code(of: text) : []
    sources.append(Source(path: path, lines: lines, code: code))
  }

  /// Searches for the sample's lines as consecutive lines with a common indentation.
  ///
  /// - Parameter isSwift: Whether the lines must be Swift code. Otherwise, they may be in a string or in another file.
  func search(_ sample: Sample, isSwift: Bool) -> Answer {
    guard let first = sample.lines.first else { return .found }
    let code = isSwift ? Self.code(of: sample.text) : []
    var nearest = Answer.nowhere
    var longest = 0
    for (index, start) in places[Self.trimmed(first)] ?? [] {
      let source = sources[index]
      if isSwift, source.code.isEmpty { continue }
      let indentation = Self.indentation(of: source.lines[start], beside: first)
      let count = Self.equalLines(sample.lines, source.lines[start...], behind: indentation)
      if count == sample.lines.count {
        if !isSwift || Self.equalLines(code, source.code[start...], behind: indentation) >= count {
          return .found
        }
        nearest = .isText(path: source.path, line: start + 1)
        longest = count
      } else if count > longest {
        nearest = .differs(after: count, path: source.path, line: start + count + 1)
        longest = count
      }
    }
    return nearest
  }

  /// Returns the additional indentation of `line` compared with `other`, or `nil` if `line` has less.
  private static func indentation(of line: String, beside other: String) -> String? {
    let added = line.prefix { $0 == " " }.count - other.prefix { $0 == " " }.count
    return added < 0 ? nil : String(repeating: " ", count: added)
  }

  /// Returns the number of leading lines that are equal, if `others` has the given additional indentation.
  private static func equalLines(
    _ lines: [String], _ others: ArraySlice<String>, behind indentation: String?
  ) -> Int {
    guard let indentation else { return 0 }
    return zip(lines, others).prefix { line, other in
      line.isEmpty ? other.isEmpty : indentation + line == other
    }.count
  }

  private static func trimmed(_ line: String) -> Substring { line.drop { $0 == " " } }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(Sample.withoutTrailingBlanks)
  }

  private static func code(of text: String) -> [String] {
    var masker = SwiftMasker(bytes: Array(text.utf8))
    masker.scanCode(insideInterpolation: false)
    return lines(String(decoding: masker.bytes, as: UTF8.self))
  }
}

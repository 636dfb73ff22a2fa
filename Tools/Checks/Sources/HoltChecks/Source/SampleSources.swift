/// The texts in which samples have to stand: what tests and example apps are compiled from.
struct SampleSources {
  private struct Source {
    let path: String
    let lines: [String]
    /// The same without comments and the texts of strings; empty for what is not Swift.
    let code: [String]
  }

  /// The outcome of looking for a sample.
  enum Answer: Equatable {
    case found
    /// The longest beginning of the sample that stands somewhere: its number of lines, and what
    /// line comes instead.
    case differs(after: Int, path: String, line: Int)
    /// The lines are there, but in a comment or a string.
    case isText(path: String, line: Int)
    case nowhere
  }

  private var sources: [Source] = []
  /// Where each line stands, without its indentation.
  private var places: [Substring: [(source: Int, line: Int)]] = [:]

  mutating func add(_ text: String, at path: String) {
    let lines = Self.lines(text)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      places[Self.trimmed(line), default: []].append((sources.count, number))
    }
    let code = path.hasSuffix(".swift") ? Self.code(of: text) : []
    sources.append(Source(path: path, lines: lines, code: code))
  }

  /// Looks for the sample's lines, one after another and indented alike.
  ///
  /// - Parameter isSwift: Whether they have to be Swift code. If not, they may be a file's text or a string's.
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

  /// The blanks that `line` begins with beyond those of `other`; `nil` where it has fewer.
  private static func indentation(of line: String, beside other: String) -> String? {
    let added = line.prefix { $0 == " " }.count - other.prefix { $0 == " " }.count
    return added < 0 ? nil : String(repeating: " ", count: added)
  }

  /// How many of `lines` begin `others`, all behind the same blanks.
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

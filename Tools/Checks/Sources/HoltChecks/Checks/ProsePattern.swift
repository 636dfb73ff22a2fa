internal import Foundation

/// A turn of phrase that plain technical English avoids.
///
/// The expressions are matched against ``Prose``, in which each character of code is a `¤`.
struct ProsePattern: Sendable {
  /// The name that findings begin with.
  let identity: String
  let scope: Scope
  /// The regular expression. Each paragraph is one line.
  let expression: String
  /// The usual forms, for the person who rewrites the passage.
  let advice: String
  let allowed: [Allowed]

  /// The paragraphs in which a pattern is searched for.
  enum Scope: Sendable {
    /// First paragraphs of documentation comments. Letter case is significant.
    case summary
    /// Items of lists in documentation comments. Letter case is significant.
    case item
    /// Everything, in either letter case.
    case prose

    func contains(_ role: Prose.Role) -> Bool {
      switch self {
      case .summary: role == .summary
      case .item: role == .item
      case .prose: true
      }
    }
  }

  /// A deliberate use.
  struct Allowed: Sendable {
    /// The words that contain the match.
    let phrase: String
    let reason: String
  }

  /// - Parameters:
  ///   - identity: The name that findings begin with.
  ///   - scope: The paragraphs in which the pattern is searched for.
  ///   - alternatives: Regular expressions. The pattern matches if one of them does.
  ///   - advice: The usual forms.
  ///   - allowed: Deliberate uses: the words that contain the match, each with a reason.
  init(
    _ identity: String, in scope: Scope = .prose, _ alternatives: String..., advice: String,
    allowed: KeyValuePairs<String, String> = [:]
  ) {
    self.identity = identity
    self.scope = scope
    self.expression = alternatives.joined(separator: "|")
    self.advice = advice
    self.allowed = allowed.map { Allowed(phrase: $0.key, reason: $0.value) }
  }

  /// Returns whether a match lies within a phrase that is allowed.
  func allows(_ match: Range<Int>, in text: NSString, _ paragraph: Range<Int>) -> Bool {
    allowed.contains { allowed in
      var rest = NSRange(location: paragraph.lowerBound, length: paragraph.count)
      while true {
        let found = text.range(of: allowed.phrase, options: .caseInsensitive, range: rest)
        guard found.length > 0 else { return false }
        let end = found.location + found.length
        if found.location <= match.lowerBound, match.upperBound <= end { return true }
        rest = NSRange(location: end, length: paragraph.upperBound - end)
      }
    }
  }
}

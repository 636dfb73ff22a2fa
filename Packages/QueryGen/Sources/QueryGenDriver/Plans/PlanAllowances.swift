internal import Primitives
internal import SQLSyntax

/// The comments `plan: allow rule, rule` of a file, each of which silences rules for the statement
/// below it.
struct PlanAllowances {
  /// A rule's name in a comment.
  struct Allowance {
    /// The rule; `nil` if there is none with this name.
    var rule: PlanRule?
    var name: ByteSpan
    /// The comment, or the name if the comment has several.
    var removable: ByteSpan
    /// Indicates whether the rule would have reported something.
    var isNeeded = false
  }

  private let source: SourceText
  private let comments: [ByteSpan]

  init(_ source: SourceText) {
    self.source = source
    // Files without the word are not tokenized.
    comments =
      source.mentions("plan:")
      ? Lexer.tokenize(source, allowsLabels: true, allowsDigitSeparators: true).comments : []
  }

  /// Returns the rules that comments in a span allow.
  func allowances(from start: ByteOffset, to end: ByteOffset) -> [Allowance] {
    comments.filter { $0.start >= start && $0.end <= end }.flatMap(allowances)
  }

  private func allowances(in comment: ByteSpan) -> [Allowance] {
    var words = self.words(of: comment)
    guard words.count > 2, source[words[0]] == "plan:", source[words[1]] == "allow" else {
      return []
    }
    words.removeFirst(2)
    return words.map { word in
      Allowance(
        rule: PlanRule(rawValue: source[word]), name: word,
        removable: words.count == 1 ? comment : word)
    }
  }

  /// Returns the words of a comment, without its markers and commas.
  private func words(of comment: ByteSpan) -> [ByteSpan] {
    var end = comment.end.value
    if source.bytes[comment.start.value] == UInt8(ascii: "/") {
      end = max(comment.start.value + 2, end - 2)
    }
    var words: [ByteSpan] = []
    var position = comment.start.value + 2
    while position < end {
      let isSeparator: (UInt8) -> Bool = { $0 == 32 || (9...13).contains($0) || $0 == 44 }
      guard let start = source.bytes[position..<end].firstIndex(where: { !isSeparator($0) }) else {
        break
      }
      let stop = source.bytes[start..<end].firstIndex(where: isSeparator) ?? end
      words.append(ByteSpan(start..<stop))
      position = stop
    }
    return words
  }

  /// Returns the diagnostics for allowances that name no rule or silence nothing.
  ///
  /// - Parameter isComplete: Whether all rules were applied.
  func problems(_ allowances: [Allowance], isComplete: Bool) -> [Diagnostic] {
    allowances.compactMap { allowance in
      let name = source[allowance.name]
      guard allowance.rule != nil else {
        var diagnostic = Diagnostic(
          .malformedAnnotation, severity: .warning, at: allowance.name,
          "there is no rule `\(name)` for plans")
        let names = PlanRule.allCases.map(\.rawValue)
        if let nearest = EditDistance.nearest(to: name, among: names) {
          diagnostic.message += "; did you mean `\(nearest)`?"
          diagnostic.fixIt = .init(replace: allowance.name, with: nearest)
        }
        return diagnostic
      }
      guard isComplete, !allowance.isNeeded else { return nil }
      return Diagnostic(
        .unneededAllowance, severity: .warning, at: allowance.name,
        "`\(name)` reports nothing for this statement; remove the annotation",
        fixIt: .init(replace: allowance.removable, with: ""))
    }
  }
}

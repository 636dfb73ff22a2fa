internal import Primitives

extension DiagnosticExplanation {
  /// Returns the explanation of a diagnostic, or `nil` if no diagnostic has this identity.
  public static func find(_ identity: String) -> DiagnosticExplanation? {
    all.first { $0.identity == identity.lowercased() }
  }

  /// Returns the identity that is most similar to an unknown one, if any is similar.
  public static func nearest(to identity: String) -> String? {
    EditDistance.nearest(to: identity, among: all.map(\.identity))
  }

  /// The identities of all diagnostics with their summaries, a line each, by family.
  public static var list: String {
    let width = all.map(\.identity.count).max() ?? 0
    return Family.allCases.map { family in
      let lines = family.explanations.map { explanation in
        let identity = explanation.identity
        let padding = String(repeating: " ", count: width - identity.count)
        return "  \(identity)\(padding)  \(explanation.summary)\n"
      }
      return family.title + "\n" + lines.joined()
    }.joined(separator: "\n")
  }

  /// The explanation for a terminal, with lines of up to 80 characters outside of the samples.
  public var text: String {
    var text = "\(identity): \(severity.rawValue)\n\n" + Self.wrapped(summary + " " + details)
    for (title, sample) in [("Example", example), ("Correction", correction)] {
      guard let sample else { continue }
      text += "\n\(title):\n\n"
      for line in sample.split(separator: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "    \(line)\n"
      }
    }
    return text
  }

  private static func wrapped(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 80 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

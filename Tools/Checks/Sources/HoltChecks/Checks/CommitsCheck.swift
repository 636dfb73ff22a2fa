internal import Foundation

/// Rejects commits whose subject is long, or is a statement instead of an imperative.
///
/// By default it reads the commits that `origin/main` does not contain yet. A clone without that branch,
/// or without the commit at which `HEAD` left it, has no such range: the check then passes, with a note.
public struct CommitsCheck: Check {
  public let name = "commits"
  public let summary = "subjects of new commits are imperative, 72 characters at most"

  /// The maximum number of characters of a subject.
  static let subjectLimit = 72

  /// A range as `git log` reads it, or `nil` for the commits since `origin/main`.
  let range: String?

  public init() {
    self.init(range: nil)
  }

  init(range: String?) {
    self.range = range
  }

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var range = "origin/main..HEAD"
    if let given = self.range {
      range = given
    } else if let reason = try Self.obstacle(in: repository) {
      CheckCommand.say("commits: not checked, since \(reason)")
      return []
    }
    let log = try Command.output(
      ["git", "log", "--no-merges", "--reverse", "--format=%h%x09%s", range, "--"],
      in: repository.root)
    return log.split(separator: "\n").flatMap { line -> [Finding] in
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return Self.faults(of: parts.count > 1 ? String(parts[1]) : "").map {
        Finding(path: "commit \(parts[0])", line: 1, message: $0)
      }
    }
  }

  /// Returns the reason why the commits since `origin/main` can't be listed, or `nil` if they can.
  private static func obstacle(in repository: Repository) throws(CheckError) -> String? {
    let main = try Command.run(
      ["git", "rev-parse", "--verify", "--quiet", "origin/main"], in: repository.root)
    guard main.status == 0 else { return "there is no branch origin/main" }
    let base = try Command.run(["git", "merge-base", "origin/main", "HEAD"], in: repository.root)
    return base.status == 0 ? nil : "the clone does not contain the commit that left origin/main"
  }

  /// Returns the rules that a subject breaks.
  static func faults(of subject: String) -> [String] {
    var faults: [String] = []
    if subject.count > subjectLimit {
      faults.append(
        "a subject of \(subject.count) characters, \(subjectLimit) at most: \(subject)")
    }
    if let word = statementWord(in: subject) {
      faults.append(
        "\"\(word)\" is not an imperative, such as \"Add\", \"Fix\" or \"Document\": \(subject)")
    }
    if subject.hasSuffix(".") { faults.append("a subject has no period at its end: \(subject)") }
    return faults
  }

  /// Words that begin a statement or a noun phrase.
  private static let statementWords: Set<String> = [
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "they", "there", "what",
    "where", "when", "who", "whose", "how", "why", "which", "if", "one", "two", "all", "each",
    "every", "no", "nothing", "more", "fewer", "less", "new", "some", "any", "also", "only",
  ]

  /// Imperatives with the ending of another form.
  private static let imperatives: Set<String> = [
    "bias", "bring", "embed", "exceed", "feed", "focus", "need", "proceed", "seed", "speed",
    "shed", "string", "succeed",
  ]

  /// Returns the first word after `Package:` or `All packages:` if it is recognizably not an imperative.
  private static func statementWord(in subject: String) -> String? {
    var text = subject[...]
    if let colon = subject.firstRange(of: ": "),
      subject[..<colon.lowerBound].split(separator: " ").count <= 2
    {
      text = subject[colon.upperBound...]
    }
    let first = String(text.prefix { !$0.isWhitespace && $0 != "," && $0 != ":" })
    let word = first.lowercased()
    // A name of code, such as `Row.values`, does not end like a verb.
    guard word.allSatisfy(\.isLetter) else { return first.hasPrefix("`") ? first : nil }
    if statementWords.contains(word) { return first }
    if imperatives.contains(word) || word.hasSuffix("ss") { return nil }
    let isOtherForm = ["ed", "ing", "s"].contains(where: word.hasSuffix)
    return isOtherForm ? first : nil
  }
}

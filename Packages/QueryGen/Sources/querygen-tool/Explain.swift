import ArgumentParser
import QueryGenDriver

/// `querygen explain`
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explains a diagnostic, with an example and its correction.",
    discussion: """
      The identity of a diagnostic is printed by "querygen check --json", and shown by editors. \
      Without an identity, prints all of them, with a line about each.

      Exit codes: 0 if the identity exists, 64 if it does not.
      """)

  @Argument(
    help: ArgumentHelp("The diagnostic, such as unknown-column.", valueName: "identity"),
    completion: .list(DiagnosticExplanation.all.map(\.identity)))
  var identity: String?

  func run() throws {
    guard let identity else { return StandardStreams.output(DiagnosticExplanation.list) }
    guard let explanation = DiagnosticExplanation.find(identity) else {
      let nearest = DiagnosticExplanation.nearest(to: identity)
      throw ValidationError(
        "no diagnostic is named '\(identity)'"
          + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
    StandardStreams.output(explanation.text)
  }
}

/// A page with tables that compare Holt's capabilities with other packages, and name the tests for each.
struct ReachPage: Sendable {
  let path: String
  /// The columns whose cells start with yes, no or part.
  let peers: [String]

  /// Returns a link's target as a path from the root. The target is relative to the page.
  func path(of target: String) -> String { MarkdownPage.path(of: target, on: path) }
}

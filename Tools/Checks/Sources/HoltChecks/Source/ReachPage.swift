/// A page with tables of what Holt can do, beside its peers, and of the tests that show it.
struct ReachPage: Sendable {
  let path: String
  /// The columns whose cells answer with yes, no or part first.
  let peers: [String]

  /// A link's target, which is relative to the page, as a path from the root.
  func path(of target: String) -> String {
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}

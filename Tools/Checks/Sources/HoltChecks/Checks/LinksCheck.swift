/// Rejects links between the documents whose file or heading does not exist. Links to web pages are not followed.
public struct LinksCheck: Check {
  public let name = "links"
  public let summary = "each link between documents leads to a file and a heading"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var pages: [String: MarkdownPage] = [:]
    for path in repository.files() where path.hasSuffix(".md") {
      pages[path] = MarkdownPage(try repository.text(of: path))
    }
    var findings: [Finding] = []
    for (path, page) in pages.sorted(by: { $0.key < $1.key }) {
      for target in page.targets {
        guard let fault = Self.fault(of: target.text, on: path, among: pages, in: repository)
        else { continue }
        findings.append(Finding(path: path, line: target.line, message: fault))
      }
    }
    return findings
  }

  private static func fault(
    of target: String, on path: String, among pages: [String: MarkdownPage],
    in repository: Repository
  ) -> String? {
    guard !target.contains(":") else { return nil }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? path : MarkdownPage.path(of: parts[0], on: path)
    guard repository.exists(file) else { return "there is no file \(file)" }
    guard parts.count == 2, let page = pages[file] else { return nil }
    return page.anchors.contains(String(parts[1]))
      ? nil : "\(file) has no heading with the anchor #\(parts[1])"
  }
}

/// `holt-check language`: lists passages that are not plain technical English, or counts them.
struct LanguageCommand {
  private let check: LanguageCheck
  private let counts: Bool

  /// - Throws: ``CheckError`` if an option is unknown.
  init(arguments: ArraySlice<String>) throws(CheckError) {
    if let option = arguments.first(where: { $0.hasPrefix("--") && $0 != "--counts" }) {
      throw CheckError("holt-check language has no option \(option)")
    }
    counts = arguments.contains("--counts")
    check = LanguageCheck(paths: arguments.filter { $0 != "--counts" })
  }

  /// - Returns: Whether no passage was found.
  func run(in repository: Repository) throws(CheckError) -> Bool {
    let reports = try check.reports(in: repository)
    if counts {
      for line in Self.table(of: reports) { CheckCommand.say(line) }
    } else {
      for finding in reports.flatMap(\.findings) {
        CheckCommand.say("\(finding.path):\(finding.line): \(finding.message)")
      }
    }
    return reports.allSatisfy(\.findings.isEmpty)
  }

  /// Returns a line for each package, and one for their sum: blocks, flagged blocks, and the share.
  static func table(of reports: [LanguageCheck.Report]) -> [String] {
    var packages: [(name: String, blocks: Int, flagged: Int)] = []
    func add(_ report: LanguageCheck.Report, to name: String) {
      let index = packages.firstIndex { $0.name == name } ?? packages.count
      if index == packages.count { packages.append((name, 0, 0)) }
      packages[index].blocks += report.blockCount
      packages[index].flagged += report.flaggedCount
    }
    for report in reports { add(report, to: package(of: report.path)) }
    for report in reports { add(report, to: "all") }
    return [row("", "blocks", "flagged", "share")]
      + packages.map {
        let share = $0.blocks == 0 ? 0 : (1000 * $0.flagged + $0.blocks / 2) / $0.blocks
        return row($0.name, "\($0.blocks)", "\($0.flagged)", "\(share / 10).\(share % 10) %")
      }
  }

  /// The first two components of a path: `Packages/Router`, `Tools/Checks`, `Docs`.
  private static func package(of path: String) -> String {
    let parts = path.split(separator: "/")
    guard !path.hasPrefix("/"), parts.count > 2, parts[0] != "Docs" else {
      return path.hasPrefix("/") || parts.count < 2 ? "other" : String(parts[0])
    }
    return "\(parts[0])/\(parts[1])"
  }

  private static func row(_ name: String, _ numbers: String...) -> String {
    numbers.reduce(name.padding(to: 28)) {
      $0 + String(repeating: " ", count: max(1, 10 - $1.count)) + $1
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

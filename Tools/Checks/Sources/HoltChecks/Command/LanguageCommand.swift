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
    let packages = packages(of: reports)
    let all = PackageCount(
      name: "all", blocks: packages.reduce(0) { $0 + $1.blocks },
      flagged: packages.reduce(0) { $0 + $1.flagged })
    return [row("", "blocks", "flagged", "share")]
      + (packages + [all]).map { row($0.name, "\($0.blocks)", "\($0.flagged)", $0.share) }
  }

  /// The number of comment blocks of a package.
  struct PackageCount {
    let name: String
    var blocks = 0
    var flagged = 0

    /// The share of the flagged blocks, as `4.2 %`.
    var share: String {
      let share = blocks == 0 ? 0 : (1000 * flagged + blocks / 2) / blocks
      return "\(share / 10).\(share % 10) %"
    }
  }

  static func packages(of reports: [LanguageCheck.Report]) -> [PackageCount] {
    var packages: [PackageCount] = []
    for report in reports {
      let name = package(of: report.path)
      let index = packages.firstIndex { $0.name == name } ?? packages.count
      if index == packages.count { packages.append(PackageCount(name: name)) }
      packages[index].blocks += report.blockCount
      packages[index].flagged += report.flaggedCount
    }
    return packages
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

/// Rejects packages in which the language check flags too many comment blocks.
///
/// The patterns also match some plain sentences, in 2 % of GRDB's blocks and 5 % of
/// ArgumentParser's. This check therefore limits the share in each package. `holt-check language`
/// lists the passages.
public struct ProseCheck: Check {
  public let name = "prose"
  public let summary = "few comments of a package match a pattern of the language check"

  /// The largest share of flagged blocks, in percent.
  static let maximumShare = 3

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let reports = try LanguageCheck().reports(in: repository)
    return LanguageCommand.packages(of: reports).compactMap { package in
      guard 100 * package.flagged > Self.maximumShare * package.blocks else { return nil }
      return Finding(
        path: package.name, line: 1,
        message: "\(package.share) of the comment blocks are not plain English, at most "
          + "\(Self.maximumShare) % may match a pattern: list them with `make language`")
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

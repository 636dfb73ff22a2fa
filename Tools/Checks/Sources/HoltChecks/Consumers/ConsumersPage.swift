internal import Foundation

/// The page with the targets that each app compiles: a table with a row for each app and form of requirement.
struct ConsumersPage {
  static let path = "Docs/Consumers.md"
  static let head = """
    | product | way | compiled | fetched | seconds |
    |---|---|---|---|---|
    """

  struct Row: Equatable {
    /// The cells, in the order of the table's headings.
    let cells: [String]

    /// The identity of the row: the product and the form of requirement.
    var key: [String] { Array(cells.prefix(2)) }

    var line: String { "| \(cells.joined(separator: " | ")) |" }

    init(cells: [String]) { self.cells = cells }

    init(_ build: ConsumerBuild) {
      let seconds =
        Double(build.duration.components.seconds)
        + Double(build.duration.components.attoseconds) / 1e18
      self.init(cells: [
        build.app.name, build.app.way.rawValue, Self.compiled(by: build),
        build.fetched.isEmpty ? "–" : build.fetched.sorted().joined(separator: ", "),
        build.failure == nil ? String(format: "%.0f", seconds) : "failed",
      ])
    }

    /// The targets, in bold if this build compiled them, and the number of targets of each external package.
    private static func compiled(by build: ConsumerBuild) -> String {
      let targets = build.compiled.filter { $0.name != build.app.target }
      let own = targets.filter { $0.package == nil }.map(\.name).sorted().map {
        build.made.contains($0) ? "**\($0)**" : $0
      }
      let outside = Dictionary(grouping: targets.filter { $0.package != nil }) { $0.package ?? "" }
      return
        (own
        + outside.sorted { $0.key < $1.key }.map { package, targets in
          let text = "\(package) (\(targets.count) \(targets.count == 1 ? "target" : "targets"))"
          return targets.contains { build.made.contains($0.name) } ? "**\(text)**" : text
        }).joined(separator: ", ")
    }
  }

  private(set) var rows: [Row] = []

  /// Reads the rows of an existing page. Other text has no rows.
  init(_ text: String) {
    rows = MarkdownPage(text).tables.flatMap(\.rows).map { Row(cells: $0.cells) }
      .filter { $0.cells.count == 5 }
  }

  /// Adds a row, or replaces the row with the same identity.
  mutating func add(_ row: Row) {
    rows.removeAll { $0.key == row.key }
    rows.append(row)
  }

  /// The page: the rows in build order, followed by the names of missing apps.
  func text(cores: Int) -> String {
    let keys = ConsumersCommand.allApps.map { [$0.name, $0.way.rawValue] }
    let lines = keys.compactMap { key in rows.first { $0.key == key }?.line }
    let missing = keys.filter { key in !rows.contains { $0.key == key } }
      .map { $0.joined(separator: " by ") }
    return Self.introduction(cores: cores) + Self.head + "\n" + lines.joined(separator: "\n")
      + (missing.isEmpty ? "\n" : "\n\nNot run yet: \(missing.joined(separator: ", ")).\n")
  }

  func write(in repository: Repository) throws(CheckError) {
    let text = text(cores: ProcessInfo.processInfo.activeProcessorCount)
    do {
      try Data(text.utf8).write(to: repository.url(Self.path), options: .atomic)
    } catch {
      throw CheckError("cannot write \(Self.path): \(error)")
    }
  }

  private static func introduction(cores: Int) -> String {
    """
    # What an app compiles

    An app that requires one product of Holt compiles that product and its dependencies, and fetches no other package.
    `make consumers` verifies it. The command commits and tags a temporary copy of the working copy. For each product, and for all
    of them together, it writes one app that requires the copy by URL and version and one that requires the package by path, builds them
    and runs them. The targets that may be compiled for a product are listed in
    [ImportRules.swift](../Tools/Checks/Sources/HoltChecks/Checks/ImportRules.swift), with the imports of each target, and in
    [Consumer.swift](../Tools/Checks/Sources/HoltChecks/Consumers/Consumer.swift). The command rejects a product without an app, an app
    that does not build or prints unexpected output, and targets and packages that are compiled or fetched without need. The apps'
    sources are in [ConsumersTests](../Tests/Tests/ConsumersTests), and `make test` runs them too.

    The table is the output of the command with `WRITE=1`. `ONLY="SPON Router"` limits it to some products.

    - *compiled*: the targets that a clean build compiles, according to SwiftPM's build plan. This build compiled the targets in bold;
      earlier apps compiled the others, since all apps with one form of requirement share a scratch folder. Traits change the flags of
      all targets of a package, which are then compiled again.
    - *fetched*: the packages that the app has pinned, without Holt. By path, QueryGen's own manifest requires swift-argument-parser for
      its command; no target of it is compiled.
    - *seconds*: the time of this build with fetching and linking, on \(cores) cores. Builds are debug builds unless marked otherwise.


    """
  }
}

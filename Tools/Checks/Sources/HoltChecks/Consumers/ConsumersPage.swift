internal import Foundation

/// The page that tells what apps compile: a table with a row for each app and way.
struct ConsumersPage {
  static let path = "Docs/Consumers.md"
  static let head = """
    | product | way | compiled | fetched | seconds |
    |---|---|---|---|---|
    """

  struct Row: Equatable {
    /// Those of the table's head.
    let cells: [String]

    /// What identifies it: the product and the way.
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

    /// The targets, those in bold that this build compiled; of an outside package, how many.
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

  /// Reads the rows of a page that was written before; of another text, none.
  init(_ text: String) {
    rows = MarkdownPage(text).tables.flatMap(\.rows).map { Row(cells: $0.cells) }
      .filter { $0.cells.count == 5 }
  }

  /// Adds a row, in the place of the one of the same app and way.
  mutating func add(_ row: Row) {
    rows.removeAll { $0.key == row.key }
    rows.append(row)
  }

  /// The page: the rows in the order in which apps are built, and those that are missing by name.
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

    An app that takes one product of Holt compiles that product and what it stands on, and fetches no other package.
    `make consumers` shows it: it commits and tags a copy of the working copy elsewhere, writes an app for each product,
    and one for all of them, that requires the copy by URL and version, and another that requires the package by path; builds
    them; and runs them. What may be compiled for a product is written down in
    [ImportRules.swift](../Tools/Checks/Sources/HoltChecks/Checks/ImportRules.swift), which says what each target
    may import, and in [Consumer.swift](../Tools/Checks/Sources/HoltChecks/Consumers/Consumer.swift). The command refuses a
    product without an app, an app that does not build or prints something else than it should, a target that is
    compiled and need not be, and a package that is fetched and need not be. The apps' sources are in
    [ConsumersTests](../Tests/Tests/ConsumersTests), where `make test` runs them too.

    The table is what it printed, with `WRITE=1`; `ONLY="SPON Router"` does it for some products.

    - *compiled*: the targets that a build from nothing compiles, as SwiftPM's build plan has them. Those in bold this
      build compiled; the others were there, since apps of one way share a folder of intermediate files. Traits change the flags of
      all targets of a package, which are then compiled again.
    - *fetched*: the packages that the app has pinned, besides Holt. By path, QueryGen's own manifest requires
      swift-argument-parser for its command; nothing of it is compiled.
    - *seconds*: of this build, fetching and linking included, on \(cores) cores; debug builds, but for the one that says
      otherwise.


    """
  }
}

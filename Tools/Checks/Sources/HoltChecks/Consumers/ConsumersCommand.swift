/// `holt-check consumers`: builds an app for each product and one for all, by URL and by path.
///
/// It prints the compiled targets, the fetched packages and the time of each build.
struct ConsumersCommand {
  /// The app that requires every product.
  static let everything = "all"

  private var only: [String] = []
  private var writes = false

  /// - Throws: ``CheckError`` if an argument is unknown, or is not a product with an app.
  init(arguments: ArraySlice<String>) throws(CheckError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--write": writes = true
      case "--only":
        guard let name = rest.popFirst() else { throw CheckError("--only requires a product") }
        guard name == Self.everything || Consumer.all.contains(where: { $0.product == name }) else {
          throw CheckError(
            "no app requires \(name); expected one of \(Self.names.joined(separator: ", "))")
        }
        only.append(name)
      default: throw CheckError("holt-check consumers has no option \(argument)")
      }
    }
  }

  /// The apps' names, in build order.
  static let names = Consumer.all.map(\.product) + [everything]

  /// The apps to build, grouped by the form of requirement.
  var apps: [ConsumerApp] {
    Self.allApps.filter { only.isEmpty || only.contains($0.name) }
  }

  static var allApps: [ConsumerApp] {
    ConsumerApp.Way.allCases.flatMap { way in
      names.compactMap { name -> ConsumerApp? in
        guard way != .release || name == ConsumerCheck.product else { return nil }
        let consumers = Consumer.all.filter { name == everything || $0.product == name }
        return ConsumerApp(name: name, consumers: consumers, way: way)
      }
    }
  }

  /// - Returns: `true` if there are no findings.
  func run(in repository: Repository) throws(CheckError) -> Bool {
    let products = try ProductList.load(in: repository)
    var findings = products.findings(in: repository)
    guard findings.isEmpty else {
      for finding in findings { CheckCommand.complain(finding.description) }
      return false
    }
    var page = ConsumersPage(
      repository.exists(ConsumersPage.path) ? try repository.text(of: ConsumersPage.path) : "")
    CheckCommand.say(ConsumersPage.head)
    try ConsumerSite.with(repository, offering: products) { site in
      for app in apps {
        let build = try site.build(app)
        let found = build.findings(offering: products)
        for finding in found { CheckCommand.complain(finding.description) }
        let row = ConsumersPage.Row(build)
        CheckCommand.say(row.line)
        findings += found
        guard writes, found.isEmpty else { continue }
        // After each app, because the command takes long and may be interrupted.
        page.add(row)
        try page.write(in: repository)
      }
    }
    return findings.isEmpty
  }
}

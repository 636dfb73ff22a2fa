/// What came of building an app.
struct ConsumerBuild {
  let app: ConsumerApp
  /// What went wrong; nothing else is known then but the time.
  var failure: String?
  var duration = Duration.zero
  /// What a build from nothing compiles, as its plan says.
  var compiled: Set<BuildPlan.Target> = []
  /// The targets that this build compiled: those that no app before it had needed.
  var made: Set<String> = []
  /// The packages that were fetched, without Holt.
  var fetched: Set<String> = []

  /// What is wrong with it.
  ///
  /// - Parameter products: The root manifest's, which say what targets the app takes.
  func findings(offering products: ProductList) -> [Finding] {
    if let failure { return [finding(failure)] }
    let targets = app.products.flatMap { products[$0]?.targets ?? [] }
    let allowed = Consumer.closure(of: targets)
    var findings: [Finding] = []
    for target in compiled.sorted(by: { $0.name < $1.name }) where target.name != app.target {
      if let package = target.package {
        guard !app.packages.contains(package.lowercased()) else { continue }
        findings.append(finding("compiles \(target.name) of \(package) too"))
      } else if !allowed.contains(target.name) {
        findings.append(finding("compiles \(target.name) too"))
      }
    }
    for name in made.sorted() where !compiled.contains(where: { $0.name == name }) {
      findings.append(finding("compiled \(name), which its build plan does not have"))
    }
    for package in fetched.subtracting(app.fetched).sorted() {
      findings.append(finding("fetches \(package) too"))
    }
    return findings
  }

  private func finding(_ message: String) -> Finding {
    Finding(path: ManifestCheck.path, line: 1, message: "\(app.description) \(message)")
  }
}

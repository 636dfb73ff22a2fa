/// The result of building an app.
struct ConsumerBuild {
  let app: ConsumerApp
  /// The reason why the build failed. In that case, only the time is measured.
  var failure: String?
  var duration = Duration.zero
  /// The targets that a clean build compiles, read from the build plan.
  var compiled: Set<BuildPlan.Target> = []
  /// The targets that this build compiled, because no earlier app needed them.
  var made: Set<String> = []
  /// The packages that were fetched, without Holt.
  var fetched: Set<String> = []

  /// Returns the faults of the build.
  ///
  /// - Parameter products: The root manifest's products, with their targets.
  func findings(offering products: ProductList) -> [Finding] {
    if let failure { return [finding(failure)] }
    let targets = app.products.flatMap { products[$0]?.targets ?? [] }
    let allowed = Consumer.closure(of: targets)
    var findings: [Finding] = []
    for target in compiled.sorted(by: { $0.name < $1.name }) where target.name != app.target {
      if let package = target.package {
        guard !app.packages.contains(package.lowercased()) else { continue }
        findings.append(finding("also compiles \(target.name) of \(package)"))
      } else if !allowed.contains(target.name) {
        findings.append(finding("also compiles \(target.name)"))
      }
    }
    for name in made.sorted() where !compiled.contains(where: { $0.name == name }) {
      findings.append(finding("compiled \(name), which is not in its build plan"))
    }
    for package in fetched.subtracting(app.fetched).sorted() {
      findings.append(finding("also fetches \(package)"))
    }
    return findings
  }

  private func finding(_ message: String) -> Finding {
    Finding(path: ManifestCheck.path, line: 1, message: "\(app.description) \(message)")
  }
}

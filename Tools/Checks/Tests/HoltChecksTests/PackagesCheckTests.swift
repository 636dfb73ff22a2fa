import Testing

@testable import HoltChecks

@Suite struct `The graphs check` {
  @Test func `rejects a package that requires an unknown product`() throws {
    let tree = try TemporaryTree(Manifests.pair, named: "missing-product")
    try tree.write(
      Manifests.library(
        "Observe", dependencies: ".package(path: \"../SQLiteCore\")",
        targetDependencies: ".product(name: \"SQLiteCort\", package: \"SQLiteCore\")"),
      to: "Packages/Observe/Package.swift")
    let findings = try GraphsCheck().findings(in: tree.repository)
    #expect(findings.map(\.path) == ["Packages/Observe/Package.swift"])
    #expect(findings.first?.message.contains("SQLiteCort") == true)
  }
}

@Suite struct `The consumer check` {
  @Test func `rejects a root manifest that depends on a local package`() throws {
    let tree = try TemporaryTree(Manifests.pair, named: "local-package")
    let products = Consumer.all.map {
      ".library(name: \($0.product.quoted), targets: [\"Holt\"])"
    }.joined(separator: ", ")
    try tree.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "Holt",
        products: [\(products)],
        dependencies: [.package(path: "Packages/SQLiteCore")],
        targets: [.target(name: "Holt", path: "Packages/Observe/Sources/Observe")]
      )
      """, to: ManifestCheck.path)
    for consumer in Consumer.all { try tree.write("", to: ConsumerApp.source(of: consumer)) }
    let findings = try Self.findings(in: tree)
    #expect(findings.map(\.path) == [ManifestCheck.path])
    #expect(findings.first?.message.contains("does not build") == true)
  }

  /// Returns the findings of the check in a git repository, which it requires.
  private static func findings(in tree: TemporaryTree) throws -> [Finding] {
    _ = try Command.output(["git", "init", "--quiet"], in: tree.repository.root)
    return try ConsumerCheck().findings(in: tree.repository)
  }
}

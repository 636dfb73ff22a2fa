import Testing

@testable import HoltChecks

@Suite struct `The graphs check` {
  @Test func `refuses a package that names a product which is not there`() throws {
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
  @Test func `refuses a root manifest that depends on a local package`() throws {
    let tree = try TemporaryTree(Manifests.pair, named: "local-package")
    try tree.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "Holt",
        products: [.library(name: "SQLiteCore", targets: ["Holt"])],
        dependencies: [.package(path: "Packages/SQLiteCore")],
        targets: [.target(name: "Holt", path: "Packages/Observe/Sources/Observe")]
      )
      """, to: ManifestCheck.path)
    let findings = try Self.findings(in: tree)
    #expect(findings.map(\.path) == [ManifestCheck.path])
    #expect(findings.first?.message.contains("does not build") == true)
  }

  /// What a build leaves behind, made here, as a build takes long; `make check` makes a real one.
  @Test(arguments: [
    (".build/checkouts/swift-syntax/Package.swift", "fetches swift-syntax too"),
    (".build/release/Observe.build/Region.swift.o", "compiles Observe too"),
  ])
  func `refuses a product that takes more along than it should`(file: String, says: String) throws {
    let tree = try TemporaryTree([
      ".build/checkouts/holt/Package.swift": "",
      ".build/release/SQLiteCore.build/Value.swift.o": "",
      ".build/release/app.build/main.swift.o": "",
      ".build/release/QueryGen.build/output-file-map.json": "",
    ])
    #expect(ConsumerCheck.findings(afterBuilding: tree.repository.root) == [])
    try tree.write("", to: file)
    #expect(
      ConsumerCheck.findings(afterBuilding: tree.repository.root).map(\.message)
        == ["an app that takes SQLiteCore \(says)"])
  }

  /// The tree has to be a git repository, as it is where the check is made.
  private static func findings(in tree: TemporaryTree) throws -> [Finding] {
    _ = try Command.output(["git", "init", "--quiet"], in: tree.repository.root)
    return try ConsumerCheck().findings(in: tree.repository)
  }
}

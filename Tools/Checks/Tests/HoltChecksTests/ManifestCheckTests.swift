import Foundation
import Testing

@testable import HoltChecks

@Suite struct `The manifest check` {
  @Test func `rejects a root manifest that differs`() throws {
    let tree = try TemporaryTree(
      ["Packages/SPON/Package.swift": Manifests.library("SPON")],
      named: "drift")
    #expect(try ManifestCheck().write(in: tree.repository))
    let path = ManifestCheck.path
    let text = try tree.repository.text(of: path)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(
      lines.firstIndex { $0.hasSuffix("path: \"Packages/SPON/Sources/SPON\",") })
    try tree.write(text.replacing("Sources/SPON", with: "Sources"), to: path)
    #expect(
      try ManifestCheck().findings(in: tree.repository) == [
        Finding(
          path: path, line: line + 1,
          message: "drifted (make manifest): -       path: \"Packages/SPON/Sources\","),
        Finding(path: path, line: line + 1, message: "drifted (make manifest): + \(lines[line])"),
      ])
  }

  @Test func `replaces products of other packages by their targets`() throws {
    let tree = try TemporaryTree(Manifests.pair, named: "two-packages")
    _ = try ManifestCheck().write(in: tree.repository)
    let text = try tree.repository.text(of: ManifestCheck.path)
    #expect(text.contains("path: \"Packages/Observe/Sources/Observe\","))
    #expect(text.contains("dependencies: [\"SQLiteCore\"],"))
    #expect(!text.contains(".package("))
  }

  @Test func `rejects a target that the root lacks`() {
    let text = "targets: [\n  A,\n]\n"
    let findings = ManifestCheck.differences(from: text, to: "targets: [\n  A,\n  B,\n]\n")
    #expect(
      findings == [
        Finding(path: ManifestCheck.path, line: 3, message: "drifted (make manifest): +   B,")
      ])
    #expect(ManifestCheck.differences(from: text, to: text) == [])
  }

  @Test func `throws an error if packages disagree`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/Observe/Package.swift": Manifests.library("Observe"),
        "Packages/SPON/Package.swift": Manifests.library("SPON", platforms: ".macOS(.v15)"),
      ], named: "disagreement")
    let error = try #require(throws: CheckError.self) {
      try ManifestCheck().findings(in: tree.repository)
    }
    #expect(error.description == "Packages/SPON: the platforms differ from the other packages'")
  }

  @Test func `throws an error for an external package without a trait`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/SPON/Package.swift": Manifests.library(
          "SPON", dependencies: ".package(url: \"https://example.com/swift-nio\", from: \"2.0.0\")")
      ], named: "outside-package")
    let error = try #require(throws: CheckError.self) {
      try ManifestCheck().findings(in: tree.repository)
    }
    #expect(error.description.contains("give swift-nio a trait"))
  }

  @Test func `excludes a plugin's tool from the dependencies of tests`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/SPON/Package.swift": """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "SPON",
          targets: [
            .executableTarget(name: "tool"),
            .plugin(name: "Plugin", capability: .buildTool(), dependencies: ["tool"]),
            .testTarget(name: "ToolTests", dependencies: ["tool"]),
          ],
          swiftLanguageModes: [.v6]
        )
        """
      ], named: "plugin-tool")
    _ = try ManifestCheck().write(in: tree.repository)
    let text = try tree.repository.text(of: ManifestCheck.path)
    #expect(text.components(separatedBy: "dependencies: [\"tool\"]").count == 2)
  }

  @Test func `requires external packages only with a trait`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/SPON/Package.swift": Manifests.library(
          "SPON",
          dependencies: ".package(url: \"https://example.com/swift-syntax\", from: \"603.0.1\")",
          targetDependencies: ".product(name: \"SwiftSyntax\", package: \"swift-syntax\")")
      ], named: "trait")
    _ = try ManifestCheck().write(in: tree.repository)
    let text = try tree.repository.text(of: ManifestCheck.path)
    #expect(text.contains("condition: .when(traits: [\"Macros\"])"))
    #expect(text.contains(".default(enabledTraits: []),"))
    #expect(text.contains("from: \"603.0.1\""))
  }

  @Test func `keeps a package's own traits, with their targets`() throws {
    func manifest(_ enabled: String) -> String {
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "SPON",
        traits: [
          .trait(name: "Other", description: "Another library.", enabledTraits: [\(enabled)]),
          .default(enabledTraits: []),
        ],
        targets: [
          .systemLibrary(name: "COther", pkgConfig: "other"),
          .target(
            name: "SPON",
            dependencies: [.target(name: "COther", condition: .when(traits: ["Other"]))]),
        ],
        swiftLanguageModes: [.v6]
      )
      """
    }
    let tree = try TemporaryTree(
      ["Packages/SPON/Package.swift": manifest("")], named: "own-trait")
    _ = try ManifestCheck().write(in: tree.repository)
    let text = try tree.repository.text(of: ManifestCheck.path)
    #expect(text.contains("      name: \"Other\",\n      description: \"Another library.\"),"))
    #expect(text.contains(".target(name: \"COther\", condition: .when(traits: [\"Other\"]))"))
    let chained = try TemporaryTree(
      ["Packages/SPON/Package.swift": manifest("\"Other\"")], named: "chained-trait")
    #expect(throws: CheckError.self) { try ManifestCheck().findings(in: chained.repository) }
  }

  @Test func `requires swift-syntax for macros only with the trait`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/Router/Package.swift": """
        // swift-tools-version: 6.2
        import CompilerPluginSupport
        import PackageDescription

        let package = Package(
          name: "Router",
          products: [.library(name: "Macros", targets: ["Macros"])],
          dependencies: [.package(url: "https://example.com/swift-syntax", from: "603.0.1")],
          targets: [
            .macro(
              name: "Plugin",
              dependencies: [.product(name: "SwiftSyntaxMacros", package: "swift-syntax")]),
            .target(name: "Macros", dependencies: ["Plugin"]),
          ],
          swiftLanguageModes: [.v6]
        )
        """
      ], named: "macro")
    _ = try ManifestCheck().write(in: tree.repository)
    let text = try tree.repository.text(of: ManifestCheck.path)
    #expect(text.contains("\nimport CompilerPluginSupport\nimport PackageDescription\n"))
    #expect(
      text.contains(
        """
            .macro(
              name: "Plugin",
              dependencies: [
                .product(
                  name: "SwiftSyntaxMacros", package: "swift-syntax",
                  condition: .when(traits: ["Macros"])),
              ],
              path: "Packages/Router/Sources/Plugin",
              packageAccess: false),
        """))
    #expect(text.contains("dependencies: [\"Plugin\"],"))
  }

  @Test func `rejects a test of a macro's plugin`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/Router/Package.swift": """
        // swift-tools-version: 6.2
        import CompilerPluginSupport
        import PackageDescription

        let package = Package(
          name: "Router",
          targets: [
            .macro(name: "Plugin"),
            .testTarget(name: "PluginTests", dependencies: ["Plugin"]),
          ],
          swiftLanguageModes: [.v6]
        )
        """
      ], named: "macro-test")
    let error = try #require(throws: CheckError.self) {
      try ManifestCheck().findings(in: tree.repository)
    }
    #expect(
      error.description
        == "Packages/Router: PluginTests depends on the macro Plugin, so all tests would be built twice"
    )
  }

  @Test func `limits external packages to the platforms that need them`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/SPON/Package.swift": Manifests.library(
          "SPON",
          dependencies: ".package(url: \"https://example.com/OpenCombine\", from: \"0.14.0\")",
          targetDependencies: """
            .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux]))
            """)
      ], named: "platforms")
    _ = try ManifestCheck().write(in: tree.repository)
    let text = try tree.repository.text(of: ManifestCheck.path)
    #expect(
      text.contains("condition: .when(platforms: [.linux], traits: [\"OpenCombine\"])"))
  }

  @Test func `keeps a C target for tests among the tests`() throws {
    let tree = try TemporaryTree(
      [
        "Packages/SPON/Package.swift": """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "SPON",
          products: [.library(name: "SPON", targets: ["SPON"])],
          targets: [
            .target(name: "SPON"),
            .target(name: "CFaults", path: "Tests/CFaults"),
            .testTarget(name: "SPONTests", dependencies: ["SPON", "CFaults"]),
          ],
          swiftLanguageModes: [.v6]
        )
        """
      ], named: "c-target")
    _ = try ManifestCheck().write(in: tree.repository)
    let text = try tree.repository.text(of: ManifestCheck.path)
    #expect(text.contains("path: \"Packages/SPON/Tests/CFaults\","))
    #expect(text.contains("targets: [\"SPON\"])"))
    #expect(!text.contains("targets: [\"CFaults\""))
  }
}

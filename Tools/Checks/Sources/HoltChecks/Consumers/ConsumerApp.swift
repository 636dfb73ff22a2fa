internal import Foundation

/// An app outside of the repository that requires some of its products.
struct ConsumerApp {
  /// A form of requirement.
  enum Way: String, CaseIterable {
    case url = "URL"
    /// By URL, built with optimization.
    case release = "URL, release"
    case path

    var configuration: String { self == .release ? "release" : "debug" }
  }

  let name: String
  let consumers: [Consumer]
  let way: Way

  init(taking consumer: Consumer, by way: Way) {
    self.init(name: consumer.product, consumers: [consumer], way: way)
  }

  init(name: String, consumers: [Consumer], way: Way) {
    self.name = name
    self.consumers = consumers
    self.way = way
  }

  var target: String { "\(name)App" }

  /// The name in findings.
  var description: String { "an app that requires \(name) by \(way.rawValue)" }

  var products: [String] {
    consumers.flatMap { [$0.product] + $0.others }.reduce(into: []) { list, name in
      if !list.contains(name) { list.append(name) }
    }
  }

  /// The external packages that may be compiled.
  var packages: Set<String> { consumers.reduce(into: []) { $0.formUnion($1.packages) } }

  /// The external packages that may be fetched.
  var fetched: Set<String> {
    guard way == .path else { return packages }
    return consumers.reduce(into: packages) { $0.formUnion($1.fetchedByPath) }
  }

  // MARK: Files

  private static let folder = "Tests/Tests/ConsumersTests"

  /// The file that uses the product, which a test compiles and runs too.
  static func source(of consumer: Consumer) -> String {
    "\(folder)/Products/\(consumer.product)Consumer.swift"
  }

  /// Returns the expected output, as declared in the first lines of the sources.
  func expectedOutput(in repository: Repository) throws(CheckError) -> String {
    var output = ""
    for consumer in consumers {
      let path = Self.source(of: consumer)
      let first = try repository.text(of: path).prefix { $0 != "\n" }
      guard first.hasPrefix("// Prints: ") else {
        throw CheckError("the first line of \(path) must declare the output: // Prints: …")
      }
      output += first.dropFirst("// Prints: ".count) + "\n"
    }
    return output
  }

  /// Writes the app to `folder`. The copy to require is `library`.
  func write(
    to folder: URL, requiring library: URL, offering list: ProductList, from repository: Repository
  ) throws {
    let sources = folder.appending(path: "Sources/\(target)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try Data(manifest(requiring: library, offering: list).utf8)
      .write(to: folder.appending(path: "Package.swift"))
    let calls = consumers.map { "    print(try await \($0.product)Consumer.run())\n" }.joined()
    let main = "@main struct App {\n  static func main() async throws {\n\(calls)  }\n}\n"
    try Data(main.utf8).write(to: sources.appending(path: "App.swift"))
    for consumer in consumers {
      let file = repository.url(Self.source(of: consumer))
      try FileManager.default.copyItem(
        at: file, to: sources.appending(path: file.lastPathComponent))
    }
    guard !plugins(of: list).isEmpty else { return }
    for name in ["Migrations", "Queries"] {
      try FileManager.default.copyItem(
        at: repository.url("\(Self.folder)/\(name)"), to: sources.appending(path: name))
    }
  }

  private func plugins(of list: ProductList) -> [String] {
    products.filter { list[$0]?.kind == "plugin" }
  }

  private func manifest(requiring library: URL, offering list: ProductList) -> String {
    let plugins = plugins(of: list)
    let dependencies = products.filter { !plugins.contains($0) }.map {
      "        .product(name: \($0.quoted), package: \(package(of: $0, in: list).quoted)),"
    }
    let usages = plugins.map {
      ".plugin(name: \($0.quoted), package: \(package(of: $0, in: list).quoted))"
    }
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(target)",
        platforms: [.macOS(.v14)],
        dependencies: [
          \(requirements(of: library, offering: list).joined(separator: ",\n    "))
        ],
        targets: [
          .executableTarget(
            name: "\(target)",
            dependencies: [
      \(dependencies.joined(separator: "\n"))
            ],
            plugins: [\(usages.joined(separator: ", "))])
        ]
      )
      """
  }

  private func package(of product: String, in list: ProductList) -> String {
    guard way == .path, let folder = list[product]?.folder else { return "holt" }
    return folder.split(separator: "/").last.map(String.init) ?? folder
  }

  private func requirements(of library: URL, offering list: ProductList) -> [String] {
    switch way {
    case .url, .release:
      let traits = packages.compactMap { RootManifest.knownTraits[$0]?.name }.sorted()
      let list = traits.isEmpty ? "" : ", traits: [\(traits.map(\.quoted).joined(separator: ", "))]"
      return [".package(url: \(library.absoluteString.quoted), from: \"1.0.0\"\(list))"]
    case .path:
      return Set(products.compactMap { list[$0]?.folder }).sorted().map {
        ".package(path: \("../\(library.lastPathComponent)/\($0)".quoted))"
      }
    }
  }
}

internal import Foundation

/// The samples of an app's `Package.swift` in documents: SwiftPM loads them, and their products and traits must exist.
struct ManifestSamples {
  let repository: Repository
  /// The packages of Holt that are already loaded, by folder.
  private var offered: [String: PackageDump] = [:]

  init(repository: Repository) {
    self.repository = repository
  }

  static func isManifest(_ sample: Sample) -> Bool {
    sample.file == "Package.swift"
      || sample.lines.first?.hasPrefix("// swift-tools-version:") == true
  }

  /// Returns a complete manifest. A fragment becomes a part of a package named `app`.
  static func manifest(of sample: Sample) -> String {
    let sample = sample.withoutFile
    if sample.lines.first?.hasPrefix("// swift-tools-version:") == true { return sample.text }
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
      name: "app",
      \(sample.text))

      """
  }

  /// - Returns: The fault of a manifest, or `nil`.
  mutating func fault(of sample: Sample) throws(CheckError) -> String? {
    try ScratchFolder.with(for: "manifest", or: "cannot write a manifest") { folder in
      try Data(Self.manifest(of: sample).utf8).write(to: folder.appending(path: "Package.swift"))
      let dump: PackageDump
      do {
        dump = try PackageDump.load("", in: Repository(root: folder))
      } catch {
        let reason = "\(error)".split(separator: "\n").first { $0.contains("error:") }
        return "SwiftPM can't load it: \(reason ?? "\(error)")"
      }
      return try fault(of: dump)
    }
  }

  private mutating func fault(of dump: PackageDump) throws(CheckError) -> String? {
    var packages: [String: PackageDump] = [:]
    for dependency in dump.json["dependencies"].array {
      guard let fields = dependency.enumCase?.value[0], let identity = fields["identity"].string
      else { continue }
      guard let package = try package(identity) else {
        if fields["path"] == .null { continue }
        return "Holt has no package \(identity)"
      }
      packages[identity] = package
      let traits = package.json["traits"].array.compactMap { $0["name"].string } + ["default"]
      let wanted = fields["traits"].array.compactMap { $0["name"].string }
      if let trait = wanted.first(where: { !traits.contains($0) }) {
        return "\(identity) has no trait \(trait)"
      }
    }
    for target in dump.json["targets"].array {
      for use in target["dependencies"].array + target["pluginUsages"].array {
        guard let value = use.enumCase?.value, let product = value[0].string,
          let identity = value[1].string?.lowercased(), let package = packages[identity]
        else { continue }
        let names = package.json["products"].array.compactMap { $0["name"].string }
        if !names.contains(product) { return "\(identity) has no product \(product)" }
      }
    }
    return nil
  }

  /// Returns the package of Holt with an identity, or `nil` for an external package.
  private mutating func package(_ identity: String) throws(CheckError) -> PackageDump? {
    let folder =
      identity == "holt"
      ? ""
      : repository.names(in: "Packages").first { $0.lowercased() == identity }
        .map { "Packages/\($0)" }
    guard let folder else { return nil }
    if let known = offered[folder] { return known }
    let dump = try PackageDump.load(folder, in: repository)
    offered[folder] = dump
    return dump
  }
}

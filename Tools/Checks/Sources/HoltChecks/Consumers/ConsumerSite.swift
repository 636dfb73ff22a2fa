internal import Foundation

/// A folder outside of the repository that contains a released copy and the apps to build.
///
/// Apps with the same form of requirement share a scratch folder, so that each target is compiled once. The build plan
/// lists the targets that each app needs.
struct ConsumerSite {
  let repository: Repository
  let products: ProductList
  private let folder: URL
  private let library: URL

  /// Calls a closure with a site, and removes it afterwards.
  static func with<Result>(
    _ repository: Repository, offering products: ProductList,
    _ body: (ConsumerSite) throws -> Result
  ) throws(CheckError) -> Result {
    try ReleasedCopy.with(repository, for: "consumers", or: "cannot write the app") {
      folder, library in
      try body(
        ConsumerSite(repository: repository, products: products, folder: folder, library: library))
    }
  }

  /// Writes, builds and runs an app.
  func build(_ app: ConsumerApp) throws -> ConsumerBuild {
    let configuration = app.way.configuration
    let package = folder.appending(path: "\(app.name)-\(app.way)", directoryHint: .isDirectory)
    let scratch = folder.appending(path: "scratch-\(app.way)", directoryHint: .isDirectory)
    try app.write(
      to: package, requiring: library, offering: products, from: repository)
    var result = ConsumerBuild(app: app)
    let start = Date()
    let clock = ContinuousClock()
    let began = clock.now
    let build = try Command.run([
      "swift", "build", "-c", configuration, "--package-path", package.path(percentEncoded: false),
      "--scratch-path", scratch.path(percentEncoded: false), "--disable-dependency-cache",
    ])
    result.duration = clock.now - began
    guard build.status == 0 else {
      let lines = (build.output + build.errors).split(separator: "\n")
      let reasons = lines.filter { $0.contains("error:") }
      result.failure = "does not build: \((reasons.isEmpty ? lines.suffix(5) : reasons))"
      return result
    }
    let run = try Command.run([
      scratch.appending(path: "\(configuration)/\(app.target)").path(percentEncoded: false)
    ])
    let expected = try app.expectedOutput(in: repository)
    guard run.status == 0, run.output == expected else {
      result.failure = "prints \(run.output + run.errors) instead of \(expected)"
      return result
    }
    let tree = Repository(root: scratch)
    result.compiled = try BuildPlan(try tree.text(of: "\(configuration).yaml")).compiled()
    result.made = try Self.targets(madeSince: start, in: tree, configuration)
    result.fetched = try Self.fetched(by: Repository(root: package))
    return result
  }

  /// Returns the targets whose object files were created or replaced.
  static func targets(
    madeSince start: Date, in scratch: Repository, _ configuration: String
  ) throws -> Set<String> {
    var targets: Set<String> = []
    for folder in scratch.names(in: configuration) where folder.hasSuffix(".build") {
      for path in scratch.files(under: "\(configuration)/\(folder)") where path.hasSuffix(".o") {
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.fullPath(path))
        guard let date = attributes[.modificationDate] as? Date, date >= start,
          let name = BuildPlan.targetName(ofObject: path)
        else { continue }
        targets.insert(name)
        break
      }
    }
    return targets
  }

  /// Returns the packages that an app has pinned, by identity: the fetched packages except Holt.
  static func fetched(by package: Repository) throws(CheckError) -> Set<String> {
    let path = "Package.resolved"
    // An app by path without fetched packages has no pins.
    guard package.exists(path) else { return [] }
    guard let json = try? JSONDecoder().decode(JSON.self, from: Data(package.text(of: path).utf8))
    else {
      throw CheckError(
        "\(path) has an unknown format; adapt ConsumerSite.swift to this version of SwiftPM")
    }
    return Set(json["pins"].array.compactMap { $0["identity"].string }).subtracting(["holt"])
  }
}

import Foundation
import PackagePlugin

/// Generates Swift from a target's `Migrations/` and `Queries/` as part of its build.
///
/// One command generates all files of a target, since a query's types depend on every migration. It
/// runs again after a change of `querygen.yaml`, and after an `.sql` file is edited, added or
/// removed.
@main
struct QueryGenPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let folder = module.directoryURL
    let migrations = Self.files(in: folder.appending(path: "Migrations"))
    let queries = Self.files(in: folder.appending(path: "Queries"))
    let others = ["querygen.yaml", "Migrations/migrations.lock"].map { folder.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: Self.path($0)) }
    let output = context.pluginWorkDirectoryURL.appending(path: "Generated")
    let names =
      ["DB.generated.swift"]
      + queries.map { file in
        String(file.name.dropLast(4).map { $0 == "/" ? "-" : $0 }) + ".queries.swift"
      }
    return [
      .buildCommand(
        displayName: "Generating Swift from the SQL of \(target.name)",
        executable: try context.tool(named: "querygen-build").url,
        arguments: [Self.path(folder), Self.path(output), Self.runtimeModule(of: target)],
        inputFiles: migrations.map(\.url) + queries.map(\.url) + others,
        outputFiles: names.map { output.appending(path: $0) })
    ]
  }

  /// Returns the module that generated code imports: `Holt` if the target depends on it and not on
  /// `QueryGen`.
  private static func runtimeModule(of target: any Target) -> String {
    let names = target.dependencies.map { dependency in
      switch dependency {
      case .product(let product): product.name
      case .target(let target): target.name
      @unknown default: ""
      }
    }
    return !names.contains("QueryGen") && names.contains("Holt") ? "Holt" : "QueryGen"
  }

  /// Returns the `.sql` files below a folder with their relative paths, sorted.
  private static func files(in folder: URL) -> [(name: String, url: URL)] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path(folder))) ?? []
    return names.sorted()
      .filter { name in
        name.lowercased().hasSuffix(".sql")
          && !name.split(separator: "/").contains { $0.hasPrefix(".") }
      }
      .map { (name: $0, url: folder.appending(path: $0)) }
  }

  /// Returns the path of a URL; `path()` would escape its spaces.
  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}

import Foundation
import PackagePlugin

/// Generates Swift from a target's `Migrations/` and `Queries/` as part of its build.
///
/// One command generates all files of a target, since a query's types depend on every migration. It
/// runs again after a change of `querygen.yaml`, and after an `.sql` file is edited, added or
/// removed.
///
/// Each folder directly in the target's that contains a `querygen.yaml` is another database, whose
/// generated files are named after the folder.
@main
struct QueryGenPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let folder = module.directoryURL
    let output = context.pluginWorkDirectoryURL.appending(path: "Generated")
    var inputs: [URL] = []
    var names: [String] = []
    for (name, database) in Self.databases(of: folder) {
      let queries = Self.files(in: database.appending(path: "Queries"))
      let scripts = ["Migrations", "Temporary"].flatMap {
        Self.files(in: database.appending(path: $0))
      }
      inputs += (scripts + queries).map(\.url)
      inputs += ["querygen.yaml", "Migrations/migrations.lock", "Queries/postgresql.json"]
        .map { database.appending(path: $0) }.filter(Self.exists)
      names.append("\(name ?? "DB").generated.swift")
      names += queries.map { file in
        (name.map { "\($0)-" } ?? "")
          + String(file.name.dropLast(4).map { $0 == "/" ? "-" : $0 }) + ".queries.swift"
      }
    }
    return [
      .buildCommand(
        displayName: "Generating Swift from the SQL of \(target.name)",
        executable: try context.tool(named: "querygen-build").url,
        arguments: [Self.path(folder), Self.path(output), Self.runtimeModule(of: target)],
        inputFiles: inputs,
        outputFiles: names.map { output.appending(path: $0) })
    ]
  }

  /// Returns the folders of the target's databases, with their names except for the target's own
  /// folder. `TargetDatabase` in `QueryGenDriver` applies the same rule.
  private static func databases(of folder: URL) -> [(name: String?, folder: URL)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
    let others = names.sorted().filter { name in
      !name.hasPrefix(".") && exists(folder.appending(path: name).appending(path: "querygen.yaml"))
    }
    let isDatabase = ["Migrations", "Queries"].contains { exists(folder.appending(path: $0)) }
    return (isDatabase || others.isEmpty ? [(nil, folder)] : [])
      + others.map { ($0, folder.appending(path: $0)) }
  }

  private static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: path(url))
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

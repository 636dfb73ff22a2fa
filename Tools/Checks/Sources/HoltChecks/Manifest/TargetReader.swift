/// Reads one target of a package's dump.
struct TargetReader {
  let target: JSON
  /// The package's folder, the prefix of every path.
  let folder: String

  var name: String { target["name"].string ?? "" }

  private static let kinds = [
    "regular": ".target", "test": ".testTarget", "executable": ".executableTarget",
    "macro": ".macro", "plugin": ".plugin", "system": ".systemLibrary",
  ]

  private var type: String { target["type"].string ?? "" }

  private func unknown(_ what: String) -> CheckError {
    CheckError("\(folder): target \(name): TargetReader can't write \(what)")
  }

  func read(
    dependencies: [String], plugins: [String]
  ) throws(CheckError) -> RootManifest.Target {
    guard let kind = Self.kinds[type] else { throw unknown("the type \(type)") }
    var arguments: [RootManifest.Argument] = []
    if type == "plugin" {
      guard target["pluginCapability"].enumCase?.name == "buildTool" else {
        throw unknown("a command plugin")
      }
      arguments.append(.one("capability", ".buildTool()"))
    }
    if !dependencies.isEmpty { arguments.append(.list("dependencies", dependencies)) }
    arguments.append(.one("path", path.quoted))
    if !target["exclude"].array.isEmpty {
      arguments.append(.list("exclude", target["exclude"].strings.map(\.quoted)))
    }
    if target["sources"] != .null {
      arguments.append(.list("sources", target["sources"].strings.map(\.quoted)))
    }
    if !target["resources"].array.isEmpty {
      arguments.append(.list("resources", try resources))
    }
    if let pkgConfig = target["pkgConfig"].string {
      arguments.append(.one("pkgConfig", pkgConfig.quoted))
    }
    if !target["providers"].array.isEmpty {
      arguments.append(.list("providers", try providers))
    }
    if target["publicHeadersPath"] != .null { throw unknown("publicHeadersPath") }
    // `package` declarations must not be visible across packages here, as in the packages' own manifests.
    if type != "plugin" && type != "system" { arguments.append(.one("packageAccess", "false")) }
    return RootManifest.Target(
      kind: kind, name: name, arguments: arguments, settings: try settings,
      trailing: plugins.isEmpty ? [] : [.list("plugins", plugins)])
  }

  private var path: String {
    let standard = ["test": "Tests", "plugin": "Plugins"][type] ?? "Sources"
    return "\(folder)/\(target["path"].string ?? "\(standard)/\(name)")"
  }

  private var resources: [String] {
    get throws(CheckError) {
      try target["resources"].array.map { resource throws(CheckError) in
        guard let (rule, _) = resource["rule"].enumCase, let path = resource["path"].string,
          ["copy", "process", "embedInCode"].contains(rule)
        else { throw unknown("a resource") }
        return ".\(rule)(\(path.quoted))"
      }
    }
  }

  private var providers: [String] {
    get throws(CheckError) {
      try target["providers"].array.map { provider throws(CheckError) in
        guard let (kind, value) = provider.enumCase else { throw unknown("a provider") }
        return ".\(kind)([\(value[0].strings.map(\.quoted).joined(separator: ", "))])"
      }
    }
  }

  private var settings: [String] {
    get throws(CheckError) {
      try target["settings"].array.map { setting throws(CheckError) in
        guard let (kind, value) = setting["kind"].enumCase, setting["tool"].string == "swift"
        else { throw unknown("a setting that is not for Swift") }
        guard setting["condition"] == .null else { throw unknown("a conditional setting") }
        switch kind {
        case "strictMemorySafety": return ".strictMemorySafety()"
        case "treatAllWarnings": return ".treatAllWarnings(as: .\(value["_0"].string ?? "?"))"
        case "treatWarning":
          let name = (value["_0"].string ?? "?").quoted
          return ".treatWarning(\(name), as: .\(value["_1"].string ?? "?"))"
        case "enableUpcomingFeature", "enableExperimentalFeature", "define":
          return ".\(kind)(\((value["_0"].string ?? "?").quoted))"
        case "unsafeFlags":
          throw CheckError(
            "\(folder): target \(name): unsafeFlags prevent a requirement by version")
        default: throw unknown("the setting \(kind)")
        }
      }
    }
  }
}

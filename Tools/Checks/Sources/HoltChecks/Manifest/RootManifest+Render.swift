extension RootManifest {
  /// The manifest as a Swift file, formatted as `swift format` would.
  func rendered() -> String {
    let settingsNames = settingsNames()
    var lines = [
      "// swift-tools-version: \(toolsVersion)",
      "// Made by `make manifest` from the packages' own manifests. Edit those.",
    ]
    // The module that declares `.macro`.
    if targets.contains(where: { $0.kind == ".macro" }) {
      lines.append("import CompilerPluginSupport")
    }
    lines += ["import PackageDescription", ""]
    for (settings, name) in settingsNames {
      lines.append("let \(name): [SwiftSetting] = [")
      lines += settings.map { "  \($0)," }
      lines += ["]", ""]
    }
    lines += ["let package = Package(", "  name: \"Holt\","]
    lines += Self.list("platforms", platforms, indent: 2)
    lines += Self.list("products", products, indent: 2)
    if !traits.isEmpty {
      lines.append("  traits: [")
      for trait in traits {
        lines.append("    .trait(")
        lines.append("      name: \(trait.name.quoted),")
        lines.append("      description: \(trait.description.quoted)),")
      }
      lines += ["    .default(enabledTraits: []),", "  ],"]
    }
    if !dependencies.isEmpty { lines += Self.list("dependencies", dependencies, indent: 2) }
    lines.append("  targets: [")
    for target in targets {
      let name = settingsNames.first { $0.settings == target.settings }?.name
      lines += target.rendered(settings: name)
    }
    lines += ["  ],", "  swiftLanguageModes: [.v6]", ")"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name for each distinct list of settings, in order of appearance.
  private func settingsNames() -> [(settings: [String], name: String)] {
    var names: [(settings: [String], name: String)] = []
    for target in targets where !target.settings.isEmpty {
      guard !names.contains(where: { $0.settings == target.settings }) else { continue }
      let number = names.isEmpty ? "" : String(names.count + 1)
      names.append((target.settings, "settings\(number)"))
    }
    return names
  }

  /// `label: […],` on one line for a single value that fits, else a line for each value.
  static func list(_ label: String, _ values: [String], indent: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    let oneLine = "\(space)\(label): [\(values.joined(separator: ", "))],"
    if values.count < 2 && oneLine.count <= 100 && !oneLine.contains("\n") { return [oneLine] }
    return ["\(space)\(label): ["] + values.map { "\(space)  \($0)," } + ["\(space)],"]
  }
}

extension RootManifest.Target {
  fileprivate func rendered(settings: String?) -> [String] {
    var lines = ["    \(kind)(", "      name: \(name.quoted),"]
    for argument in arguments { lines += argument.rendered }
    if let settings { lines.append("      swiftSettings: \(settings),") }
    for argument in trailing { lines += argument.rendered }
    // The last argument ends the call.
    lines[lines.count - 1] = String(lines[lines.count - 1].dropLast()) + "),"
    return lines
  }
}

extension RootManifest.Argument {
  fileprivate var rendered: [String] {
    isList
      ? RootManifest.list(label, values, indent: 6)
      : ["      \(label): \(values.joined()),"]
  }
}

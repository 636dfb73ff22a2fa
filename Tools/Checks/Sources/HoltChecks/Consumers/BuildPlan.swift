internal import Foundation

/// The build plan that SwiftPM writes for llbuild, read from the scratch folder.
struct BuildPlan {
  /// A target that is compiled.
  struct Target: Hashable {
    /// The name of the target's folder, without the suffix `-tool` of targets that are built for the host.
    let name: String
    /// The external package that contains it, by the name of its checkout, or `nil` for Holt and the app.
    let package: String?
  }

  private struct Step {
    var inputs: [String] = []
    var outputs: [String] = []
  }

  private var steps: [Step] = []
  private var main: [String] = []

  init(_ text: String) throws(CheckError) {
    var section = ""
    for line in text.split(separator: "\n") {
      if !line.hasPrefix(" ") {
        section = String(line)
      } else if section == "targets:", line.hasPrefix("  \"main\":") {
        main = try Self.list(line)
      } else if section == "commands:" {
        if line.hasPrefix("  \"") {
          steps.append(Step())
        } else if line.hasPrefix("    inputs: "), !steps.isEmpty {
          steps[steps.count - 1].inputs = try Self.list(line)
        } else if line.hasPrefix("    outputs: "), !steps.isEmpty {
          steps[steps.count - 1].outputs = try Self.list(line)
        }
      }
    }
    guard !main.isEmpty, !steps.isEmpty else {
      throw CheckError(
        "the build plan has an unknown format; adapt BuildPlan.swift to this version of SwiftPM")
    }
  }

  /// Returns the list after a line's key, parsed as JSON.
  private static func list(_ line: Substring) throws(CheckError) -> [String] {
    guard let start = line.firstIndex(of: "["),
      let list = try? JSONDecoder().decode([String].self, from: Data(line[start...].utf8))
    else { throw CheckError("the build plan has a list of an unknown format: \(line.prefix(100))") }
    return list
  }

  /// The targets that a clean build compiles: each target with object files among the outputs.
  ///
  /// The plan lists more targets, which only tests or other products need.
  func compiled() -> Set<Target> {
    var makers: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      for output in step.outputs { makers[output] = index }
    }
    var seen: Set<Int> = []
    var waiting = main.compactMap { makers[$0] }
    var targets: Set<Target> = []
    while let index = waiting.popLast() {
      guard seen.insert(index).inserted else { continue }
      let step = steps[index]
      if let target = Self.target(of: step) { targets.insert(target) }
      waiting += step.inputs.compactMap { makers[$0] }
    }
    return targets
  }

  /// Returns the target that a step compiles, if it creates object files from sources.
  private static func target(of step: Step) -> Target? {
    guard let object = step.outputs.first(where: { $0.hasSuffix(".o") }),
      let name = targetName(ofObject: object),
      let source = step.inputs.first(where: isSource)
    else { return nil }
    let parts = source.split(separator: "/").map(String.init)
    let checkout = parts.firstIndex(of: "checkouts").map { parts[$0 + 1] }
    return Target(name: name, package: checkout == "holt" ? nil : checkout)
  }

  private static func isSource(_ path: String) -> Bool {
    [".swift", ".c", ".m", ".cpp", ".S"].contains(where: path.hasSuffix)
  }

  /// Returns the target whose folder contains an object file.
  static func targetName(ofObject path: String) -> String? {
    path.split(separator: "/").dropLast().last { $0.hasSuffix(".build") }.map(targetName(ofFolder:))
  }

  /// Returns the target whose object files are in a folder.
  static func targetName(ofFolder folder: Substring) -> String {
    var name = String(folder.dropLast(".build".count))
    if name.hasSuffix("-tool") { name.removeLast("-tool".count) }
    return ImportRules.allowed.keys.first { $0.replacing("-", with: "_") == name } ?? name
  }
}

internal import Foundation

/// What SwiftPM has told llbuild to do for a build, read from the file that it leaves in the scratch folder.
struct BuildPlan {
  /// A target that is compiled.
  struct Target: Hashable {
    /// As SwiftPM names its folder: without `-tool`, which those have that are built for the build.
    let name: String
    /// The outside package that it is of, by the name of its checkout; `nil` for Holt's and the app's.
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
      throw CheckError("the build plan has another form than this check knows")
    }
  }

  /// The list after a line's key, which is written as JSON.
  private static func list(_ line: Substring) throws(CheckError) -> [String] {
    guard let start = line.firstIndex(of: "["),
      let list = try? JSONDecoder().decode([String].self, from: Data(line[start...].utf8))
    else { throw CheckError("the build plan has a list of another form: \(line.prefix(100))") }
    return list
  }

  /// The targets that a plain build from nothing compiles: those whose objects it makes.
  ///
  /// The plan names more, which only tests or other products would need.
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

  /// What a step compiles: one that makes objects of sources.
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

  /// The target in whose folder an object lies.
  static func targetName(ofObject path: String) -> String? {
    path.split(separator: "/").dropLast().last { $0.hasSuffix(".build") }.map(targetName(ofFolder:))
  }

  /// The target whose objects lie in a folder.
  static func targetName(ofFolder folder: Substring) -> String {
    var name = String(folder.dropLast(".build".count))
    if name.hasSuffix("-tool") { name.removeLast("-tool".count) }
    return ImportRules.allowed.keys.first { $0.replacing("-", with: "_") == name } ?? name
  }
}

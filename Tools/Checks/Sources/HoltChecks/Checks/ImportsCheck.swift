/// Rejects imports that the order of packages forbids, and unsafe code outside of the listed folders.
public struct ImportsCheck: Check {
  public let name = "imports"
  public let summary =
    "imports follow the order of packages; C and unsafe code are in listed folders"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var findings: [Finding] = []
    for path in repository.files() where path.hasSuffix(".swift") {
      guard let place = CallSite(path: path) else { continue }
      let code = SwiftCode(try repository.text(of: path))
      findings += Self.fenceFindings(in: code, at: path)
      if case .target(let target) = place {
        findings += Self.importFindings(in: code, of: target, at: path)
      }
    }
    return findings
  }

  private static func importFindings(
    in code: SwiftCode, of target: String, at path: String
  ) -> [Finding] {
    guard let allowed = ImportRules.allowed[target] else {
      return [
        Finding(
          path: path, line: 1,
          message:
            "target \(target) has no entry in ImportRules.swift: list the modules it may import")
      ]
    }
    return code.imports.compactMap { found in
      let module = found.module
      if module == target || ImportRules.everywhere.contains(module) || allowed.contains(module) {
        return nil
      }
      if ImportRules.foundation.contains(module) {
        if path.hasSuffix("+Foundation.swift") || allowed.contains("Foundation") { return nil }
        return Finding(
          path: path, line: found.line,
          message: "\(target) imports \(module) in files named Type+Foundation.swift only")
      }
      return Finding(
        path: path, line: found.line,
        message: "\(target) must not import \(module); it may import "
          + (allowed.isEmpty ? "no module of Holt" : allowed.sorted().joined(separator: ", ")))
    }
  }

  private static func fenceFindings(in code: SwiftCode, at path: String) -> [Finding] {
    var findings = code.imports.compactMap { found -> Finding? in
      guard let fences = ImportRules.fences[found.module],
        !fences.contains(where: path.hasPrefix)
      else { return nil }
      return Finding(
        path: path, line: found.line,
        message: "\(found.module) is imported under \(fences.joined(separator: ", ")) only")
    }
    guard !ImportRules.unsafeFolders.contains(where: path.hasPrefix) else { return findings }
    for (index, word) in code.words.enumerated()
    where word.text == "unsafe" && !isLabel(index, in: code.words) {
      findings.append(
        Finding(
          path: path, line: word.line,
          message: "unsafe code is allowed under "
            + ImportRules.unsafeFolders.sorted().joined(separator: ", ") + " only"))
    }
    return findings
  }

  /// Returns whether a word is an argument's label, as in `SQL(unsafe: text)` and `init(unsafe text: String)`.
  private static func isLabel(_ index: Int, in words: [SwiftCode.Word]) -> Bool {
    let colon = UInt8(ascii: ":")
    if words[index].after == colon { return true }
    return words[index].before == UInt8(ascii: "(") && words.indices.contains(index + 1)
      && words[index + 1].after == colon
  }
}

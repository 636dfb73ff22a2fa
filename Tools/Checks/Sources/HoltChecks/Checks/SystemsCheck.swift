/// Rejects names that require newer systems than the packages do, unless `@available` or `#available` guards them.
///
/// `make availability` type-checks the libraries, but not tests and files that import Apple's modules. This check
/// searches those for the names that it lists.
public struct SystemsCheck: Check {
  public let name = "systems"
  public let summary = "names that require systems after macOS 14 and iOS 17 are under @available"

  /// Names that require macOS 15 or the releases of the same year.
  static let names: Set<String> = [
    // Swift
    "AtomicLazyReference", "InlineArray", "Int128", "Observations", "Synchronization",
    "TaskExecutor", "UInt128", "UTF8Span", "globalConcurrentExecutor", "utf8Span",
    "validating", "withTaskExecutorPreference",
    // SwiftUI
    "MeshGradient", "ScrollPosition", "onScrollGeometryChange", "onScrollPhaseChange",
  ]

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var findings: [Finding] = []
    for path in repository.files() where path.hasSuffix(".swift") && Self.isChecked(path) {
      for (word, line) in Self.unguarded(in: try repository.text(of: path)) {
        findings.append(
          Finding(
            path: path, line: line,
            message: "\(word) requires macOS 15: guard it with @available or if #available"))
      }
    }
    return findings
  }

  /// Returns whether a file is checked. The benchmarks and fuzzers declare newer systems in their manifests.
  private static func isChecked(_ path: String) -> Bool {
    !path.hasPrefix("Tools/Benchmarks/") && !path.hasPrefix("Tools/Fuzz/")
      && !path.hasPrefix("Tools/Availability/")
  }

  /// Returns the listed names without backticks that are neither in braces after an availability condition nor in a
  /// declaration with an attribute. Such a declaration ends with its braces, or at an empty line.
  static func unguarded(in text: String) -> [(word: String, line: Int)] {
    var masker = SwiftMasker(bytes: Array(text.utf8))
    masker.scanCode(insideInterpolation: false)
    let code = String(decoding: masker.bytes, as: UTF8.self)
    var found: [(String, Int)] = []
    var guarded: [Bool] = []
    var isPending = false
    for (number, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.allSatisfy(\.isWhitespace) { isPending = false }
      let isNegated = line.contains("#unavailable") || line.contains("guard #available")
      if line.contains("available("), line.contains("macOS "), !isNegated { isPending = true }
      var word = ""
      for character in line + " " {
        if character.isLetter || character.isNumber || "_`".contains(character) {
          word.append(character)
          continue
        }
        if names.contains(word), !isPending, guarded.last != true {
          found.append((word, number + 1))
        }
        word = ""
        if character == "{" {
          guarded.append(isPending || guarded.last == true)
          isPending = false
        } else if character == "}" {
          _ = guarded.popLast()
          isPending = false
        }
      }
    }
    return found
  }
}

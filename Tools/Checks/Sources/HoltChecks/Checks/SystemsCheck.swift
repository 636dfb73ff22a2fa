/// Refuses names that need later systems than the packages do, unless `@available` or `#available` guards them.
///
/// `make availability` type-checks the libraries, but neither tests nor what imports more of Apple's modules: there
/// this check knows the names that it lists.
public struct SystemsCheck: Check {
  public let name = "systems"
  public let summary = "what needs systems after macOS 14 and iOS 17 stands under @available"

  /// Names of macOS 15 and later, and of the releases of its age.
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
            message: "\(word) needs macOS 15 or later: guard it by @available or if #available"))
      }
    }
    return findings
  }

  /// The benchmarks and fuzzers are for developers' machines alone, and have later systems in their manifests.
  private static func isChecked(_ path: String) -> Bool {
    !path.hasPrefix("Tools/Benchmarks/") && !path.hasPrefix("Tools/Fuzz/")
      && !path.hasPrefix("Tools/Availability/")
  }

  /// The names, but those in backticks, that stand neither in braces after an availability nor in a declaration that has
  /// one. Such a declaration
  /// ends with its braces, or with an empty line.
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

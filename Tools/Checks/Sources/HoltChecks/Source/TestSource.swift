/// The suites of a Swift file, and the functions of each whose names are in backticks.
///
/// Comments and strings are ignored.
struct TestSource {
  private(set) var suites: [String: Set<String>] = [:]

  init(_ text: String) {
    var masker = SwiftMasker(bytes: Array(text.utf8))
    masker.scanCode(insideInterpolation: false)
    let code = String(decoding: masker.bytes, as: UTF8.self)
    var suite = ""
    for match in code.matches(of: /\b(struct|class|enum|actor|extension|func)\s+`([^`\n]+)`/) {
      if match.1 == "func" {
        suites[suite, default: []].insert(String(match.2))
      } else {
        suite = String(match.2)
        suites[suite, default: []] = suites[suite] ?? []
      }
    }
  }
}

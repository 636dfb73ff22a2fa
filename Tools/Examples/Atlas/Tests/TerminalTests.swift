import Primitives
import Testing

@testable import Atlas

@Suite struct `Numbers and questions` {
  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func `has thousands separators`(number: Int, text: String) {
    #expect(number.grouped == text)
  }

  @Test(arguments: [(0.0, "0.0"), (1.25, "1.3"), (-0.04, "0.0"), (-1.26, "-1.3"), (99.96, "100.0")])
  func `has one decimal`(number: Double, text: String) {
    #expect(number.oneDecimal == text)
  }

  @Test func `is bold only in a terminal`() {
    #expect(report(isTerminal: false) { $0.question("Why?", "A.sql") }.contains("Why?  "))
    #expect(!report(isTerminal: false) { $0.question("Why?", "A.sql") }.contains("\u{1B}"))
    #expect(report(isTerminal: true) { $0.question("Why?", "A.sql") }.contains("\u{1B}[1mWhy?"))
  }

  private func report(isTerminal: Bool, _ body: (Report) -> Void) -> String {
    let text = Mutex("")
    body(Report(isTerminal: isTerminal) { part in text.withLock { $0 += part } })
    return text.withLock { $0 }
  }
}

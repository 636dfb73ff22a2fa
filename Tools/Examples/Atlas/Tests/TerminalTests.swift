import Synchronization
import Testing

@testable import Atlas

@Suite struct `Text in a terminal` {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("Zürich", 6), ("Zu\u{308}rich", 6), ("日本", 4), ("한국", 4),
    ("🇨🇭 CH", 5), ("Ａ", 2), ("a\u{200B}b", 2), ("☕", 2), ("❤\u{FE0F}", 2), ("…", 1), ("–", 1),
    ("👩‍👩‍👧", 2), ("कि", 1),
  ])
  func `takes as many columns as it shows`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("Zürich", 6, "Zürich"), ("Zürich", 4, "Zür…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
  ])
  func `is cut at the column's limit`(text: String, width: Int, cut: String) {
    #expect(text.truncated(to: width) == cut)
    #expect(text.truncated(to: width).displayWidth <= width)
  }

  @Test func `stands in aligned columns`() {
    var table = TextTable([.left("Name"), .right("Rows"), .left("Note", limit: 6)])
    table.add(["日本", "7", "short"])
    table.add(["Zürich", "15,017", "far too long"])
    table.add(["x"])
    #expect(
      table.lines == [
        "  Name      Rows  Note",
        "  ──────  ──────  ──────",
        "  日本         7  short",
        "  Zürich  15,017  far t…",
        "  x",
      ])
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func `has its thousands set apart`(number: Int, text: String) {
    #expect(number.grouped == text)
  }

  @Test(arguments: [(0.0, "0.0"), (1.25, "1.3"), (-0.04, "0.0"), (-1.26, "-1.3"), (99.96, "100.0")])
  func `has one decimal`(number: Double, text: String) {
    #expect(number.oneDecimal == text)
  }

  @Test func `is bold in a terminal alone`() {
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

@Suite struct `Progress of the import` {
  private func written(isTerminal: Bool, _ body: (inout Progress) -> Void) -> [String] {
    let parts = Mutex<[String]>([])
    var progress = Progress(total: 4, isTerminal: isTerminal) { part in
      parts.withLock { $0.append(part) }
    }
    body(&progress)
    return parts.withLock { $0 }
  }

  private func importFour(_ progress: inout Progress) {
    progress.begin("scripts")
    for _ in 0..<4 { progress.advance(by: 1, "scripts") }
    progress.end("scripts", rows: 4)
    progress.finish()
  }

  @Test func `is a line for each source outside of a terminal`() {
    #expect(written(isTerminal: false, importFour) == ["  imported 4 scripts\n"])
  }

  @Test func `is a bar in a terminal, drawn over itself and gone at the end`() {
    let parts = written(isTerminal: true, importFour)
    #expect(parts.count == 6)
    #expect(parts.dropLast().allSatisfy { $0.hasPrefix("\r\u{1B}[K  ") && $0.hasSuffix("scripts") })
    #expect(parts[2].contains("50%"))
    #expect(parts[2].count { $0 == "█" } == 15)
    #expect(parts.last == "\r\u{1B}[K")
  }
}

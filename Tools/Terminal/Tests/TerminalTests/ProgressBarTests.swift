import Testing

@testable import Terminal

@Suite struct `The progress bar` {
  @Test func `fits the terminal and shows the progress`() {
    let line = ProgressBar.line("copying", 50, of: 200, "book", columns: 60)
    #expect(line.hasPrefix("copying [####"))
    #expect(line.hasSuffix("] 25% book"))
    #expect(line.count < 60)
    for columns in [1, 5, 20] {
      #expect(
        ProgressBar.line("copying", 1, of: 2, "book", columns: columns).count < max(columns, 1))
    }
    #expect(ProgressBar.line("reading", 7, of: nil, "x", columns: 40) == "reading x 7")
  }
}

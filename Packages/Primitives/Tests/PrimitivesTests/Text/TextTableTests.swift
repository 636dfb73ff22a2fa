import Primitives
import Testing

@Suite struct `Text in a terminal` {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("Zürich", 6), ("Zu\u{308}rich", 6), ("日本", 4), ("한국", 4),
    ("🇨🇭 CH", 5), ("Ａ", 2), ("a\u{200B}b", 2), ("☕", 2), ("❤\u{FE0F}", 2), ("…", 1), ("–", 1),
    ("👩‍👩‍👧", 2), ("कि", 1), ("\u{7}", 0),
  ])
  func `has the width of its characters`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("Zürich", 6, "Zürich"), ("Zürich", 4, "Zür…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
  ])
  func `is truncated at the column's limit`(text: String, width: Int, cut: String) {
    #expect(text.truncated(to: width) == cut)
    #expect(text.truncated(to: width).displayWidth <= width)
  }

  @Test func `is aligned in columns`() {
    var table = TextTable([.left("Name"), .right("Rows"), .left("Note", limit: 6)])
    table.add(["日本", "7", "short"])
    table.add(["Zürich", "15,017", "far too long", "dropped"])
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

  @Test func `is aligned in columns without a rule`() {
    var table = TextTable([.left("way"), .right("ms")], indent: 0, rule: nil)
    table.add(["Holt", "1.5"])
    table.add(["C"])
    #expect(table.lines == ["way    ms", "Holt  1.5", "C"])
  }

  @Test func `is written in parts, and styled without its padding`() {
    var table = TextTable([.left("a"), .right("b")], indent: 0, rule: "-")
    table.add(["one", "1"])
    let paint = { (cell: String, line: TextTable.Line, column: Int) -> String in
      line == .row(0) && column == 1 ? "<\(cell)>" : cell
    }
    #expect(table.takeLines(paint: paint) == ["a    b", "---  -", "one  <1>"])
    table.add(["four", "22"])
    table.add(["x", "3"])
    #expect(table.takeLines(paint: paint) == ["four  <22>", "x      3"])
    #expect(table.takeLines() == [])
  }
}

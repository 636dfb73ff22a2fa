import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `Command-line values` {
  static let cases: [(String, SQLiteValue)] = [
    ("42", 42), ("-7", -7), ("1.5", 1.5), ("-2e10", -2e10), ("007", "007"), ("1.10.0", "1.10.0"),
    ("+1", "+1"), ("NULL", .null), ("null", .null), ("'NULL'", "NULL"), ("'it''s'", "it's"),
    ("x'00ff'", .blob([0, 255])), ("x'0'", "x'0'"), ("", ""), ("0x10", "0x10"), ("0.5", 0.5),
    ("9223372036854775808", "9223372036854775808"), ("nan", "nan"), ("1e999", "1e999"),
    ("Ada", "Ada"), ("1-2", "1-2"), ("00.5", "00.5"),
  ]

  @Test(arguments: cases)
  func `are parsed as numbers, literals or text`(
    _ text: String, _ value: SQLiteValue
  ) {
    #expect(Parameters.value(text) == value)
  }

  @Test func `have names before the first equals sign`() {
    #expect(Parameters.named("a=b=c")?.name == "a")
    #expect(Parameters.named("a=b=c")?.value == "b=c")
    #expect(Parameters.named(":a=1")?.name == "a")
    #expect(Parameters.named("=1") == nil)
    #expect(Parameters.named("a") == nil)
  }
}

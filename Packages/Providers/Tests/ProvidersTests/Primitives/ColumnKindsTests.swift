import Primitives
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Types of columns` {
  struct Case: CustomTestStringConvertible, Sendable {
    let texts: [String?]
    let type: TableCollector.ColumnType?
    var testDescription: String { "\(texts)" }

    init(_ texts: [String?], _ type: TableCollector.ColumnType?) {
      self.texts = texts
      self.type = type
    }
  }

  @Test(arguments: [
    Case([], .text), Case([nil], .text), Case([""], .text), Case(["1", ""], .text),
    Case(["1", nil, "-2"], .integer),
    Case(["01234", "99999"], .text), Case(["+1"], .integer), Case(["1,000"], .text),
    Case(["0x10"], .text),
    Case(["1e5"], .real), Case(["1.5e3"], .real), Case([" 1"], .text), Case(["-0"], .integer),
    Case(["-"], .text), Case(["+"], .text), Case(["."], .text), Case(["e5"], .text),
    Case(["1e"], .text), Case(["1e+"], .text), Case(["--1"], .text), Case(["+-1"], .text),
    Case(["1e12345"], .text), Case(["1e9999", "1"], .decimal), Case(["1E-05", "+2.5"], .real),
    Case(["-007", "8"], .text), Case(["+007", "8"], .text), Case(["0", "0.5", "-0.0"], .real),
    Case(["01e5"], .text), Case(["+491701234567", "5"], .text), Case(["+1234567"], .text),
    Case(["+123456", "5"], .integer), Case(["+1234567.5"], .real), Case(["5", "00"], .text),
    Case(["9223372036854775807", "-9223372036854775808"], .integer),
    Case(["9223372036854775808"], .decimal), Case(["9223372036854775808", "x"], .text),
    Case(["1.5", "2"], .real), Case(["1.50", "0.10"], .real), Case([".5"], .real),
    Case(["5."], .real), Case(["-.5"], .real), Case(["9223372036854775808", "true"], .text),
    Case(["1.5", "9007199254740993"], .decimal), Case(["9007199254740992", "1.5"], .real),
    Case(["0.12345678901234567890"], .decimal), Case(["1.2.3"], .text), Case(["00.5"], .text),
    Case(["-0.5"], .real),
    Case(["true", "FALSE", "True"], .boolean), Case(["true", "1"], .text),
    Case(["yes", "no"], .text), Case(["t"], .text),
    Case(["2026-11-22", "2024-02-29"], .date), Case(["2025-02-29"], .text),
    Case(["2026-13-01"], .text),
    Case(["2026-04-31"], .text),
    Case(["2026-08-31", "2026-07-31", "2026-12-31", "1900-02-28"], .date),
    Case(["2026-11-22T17:30", "2026-11-22 17:30:59.123Z", "2026-11-22T00:00:00+01:00"], .dateTime),
    Case(["2026-11-22", "2026-11-22T17:30"], .dateTime), Case(["2026-11-22T24:00"], .text),
    Case(["20261122"], .integer),
    Case(["2026-11-22T17:30Zx"], .text), Case(["2026-11-22T17"], .text),
    Case(["22.11.2026"], .text),
    Case(["2026-11-22", "1"], .text), Case(["17:30"], .text), Case(["2026-11-22T17:30:"], .text),
    Case(["2026-11-22T17:30+01"], .text), Case(["1", "a"], .text), Case(["NaN"], .text),
    Case(["null"], .text),
  ])
  func `are inferred from all texts`(_ expected: Case) {
    var kinds = TableCollector.ColumnKinds()
    for text in expected.texts.compactMap(\.self) {
      kinds.formUnion(
        TableCollector.ColumnKinds(TableCollector.TextKind([UInt8](text.utf8).elementSpan)))
    }
    #expect(kinds.type == expected.type)
  }

  @Test(
    arguments: [
      ([.integer], .integer), ([.integer, .longInteger], .integer), ([.integer, .real], .real),
      ([.longInteger, .real], nil), ([.real], .real), ([.boolean], .boolean),
      ([.boolean, .integer], .json), ([.textValue], .text), ([.textValue, .integer], nil),
      ([.textValue, .integer, .real], nil), ([.longNumber], .decimal),
      ([.integer, .longNumber], .decimal), ([.longInteger, .real, .longNumber], .decimal),
      ([.boolean, .longNumber], .json), ([.textValue, .longNumber], .json),
      ([.container], .json), ([.container, .textValue], .json), ([], nil),
    ] as [(TableCollector.ColumnKinds, TableCollector.ColumnType?)])
  func `preserve each value`(
    _ kinds: TableCollector.ColumnKinds, _ type: TableCollector.ColumnType?
  ) {
    #expect(kinds.union(.typed).type == type)
  }

  @Test(
    arguments: [
      (["a", "b"], ["a", "b"]), ([" a ", "b\n c"], ["a", "b c"]),
      (["", "x", " "], ["column1", "x", "column3"]),
      (["a", "A", "a"], ["a", "A_2", "a_3"]), (["a", "a", "a_2"], ["a", "a_3", "a_2"]),
      (["", "column1"], ["column1_2", "column1"]), (["É", "é"], ["É", "é"]),
      (["\u{FEFF}id"], ["id"]),
      (["order", "rowid"], ["order", "rowid"]), (["a\u{0}b"], ["a b"]),
    ] as [([String], [String])])
  func `have unique names`(_ names: [String], _ unique: [String]) {
    #expect(TableCollector.ColumnNames.unique(names) == unique)
  }
}

import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Types of columns` {
  struct Case: CustomTestStringConvertible, Sendable {
    let texts: [String?]
    let type: ColumnProfile.ColumnType?
    var testDescription: String { "\(texts)" }

    init(_ texts: [String?], _ type: ColumnProfile.ColumnType?) {
      self.texts = texts
      self.type = type
    }
  }

  @Test(arguments: [
    Case([], .text), Case([nil], .text), Case([""], .text), Case(["1", ""], .text),
    Case(["1", nil, "-2"], .integer),
    Case(["01234", "99999"], .text), Case(["+1"], .text), Case(["1,000"], .text),
    Case(["0x10"], .text),
    Case(["1e5"], .text), Case(["1.5e3"], .text), Case([" 1"], .text), Case(["-0"], .text),
    Case(["-"], .text),
    Case(["9223372036854775807", "-9223372036854775808"], .integer),
    Case(["9223372036854775808"], .text),
    Case(["1.5", "2"], .real), Case(["1.50", "0.10"], .real), Case([".5"], .text),
    Case(["5."], .text),
    Case(["1.5", "9007199254740993"], .text), Case(["9007199254740992", "1.5"], .real),
    Case(["0.12345678901234567890"], .text), Case(["1.2.3"], .text), Case(["00.5"], .text),
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
  func `come from all texts`(_ expected: Case) {
    var profile = ColumnProfile()
    for text in expected.texts {
      if let text { profile.add(text: [UInt8](text.utf8).span) } else { profile.addNull() }
    }
    #expect(profile.type == expected.type)
    #expect(profile.isNullable == expected.texts.contains(nil))
    #expect(profile.count == expected.texts.count)
    #expect(profile.longestText == expected.texts.map { $0?.utf8.count ?? 0 }.max() ?? 0)
  }

  @Test func `of values keep each as it is`() {
    typealias Step = (inout ColumnProfile) -> Void
    let integer: Step = { $0.add(integer: 1) }
    let long: Step = { $0.add(integer: .max) }
    let real: Step = { $0.add(real: 0.5) }
    let bool: Step = { $0.add(boolean: true) }
    let text: Step = { $0.add(textValue: [0x31].span) }
    let number: Step = { $0.addLongNumber(length: 30) }
    let object: Step = { $0.addContainer(length: 2) }
    let null: Step = { $0.addNull() }
    let cases: [([Step], ColumnProfile.ColumnType?)] = [
      ([integer, null], .integer), ([integer, long], .integer), ([integer, real], .real),
      ([long, real], nil),
      ([real], .real), ([bool, bool], .boolean), ([bool, integer], nil),
      ([text, text, null], .text),
      ([text, integer], nil), ([number], nil), ([integer, number], nil), ([object], nil),
      ([object, text], nil),
    ]
    for (steps, type) in cases {
      var profile = ColumnProfile()
      for step in steps { step(&profile) }
      #expect(profile.type == type)
      #expect(profile.isContainers == (type == nil && steps.count == 1 && profile.longestText == 2))
    }
  }

  @Test func `tell candidates for a primary key`() {
    func profile(_ texts: [String?], _ remembered: Int = 100) -> ColumnProfile {
      var profile = ColumnProfile(remembersTexts: true, rememberedCount: remembered)
      for text in texts {
        if let text { profile.add(text: [UInt8](text.utf8).span) } else { profile.addNull() }
      }
      return profile
    }
    #expect(profile(["1", "2", "3"]).isCandidateKey(named: "n"))
    #expect(profile(["5", "2", "3", "6"]).isCandidateKey(named: "n"))
    #expect(!profile(["1", "2", "1"]).isCandidateKey(named: "n"))
    #expect(!profile(["2", "1", "2"]).isCandidateKey(named: "n"))
    #expect(!profile(["3", "1", "2", "3"]).isCandidateKey(named: "n"))
    #expect(!profile(["2", "4", "3", "4"]).isCandidateKey(named: "n"))
    #expect(!profile(["1", nil]).isCandidateKey(named: "id"))
    #expect(!profile([]).isCandidateKey(named: "id"))
    #expect(profile(["a", "b", "1"]).isCandidateKey(named: "ID"))
    #expect(!profile(["a", "b"]).isCandidateKey(named: "name"))
    #expect(!profile(["a", "b", "a"]).isCandidateKey(named: "id"))
    #expect(!profile(["1.5"]).isCandidateKey(named: "id"))
    // More than are remembered are not compared; those that follow each other need not be.
    #expect(profile((0..<200).map { "\($0 * 2)" }).uniqueness == .unknown)
    #expect(profile((0..<200).map { "\($0)" }).uniqueness == .unique)
    let names = ["name", "id", "n"]
    let profiles = [profile(["a"]), profile(["7"]), profile(["8"])]
    #expect(ColumnNames.primaryKey(names, profiles) == 1)
    #expect(ColumnNames.primaryKey(["n", "m"], [profile(["7"]), profile(["8"])]) == 0)
    #expect(ColumnNames.primaryKey(["s", "m"], [profile(["a"]), profile(["8"])]) == nil)
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
  func `have names that can stand together`(_ names: [String], _ unique: [String]) {
    #expect(ColumnNames.unique(names) == unique)
  }
}

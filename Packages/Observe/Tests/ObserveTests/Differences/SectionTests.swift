import Observe
import Testing

@Suite struct `A difference of sectioned lists` {
  typealias Sections = [ListSection<String, Item>]

  /// Sections with their names, which precede colons, and their items.
  static func sections(_ text: String) -> Sections {
    text.split(separator: " ").map { section in
      let parts = section.split(separator: ":", omittingEmptySubsequences: false)
      return ListSection(key: String(parts[0]), elements: items(String(parts[1])))
    }
  }

  static func text(_ difference: SectionedListDifference<String, Item>) -> String {
    let rows = difference.rows.map { "\($0.offsets.old) → \($0.offsets.new): \($0.rows)" }
    return (["\(difference.sections)"] + rows).joined(separator: " | ")
  }

  @Test(arguments: [
    ("red:ab blue:c", "red:ab blue:c", "no difference"),
    ("red:ab blue:c", "blue:c red:ab", "moved 0 → 1"),
    ("red:ab", "red:ab blue:c", "inserted 1"), ("red:ab blue:c", "blue:c", "removed 0"),
    (
      "red:ab blue:c", "red:a blue:c'x",
      "no difference | 0 → 0: removed 1 | 1 → 1: inserted 1; updated 0 → 0"
    ),
    ("red:ab blue:c", "blue:bc red:a", "moved 0 → 1 | 0 → 1: removed 1 | 1 → 0: inserted 0"),
    ("red:a red:b", "red:b", "removed 1 | 0 → 0: removed 0; inserted 0"),
  ])
  func `contains section keys, and rows of the remaining sections`(
    _ old: String, _ new: String, _ expected: String
  ) throws {
    let (old, new) = (Self.sections(old), Self.sections(new))
    let difference = SectionedListDifference(from: old, to: new, by: \.id)
    #expect(Self.text(difference) == expected)
    #expect(difference.isEmpty == (old == new))
    #expect(try difference.applying(to: old) == new)
  }

  @Test func `has one section for each run of equal keys`() {
    let sections = ListSection.sections(of: [1, 3, 2, 4, 5], by: { $0 % 2 == 0 })
    #expect(sections.map(\.elements) == [[1, 3], [2, 4], [5]])
    #expect(sections.map(\.key) == [false, true, false])
  }

  @Test func `converts the old sections to the new ones`() throws {
    let seed: UInt64 = 20_261_123
    print("sections: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      func list() -> Sections {
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in
          let letters = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            Item(
              id: Array("abcde").randomElement(using: &generator) ?? "a",
              text: ["", "'"].randomElement(using: &generator) ?? "")
          }
          return ListSection(
            key: ["red", "blue", "green"].randomElement(using: &generator) ?? "", elements: letters)
        }
      }
      let (old, new) = (list(), list())
      let difference = SectionedListDifference(from: old, to: new, by: \.id)
      #expect(try difference.applying(to: old) == new)
    }
  }

  @Test func `rejects sections other than its old ones`() {
    let difference = SectionedListDifference(
      from: Self.sections("red:a blue:b"), to: Self.sections("red:ab"), by: \.id)
    for other in ["red:a", "green:a blue:b", "red:x blue:b"] {
      #expect(throws: ListDifferenceError.self) {
        try difference.applying(to: Self.sections(other))
      }
    }
  }
}

import Observe
import Testing

/// An item with an id, and a text that may change.
struct Item: Hashable, Identifiable, Sendable {
  var id: Character
  var text = ""
}

/// Items from their letters; a prime after the letter means a different text.
func items(_ letters: String) -> [Item] {
  var all: [Item] = []
  for letter in letters {
    if letter == "'" {
      all[all.count - 1].text += "'"
    } else {
      all.append(Item(id: letter))
    }
  }
  return all
}

@Suite struct `A list difference` {
  struct Case: CustomTestStringConvertible, Sendable {
    let old: String
    let new: String
    let difference: String

    init(_ old: String, _ new: String, _ difference: String) {
      self.old = old
      self.new = new
      self.difference = difference
    }

    var testDescription: String { "\(old) → \(new)" }
  }

  @Test(arguments: [
    Case("", "", "no difference"), Case("abc", "abc", "no difference"),
    Case("", "abc", "inserted 0, 1, 2"), Case("abc", "", "removed 0, 1, 2"),
    Case("abc", "abcd", "inserted 3"), Case("abc", "xabc", "inserted 0"),
    Case("abc", "axbc", "inserted 1"), Case("abc", "ac", "removed 1"),
    Case("abc", "xyz", "removed 0, 1, 2; inserted 0, 1, 2"),
    Case("abc", "ab'c", "updated 1 → 1"), Case("abc", "xab'c", "inserted 0; updated 1 → 2"),
    Case("abc", "cab", "moved 2 → 0"), Case("abc", "bca", "moved 0 → 2"),
    Case("ab", "ba", "moved 0 → 1"), Case("abcd", "dcba", "moved 0 → 3, 1 → 2, 2 → 1"),
    Case("abc", "c'ab", "moved 2 → 0; updated 2 → 0"),
    Case("abcde", "aecd", "removed 1; moved 4 → 1"),
    Case("abcde", "exa'cd", "removed 1; inserted 1; moved 4 → 0; updated 0 → 2"),
    Case("abcdef", "fbcdea", "moved 0 → 5, 5 → 0"),
    // Duplicate ids: first equal ends are matched, then the first with the first.
    Case("aa", "aaa", "inserted 2"), Case("aaa", "aa", "removed 2"),
    Case("aab", "baa", "moved 2 → 0"), Case("aba", "ab", "removed 2"),
    Case("aba", "ba", "removed 0"), Case("aa'b", "ab", "removed 1"),
    Case("aa'", "a'a", "updated 0 → 0, 1 → 1"),
    Case("xaby", "yaax", "removed 2; inserted 2; moved 0 → 3, 1 → 1"),
    Case("abac", "caax", "removed 1; inserted 3; moved 3 → 0"),
  ])
  func `is minimal, and converts the old list to the new one`(_ expected: Case) throws {
    let (old, new) = (items(expected.old), items(expected.new))
    let difference = ListDifference(from: old, to: new)
    #expect("\(difference)" == expected.difference)
    #expect(try difference.applying(to: old) == new)
    #expect(difference.isEmpty == (old == new))
    #expect(!difference.isInitial)
    #expect(difference.oldElements == old)
    #expect(difference.elements == new)
  }

  @Test func `prints as documented`() {
    let difference = ListDifference(from: [1, 2, 3], to: [3, 1, 4], by: { $0 })
    #expect("\(difference)" == "removed 1; inserted 2; moved 0 → 1")
  }

  @Test func `of a first list inserts all elements`() throws {
    let difference = ListDifference(initial: items("ab"))
    #expect(difference.isInitial)
    #expect("\(difference)" == "inserted 0, 1")
    #expect(try difference.applying(to: []) == items("ab"))
    #expect(ListDifference<Item>(initial: []).isEmpty)
  }

  @Test func `treats ids that equal no id as different`() throws {
    let (old, new) = ([1, .nan, 2], [2, .nan, 1])
    let difference = ListDifference(from: old, to: new, by: { $0 })
    #expect("\(difference)" == "removed 1; inserted 1; moved 0 → 2")
    #expect(ListDifference(from: old, to: old, by: { $0 }).removals == [1])
  }

  @Test func `moves the items of elements along`() throws {
    let difference = ListDifference(from: items("abcde"), to: items("exa'cd"))
    var rows = ["A", "B", "C", "D", "E"]
    try difference.apply(to: &rows) {
      "new \($0.id)"
    } update: {
      $0 += $1.text
    }
    #expect(rows == ["E", "new x", "A'", "C", "D"])
  }

  @Test func `moves optional items along`() throws {
    var rows: [Int?] = [nil, 1, nil]
    let difference = ListDifference(from: items("abc"), to: items("cxba"))
    try difference.apply(to: &rows) { _ in
      nil
    } update: { _, _ in
    }
    #expect(rows == [nil, nil, 1, nil])
  }

  @Test func `changes nothing if creating an item throws`() {
    struct Failure: Error {}
    var rows = ["A"]
    #expect(throws: Failure.self) {
      try ListDifference(from: items("a"), to: items("ba")).apply(to: &rows) { _ in
        throw Failure()
      } update: { _, _ in
      }
    }
    #expect(rows == ["A"])
  }

  @Test func `rejects a list other than its old list`() {
    let difference = ListDifference(from: items("abc"), to: items("cax"))
    #expect(throws: ListDifferenceError.countMismatch(expected: 3, found: 2)) {
      try difference.applying(to: items("ab"))
    }
    #expect(throws: ListDifferenceError.elementMismatch(atNewOffset: 1)) {
      try difference.applying(to: items("zbc"))
    }
    var rows = [1]
    let error = #expect(throws: ListDifferenceError.self) {
      try difference.apply(to: &rows) { _ in
        0
      } update: { _, _ in
      }
    }
    #expect("\(error!)" == "the difference applies to a list of 3 elements, but the list has 1")
    #expect(rows == [1])
  }
}

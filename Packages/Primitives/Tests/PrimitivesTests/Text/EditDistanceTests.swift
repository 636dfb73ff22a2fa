import Testing

@testable import Primitives

@Suite struct `A suggestion` {
  @Test(arguments: [
    ("nmae", ["id", "name", "game"], "name"), ("NMAE", ["name"], "name"),
    ("Üser", ["über", "ÜSERS"], "ÜSERS"), ("todo", ["todos", "todoz"], "todos"),
    ("catgory", ["category"], "category"), ("categroies", ["categories"], "categories"),
  ])
  func `is the name with the smallest distance`(name: String, known: [String], expected: String) {
    #expect(EditDistance.nearest(to: name, among: known) == expected)
  }

  @Test(arguments: [
    ("a", ["b", "ab"]), ("name", ["title"]), ("name", ["nmea"]), ("name", ["NAME"]), ("name", []),
    ("category", ["cat"]),
  ])
  func `is nil if no name is close`(name: String, known: [String]) {
    #expect(EditDistance.nearest(to: name, among: known) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3), ("ab", "ba", 1),
  ])
  func `counts edits, and a swap of neighbors as one`(left: String, right: String, distance: Int) {
    #expect(
      EditDistance.editDistance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == distance
    )
  }
}

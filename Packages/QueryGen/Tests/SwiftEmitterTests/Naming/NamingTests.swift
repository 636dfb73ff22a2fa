import Testing

@testable import SwiftEmitter

@Suite struct Names {
  @Test(arguments: [
    ("completedOn", "completedOn"), ("completed_on", "completedOn"), ("ID", "id"),
    ("USER_ID", "userId"), ("userID", "userID"), ("URLPath", "urlPath"), ("UserName", "userName"),
    ("_private", "private"), ("two words", "twoWords"), ("count(*)", "count"), ("1st", "_1st"),
    ("ID3", "id3"), ("日本", "日本"), ("Größe", "größe"), ("", ""), ("*", ""), ("a1_2b", "a12b"),
  ])
  func `of properties are in lower camel case`(_ sql: String, _ swift: String) {
    #expect(IdentifierWords(sql).lowerCamel == swift)
  }

  @Test func `that are equal get numbers`() {
    #expect(
      UniqueNames.members(for: ["id", "id", "id2", "ID"], fallback: "c") == [
        "id", "id2", "id22", "id3",
      ])
  }

  @Test func `without a letter are named after their position`() {
    #expect(UniqueNames.members(for: ["?", "a", "1"], fallback: "c") == ["c1", "a", "c3"])
  }

  @Test(arguments: [
    ("todos", "todo"), ("people", "person"), ("People", "Person"), ("categories", "category"),
    ("addresses", "address"), ("address", "address"), ("status", "status"), ("boxes", "box"),
    ("statuses", "status"), ("news", "news"), ("series", "series"), ("houses", "house"),
    ("branches", "branch"), ("heroes", "hero"), ("analyses", "analysis"),
    ("statistics", "statistics"),
    ("movies", "movie"), ("archives", "archive"), ("data", "data"), ("menu", "menu"), ("s", "s"),
    ("aliases", "alias"), ("caches", "cache"), ("courses", "course"), ("databases", "database"),
    ("expenses", "expense"), ("licenses", "license"), ("children", "child"), ("keys", "key"),
  ])
  func `in the plural have a singular`(_ plural: String, _ singular: String) {
    #expect(Singularizer.of(plural) == singular)
  }
}

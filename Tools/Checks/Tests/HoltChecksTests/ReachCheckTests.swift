import Testing

@testable import HoltChecks

@Suite struct `The reach check` {
  static let path = "Docs/SQLiteCore.md"
  static let source = "Packages/SQLiteCore/Tests/SQLiteCoreTests/BlobTests.swift"

  static let tests = """
    @Suite struct `Blobs in pieces` {
      @Test func `are read from any byte on`() throws {}
      @Test(arguments: [1, 2])
      func `end where they end`(_ count: Int) {}
      // @Test func `are gone`() {}
      let text = "func `are a text`()"
    }
    @Suite struct `Blobs as streams` {
      @Test func `are copied`() {}
    }
    """

  /// Returns a page with a table whose second row is given.
  static func page(_ row: String) -> String {
    """
    # Reach

    | capability | Holt | GRDB | shown by |
    |---|:--|---|---|
    | reading | `Blob.read` | no | [`Blobs in pieces/are read from any byte on`][BlobTests] |
    \(row)

    [BlobTests]: ../Packages/SQLiteCore/Tests/SQLiteCoreTests/BlobTests.swift
    [Nowhere]: ../Packages/Nowhere.swift

    | a table of another kind | shown |
    |---|---|
    | a | b |
    """
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let row: String, says: String
    var testDescription: String { row }
  }

  private func findings(_ page: String) throws -> [Finding] {
    let tree = try TemporaryTree([Self.path: page, Self.source: Self.tests])
    return try ReachCheck(pages: [ReachPage(path: Self.path, peers: ["GRDB"])])
      .findings(in: tree.repository)
  }

  @Test(arguments: [
    Case(row: "| a | b | no | |", says: "no test is linked for a"),
    Case(row: "| a | b | no | `Blobs in pieces/are gone` |", says: "no test is linked for a"),
    Case(
      row: "| a | b | no | [`Blobs in pieces/are gone`][BlobTests] |",
      says: "`Blobs in pieces` in \(source) has no test `are gone`"),
    Case(
      row: "| a | b | no | [`Blobs in pieces/are a text`][BlobTests] |",
      says: "`Blobs in pieces` in \(source) has no test `are a text`"),
    Case(
      row: "| a | b | no | [`Blobs as streams/end where they end`][BlobTests] |",
      says: "`Blobs as streams` in \(source) has no test `end where they end`"),
    Case(
      row: "| a | b | no | [`Blobs/end where they end`][BlobTests] |",
      says: "\(source) has no suite `Blobs`"),
    Case(
      row: "| a | b | no | [`end where they end`][BlobTests] |",
      says: "`end where they end` is not of the form `Suite/test`"),
    Case(row: "| a | b | no | [`A/b`][Nowhere] |", says: "there is no file Packages/Nowhere.swift"),
    Case(row: "| a | b | no | [`A/b`][Unknown] |", says: "the link [Unknown] has no definition"),
    Case(
      row: "| a | b | ? | [`Blobs as streams/are copied`][BlobTests] |",
      says: "GRDB: \"?\" begins with none of yes, no and part"),
    Case(
      row: "| a | b | [`Blobs as streams/are copied`][BlobTests] |",
      says: "the row has 3 cells, but the head has 4"),
  ])
  func `rejects a row without an existing test`(_ expected: Case) throws {
    let findings = try findings(Self.page(expected.row))
    #expect(findings.map(\.line) == [6])
    #expect(findings.first?.path == Self.path)
    #expect(findings.first?.message == expected.says)
  }

  @Test(arguments: [
    "| a | b | yes | [`Blobs in pieces/end where they end`][BlobTests] |",
    "| a \\| b | c | part, in memory | [`Blobs as streams/are copied`][BlobTests] |",
    "| a | b | no | [`Blobs as streams/are copied`][BlobTests], "
      + "[`Blobs in pieces/end where they end`][BlobTests] |",
    "",
  ])
  func `accepts a row whose tests all exist`(_ row: String) throws {
    #expect(try findings(Self.page(row)) == [])
  }

  @Test func `checks each of several tests of a row`() throws {
    let found = try findings(
      Self.page(
        "| a | b | no | [`Blobs as streams/are copied`][BlobTests], [`A/b`][BlobTests] |"))
    #expect(found.map(\.message) == ["\(Self.source) has no suite `A`"])
  }

  @Test func `rejects a page without such a table`() throws {
    let found = try findings("# Reach\n\n```\n| a | shown by |\n|---|---|\n| b | c |\n```\n")
    #expect(found.map(\.line) == [1])
  }

  @Test func `recognizes the other packages of each page`() throws {
    let others = "Docs/More/Observe.md"
    let row = "| a | b | ? | [`Blobs as streams/are copied`][BlobTests] |"
    let tree = try TemporaryTree([
      Self.path: Self.page(row),
      others: """
      | capability | Holt | GRDB | PureSQL | shown by |
      |---|---|---|---|---|
      | a | b | ? | none | [`Blobs as streams/are copied`][BlobTests] |

      [BlobTests]: ../../\(Self.source)
      """,
      Self.source: Self.tests,
    ])
    let check = ReachCheck(pages: [
      ReachPage(path: Self.path, peers: ["GRDB"]), ReachPage(path: others, peers: ["PureSQL"]),
    ])
    let found = try check.findings(in: tree.repository)
    #expect(found.map(\.path) == [Self.path, others])
    #expect(found.map(\.line) == [6, 3])
    #expect(
      found.map(\.message) == [
        "GRDB: \"?\" begins with none of yes, no and part",
        "PureSQL: \"none\" begins with none of yes, no and part",
      ])
  }

  @Test func `checks the pages of SQLiteCore, Observe, Router and Relations`() {
    #expect(
      ReachCheck.pages.map(\.path)
        == ["Docs/SQLiteCore.md", "Docs/Observe.md", "Docs/Router.md", "Docs/Relations.md"])
    #expect(ReachCheck.pages.allSatisfy { ReachCheck().summary.contains($0.path) })
  }

  @Test func `throws an error if a page is missing`() throws {
    let none = try TemporaryTree([:])
    #expect(throws: CheckError.self) { try ReachCheck().findings(in: none.repository) }
    let one = try TemporaryTree([Self.path: Self.page(""), Self.source: Self.tests])
    #expect(throws: CheckError.self) { try ReachCheck().findings(in: one.repository) }
  }
}

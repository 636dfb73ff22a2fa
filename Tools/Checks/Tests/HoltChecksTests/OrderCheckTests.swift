import Testing

@testable import HoltChecks

@Suite struct `The order check` {
  static let sources = "Packages/SPON/Sources/SPON"
  static let page = """
    # Architecture

    ```text
    \(sources)
    Top           what all use
                  Bottom is no folder here
    Low           the rest
    ```
    """

  /// The findings for a file in each of two folders.
  private func findings(
    top: String, low: String = "struct Lower {}", page: String = page
  ) throws -> [Finding] {
    let tree = try TemporaryTree([
      OrderCheck.page: page, "\(Self.sources)/Top/A.swift": top, "\(Self.sources)/Low/B.swift": low,
    ])
    return try OrderCheck().findings(in: tree.repository)
  }

  @Test func `reads a path, its folders and their lines`() throws {
    let order = try #require(OrderCheck.orders(in: Self.page).first)
    #expect(order.path == Self.sources)
    #expect(order.target == "SPON")
    #expect(order.line == 4)
    #expect(
      order.folders == [
        OrderCheck.Folder(name: "Top", layer: 0, line: 5),
        OrderCheck.Folder(name: "Low", layer: 1, line: 7),
      ])
    #expect(order.exceptions == [])
  }

  @Test(arguments: [
    ("let a: Lower", 1),
    ("\nextension Lower {}", 2),
    ("func f() {\n  let a = [Lower](repeating: g(), count: 1)\n}", 2),
    ("let a: SPON.Lower", 1),
    ("let a = \"\\(Lower())\"", 1),
    ("let a = \"{\"\nlet b: Lower", 2),
  ])
  func `rejects a type of a folder further down`(_ top: String, _ line: Int) throws {
    let found = try findings(top: top)
    #expect(found.map(\.path) == ["\(Self.sources)/Top/A.swift"])
    #expect(found.map(\.line) == [line])
    #expect(found.first?.message.hasPrefix("Top uses Lower of Low") == true)
  }

  @Test(arguments: [
    "struct", "final class", "enum", "actor", "protocol", "public typealias",
  ])
  func `recognizes each kind of type`(_ kind: String) throws {
    #expect(try findings(top: "let a: Lower", low: "\(kind) Lower {}").count == 1)
  }

  @Test(arguments: [
    ("// Lower\n/* Lower */ let a = \"Lower\"", "struct Lower {}"),
    ("let a = Other.Lower()", "struct Lower {}"),
    ("let a: Lower", "struct B { struct Lower {} }"),
    ("struct A { struct Lower {}\n  let a: Lower }", "struct Lower {}"),
    ("struct Lower {}", "struct Lower {}"),
    ("struct Upper {}", "extension Upper {}\nlet a: Upper"),
    ("import enum SPON.Lower", "struct Other {}"),
    ("extension Lower { struct Nested {} }\nlet a: Lower.Nested", "struct Lower {}"),
  ])
  func `accepts`(_ top: String, _ low: String) throws {
    #expect(try findings(top: top, low: low) == [])
  }

  @Test func `lets folders of one layer use each other`() throws {
    let page = Self.page.replacing("Low  ", with: "& Low")
    #expect(try findings(top: "let a: Lower", page: page) == [])
  }

  @Test func `accepts only the type that an exception names`() throws {
    let page = Self.page.replacing(
      "the rest", with: "the rest\nexcept        Top uses Lower: a reason")
    #expect(try findings(top: "let a: Lower", page: page) == [])
    let low = "struct Lower {}\nstruct Lowest {}"
    let found = try findings(top: "let a: Lower\nlet b: Lowest", low: low, page: page)
    #expect(found.map(\.line) == [2])
  }

  @Test func `rejects an unused exception`() throws {
    let page = Self.page.replacing(
      "the rest", with: "the rest\nexcept        Top uses Lower: a reason")
    let found = try findings(top: "", page: page)
    #expect(found.map(\.line) == [8])
    #expect(found.first?.message == "Top does not use Lower: remove the exception")
  }

  @Test func `rejects folders that exist only on the page or only on disk`() throws {
    let found = try findings(top: "", page: Self.page.replacing("Low  ", with: "Other"))
    #expect(found.map(\.line) == [7, 4])
    #expect(found.map(\.path) == [OrderCheck.page, OrderCheck.page])
    #expect(found.first?.message.contains("Other has no Swift file") == true)
    #expect(found.last?.message.contains("Low is missing") == true)
  }

  @Test func `rejects a target with several folders and no order`() throws {
    let found = try findings(top: "", page: "# Architecture")
    #expect(found.map(\.message) == ["no order is stated for the folders of \(Self.sources)"])
  }
}

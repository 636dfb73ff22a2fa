import Foundation
import Testing

@Suite struct `The guides' tables` {
  /// The public declarations of all packages.
  static let declared: PublicNames = {
    var names = PublicNames(aliases: ["DB": "GeneratedDatabase"])
    guard let root = Guide.root else { return names }
    let packages = root.appending(path: "Packages").resolvingSymlinksInPath()
    let files = FileManager.default.enumerator(at: packages, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? FileManager.DirectoryEnumerator() {
      guard file.pathExtension == "swift", file.path.contains("/Sources/") else { continue }
      if let source = try? String(contentsOf: file, encoding: .utf8) { names.add(source) }
    }
    return names
  }()

  /// The names from Swift's standard library in the tables.
  static let swiftNames: Set<String> = [
    "Codable", "Decodable", "Encodable", "AsyncSequence", "CancellationError", "Identifiable",
    "Date", "UUID", "Decimal", "URL", "Data", "Bool", "Int", "Double", "String", "Task", "nil",
  ]

  @Test(.enabled(if: Guide.root != nil), arguments: Guide.all)
  func `only contain names that Holt declares in Holt's column`(_ guide: Guide) {
    let names = guide.names
    #expect(names.count > 30)
    let missing = names.filter { _, name in
      !name.isNoSwift && !Self.swiftNames.contains(name) && !Self.declared.contains(name)
    }
    #expect(missing.map { "\(guide.name):\($0): no declaration is named \($1)" } == [])
  }

  @Test(.enabled(if: Guide.root != nil))
  func `exist for five libraries and are linked in the index`() throws {
    #expect(
      Guide.all.map(\.name) == [
        "FromActionDataProviders.md", "FromAutoDB.md", "FromGRDB.md", "FromPureSQL.md",
        "FromSQLiteSwift.md",
      ])
    let root = try #require(Guide.root)
    let index = try String(
      contentsOf: root.appending(path: "Docs/Guides/README.md"), encoding: .utf8)
    for guide in Guide.all { #expect(index.contains("](\(guide.name))")) }
  }
}

@Suite struct `Names in a page` {
  static let source = """
    @_exported public import protocol Paper.Sheet
    /* public func no() */ public struct Book: Sendable, Readable {
      public var title: String  // public var no: Int
      let secret = "public var no: \\(1 + (2))"
      public init(title: String, year: Int = 0) { func no() {} }
      public static func fetch<T: Readable>(_ id: T, in place: [String: Set<Int>] = [:]) -> Book { .init() }
      public enum Kind: Int { case novel = 1, essay, of(pages: Int, String) }
      func hidden() {}
      public subscript(page: Int) -> String { "\\"" }
    }
    extension Book.Kind { public static var all: [Self] { [] } }
    public protocol Readable { func read(from: Int) throws }
    extension Readable { public func skim(_ lines: Int...) {} ; func no() {} }
    public extension Book { func lend(to name: String) {} ; private func no() {} }
    public typealias Novel = Book
    public class Shelf { public final class func make() {} ; public private(set) var count = 0 }
    @attached(member) public macro Shelved(named: String) = #externalMacro(module: "M", type: "T")
    public func all<each Value>(_ sql: String, _ values: repeat each Value) {}
    """

  static var names: PublicNames {
    var names = PublicNames(aliases: ["Library": "Shelf"])
    names.add(source)
    return names
  }

  @Test(arguments: [
    "Book", "Book.title", "Book(title:)", "Book(title:year:)", "Book.fetch(_:)",
    "Book.fetch(_:in:)", "Book.Kind", "Book.Kind.novel", "Kind.essay", ".of(pages:_:)",
    "Book.Kind.all", "Book.read(from:)", "Book.skim(_:)", "Book.lend(to:)", "Novel.title",
    "Novel(title:)", "Shelf.make()", "Library.count", "@Shelved", "all(_:_:)", "all(_:)",
    "lend(to:)", "skim(_:)", ".title",
  ])
  func `are found`(_ name: String) {
    #expect(Self.names.contains(name))
  }

  @Test(arguments: [
    "no()", "no", "Book.no", "Book.secret", "Book.hidden()", "Book.hidden", "Book(year:)",
    "Book(pages:)", "Book.fetch()", "Book.fetch(in:)", "Book.Kind.poem", "Shelf.title",
    "Readable.lend(to:)", "book.title", "Nothing", "Book.title()", "of(pages:)", "SELECT 1",
    "Book.", "", "Shelf.Kind", "Shelf.Kind.novel()",
  ])
  func `are not found`(_ name: String) {
    #expect(!Self.names.contains(name))
  }

  @Test func `are read from table columns named Holt`() {
    let guide = Guide(
      name: "From.md",
      text: """
        `a`
        | theirs | Holt |
        |---|---|
        | `b` | `c(_:)`, and `d \\| e` |

        | theirs | what |
        |---|---|
        | `f` | `g` |
        """)
    #expect(guide.names.map(\.name) == ["c(_:)", "d | e"])
    #expect(guide.names.map(\.line) == [4, 4])
  }
}

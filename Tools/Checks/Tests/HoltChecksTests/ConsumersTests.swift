import Foundation
import Testing

@testable import HoltChecks

@Suite struct `The targets that may be compiled for a product` {
  @Test(arguments: [
    ("SPON", ["Primitives", "SPON"]),
    ("Observe", ["CSQLite", "Observe", "Primitives", "SQLiteCore"]),
    ("Relations", ["CSQLite", "Observe", "Primitives", "Relations", "SQLiteCore"]),
    ("Providers", ["CSQLite", "Primitives", "Providers", "SPON", "SQLiteCore"]),
    (
      "HoltMacros",
      [
        "CSQLite", "HoltMacros", "HoltMacrosPlugin", "Observe", "Primitives", "Relations", "Router",
        "SQLiteCore",
      ]
    ),
    (
      "QueryGenPlugin",
      [
        "Primitives", "QueryGenDriver", "QueryGenPlugin", "QueryModel", "SQLSemantics",
        "SQLSyntax", "SwiftEmitter", "querygen-build",
      ]
    ),
  ])
  func `are the modules that it may import, and the tools that build it`(
    target: String, all: [String]
  ) {
    #expect(Consumer.closure(of: [target]).sorted() == all)
  }
}

@Suite struct `The list of products` {
  static let dump = """
    {"products": [
      {"name": "SPON", "type": {"library": ["automatic"]}, "targets": ["SPON"]},
      {"name": "Extra", "type": {"library": ["automatic"]}, "targets": ["Extra"]},
      {"name": "querygen", "type": {"executable": null}, "targets": ["querygen-tool"]}],
     "targets": [
      {"name": "SPON", "path": "Packages/SPON/Sources/SPON"},
      {"name": "Extra", "path": "Packages/Other/Sources/Extra"}]}
    """

  static func list() throws -> ProductList {
    ProductList(try JSONDecoder().decode(JSON.self, from: Data(dump.utf8)))
  }

  @Test func `contains the package of each product`() throws {
    let list = try Self.list()
    #expect(list["Extra"]?.folder == "Packages/Other")
    #expect(list["Extra"]?.kind == "library")
    #expect(list["Missing"] == nil)
  }

  @Test func `rejects a product without an app, and an app without a source`() throws {
    let tree = try TemporaryTree([:])
    let spon = Consumer("SPON")
    let source = ConsumerApp.source(of: spon)
    #expect(
      try Self.list().findings(for: [spon], in: tree.repository).map(\.message) == [
        "no app requires the product Extra: add one to Consumer.swift",
        "SPON has no app: \(source)",
      ])
    try tree.write("// Prints: 1\n", to: source)
    let extra = Consumer("Extra", with: ["Gone"])
    try tree.write("// Prints: 1\n", to: ConsumerApp.source(of: extra))
    #expect(
      try Self.list().findings(for: [spon, extra], in: tree.repository).map(\.message) == [
        "an app requires the unknown product Gone: see Consumer.swift"
      ])
  }
}

@Suite struct `The build plan` {
  static let text = """
    client:
      name: basic
    targets:
      "SPON-debug.module": ["<SPON-debug.module>"]
      "main": ["<App-debug.exe>"]
    default: "main"
    commands:
      "C.App-debug.exe":
        tool: phony
        inputs: ["/s/debug/App"]
        outputs: ["<App-debug.exe>"]

      "C.App-link":
        tool: shell
        inputs: ["/s/debug/App.build/App.swift.o","/s/debug/SPON.build/Value.swift.o"]
        outputs: ["/s/debug/App"]

      "C.App-debug.module":
        tool: shell
        inputs: ["/a/Sources/App.swift","/s/debug/Modules/SPON.swiftmodule","/s/tool"]
        outputs: ["/s/debug/App.build/App.swift.o"]

      "C.SPON-debug.module":
        tool: shell
        inputs: ["/s/checkouts/holt/Packages/SPON/Sources/SPON/Value.swift"]
        outputs: ["/s/debug/SPON.build/Value.swift.o","/s/debug/Modules/SPON.swiftmodule"]

      "C.querygen-build-tool.module":
        tool: shell
        inputs: ["/s/checkouts/holt/q/main.swift","/s/debug/Syntax-tool.build/Tree.c.o"]
        outputs: ["/s/debug/querygen_build-tool.build/main.swift.o","/s/tool"]

      "C.Syntax":
        tool: clang
        inputs: ["/s/checkouts/swift-syntax/Sources/Tree.c"]
        outputs: ["/s/debug/Syntax-tool.build/Tree.c.o"]

      "C.Router-debug.module":
        tool: shell
        inputs: ["/s/checkouts/holt/Packages/Router/Route.swift"]
        outputs: ["/s/debug/Router.build/Route.swift.o"]
    """

  @Test func `contains the targets that a build needs, and no others`() throws {
    #expect(
      try BuildPlan(Self.text).compiled() == [
        .init(name: "App", package: nil), .init(name: "SPON", package: nil),
        .init(name: "querygen-build", package: nil), .init(name: "Syntax", package: "swift-syntax"),
      ])
  }

  @Test(arguments: ["", "targets:\n  \"main\": [\"a\"]\n", "targets:\n  \"main\": [a]\n"])
  func `in an unknown format is an error`(text: String) {
    #expect(throws: CheckError.self) { try BuildPlan(text) }
  }
}

@Suite struct `An app of a consumer` {
  static let library = URL(filePath: "/elsewhere/holt", directoryHint: .isDirectory)
  static let list = ProductList([
    ("SPON", "library", "Packages/SPON"), ("QueryGen", "library", "Packages/QueryGen"),
    ("HoltMacros", "library", "Packages/HoltMacros"),
    ("QueryGenPlugin", "plugin", "Packages/QueryGen"),
  ])

  /// Returns the written manifest without whitespace, and the names of the written sources.
  static func write(
    _ consumers: [Consumer], by way: ConsumerApp.Way
  ) throws -> (manifest: String, sources: [String], main: String) {
    let tree = try TemporaryTree([
      "Tests/Tests/ConsumersTests/Migrations/1.sql": "",
      "Tests/Tests/ConsumersTests/Queries/1.sql": "",
    ])
    for consumer in consumers { try tree.write("", to: ConsumerApp.source(of: consumer)) }
    let app = ConsumerApp(name: "My", consumers: consumers, way: way)
    try app.write(
      to: tree.repository.url("my"), requiring: library, offering: list, from: tree.repository)
    return (
      try tree.repository.text(of: "my/Package.swift").filter { !$0.isWhitespace },
      tree.repository.files(under: "my/Sources/MyApp").map { String($0.dropFirst(17)) },
      try tree.repository.text(of: "my/Sources/MyApp/App.swift")
    )
  }

  @Test func `by URL requires the repository, with the traits that it needs`() throws {
    let plain = try Self.write([Consumer("SPON")], by: .url)
    #expect(
      plain.manifest.contains(#".package(url:"file:///elsewhere/holt/",from:"1.0.0")"#))
    #expect(plain.manifest.contains(#".product(name:"SPON",package:"holt")"#))
    #expect(plain.sources == ["App.swift", "SPONConsumer.swift"])
    #expect(plain.main.contains("print(try await SPONConsumer.run())"))
    let macros = try Self.write([Consumer("HoltMacros", packages: ["swift-syntax"])], by: .url)
    #expect(macros.manifest.contains(#"from:"1.0.0",traits:["Macros"])"#))
  }

  @Test func `by path requires each package once, and a plugin as a plugin`() throws {
    let app = try Self.write(
      [Consumer("SPON"), Consumer("QueryGenPlugin", with: ["QueryGen"])], by: .path)
    #expect(
      app.manifest.contains(
        #".package(path:"../holt/Packages/QueryGen"),.package(path:"../holt/Packages/SPON")]"#))
    #expect(app.manifest.contains(#".product(name:"QueryGen",package:"QueryGen")"#))
    #expect(app.manifest.contains(#"plugins:[.plugin(name:"QueryGenPlugin",package:"QueryGen")]"#))
    #expect(!app.manifest.contains(#".product(name:"QueryGenPlugin""#))
    #expect(
      app.sources == [
        "App.swift", "Migrations/1.sql", "Queries/1.sql", "QueryGenPluginConsumer.swift",
        "SPONConsumer.swift",
      ])
  }

  @Test func `declares its output in the first line`() throws {
    let tree = try TemporaryTree([
      ConsumerApp.source(of: Consumer("SPON")): "// Prints: 1, 2\nimport SPON\n",
      ConsumerApp.source(of: Consumer("Router")): "import Router\n",
    ])
    let app = ConsumerApp(taking: Consumer("SPON"), by: .path)
    #expect(try app.expectedOutput(in: tree.repository) == "1, 2\n")
    let other = ConsumerApp(taking: Consumer("Router"), by: .path)
    #expect(throws: CheckError.self) { try other.expectedOutput(in: tree.repository) }
  }
}

@Suite struct `The build of an app` {
  static func build(
    _ consumer: Consumer, by way: ConsumerApp.Way = .url, compiled: [BuildPlan.Target],
    made: Set<String> = [], fetched: Set<String> = []
  ) -> ConsumerBuild {
    var build = ConsumerBuild(app: ConsumerApp(taking: consumer, by: way))
    (build.compiled, build.made, build.fetched) = (Set(compiled), made, fetched)
    return build
  }

  static let list = ProductList([
    ("Observe", "library", "Packages/Observe"),
    ("HoltMacros", "library", "Packages/HoltMacros"),
    ("QueryGen", "library", "Packages/QueryGen"),
  ])

  static let observe: [BuildPlan.Target] = [
    .init(name: "SQLiteCore", package: nil), .init(name: "Observe", package: nil),
    .init(name: "ObserveApp", package: nil),
  ]

  @Test func `is rejected for a superfluous target, package or object file`() {
    let good = Self.build(Consumer("Observe"), compiled: Self.observe, made: ["Observe"])
    #expect(good.findings(offering: Self.list) == [])
    let bad = Self.build(
      Consumer("Observe"),
      compiled: Self.observe + [
        .init(name: "Router", package: nil), .init(name: "SwiftSyntax", package: "swift-syntax"),
      ], made: ["SPON"], fetched: ["swift-syntax"])
    #expect(
      bad.findings(offering: Self.list).map(\.message) == [
        "an app that requires Observe by URL also compiles Router",
        "an app that requires Observe by URL also compiles SwiftSyntax of swift-syntax",
        "an app that requires Observe by URL compiled SPON, which is not in its build plan",
        "an app that requires Observe by URL also fetches swift-syntax",
      ])
  }

  @Test func `may have the packages that its product needs`() {
    let build = Self.build(
      Consumer("HoltMacros", packages: ["swift-syntax"]),
      compiled: [.init(name: "SwiftSyntax", package: "swift-syntax")], fetched: ["swift-syntax"])
    #expect(build.findings(offering: Self.list) == [])
  }

  @Test func `by path may fetch a package that the manifest requires, but not compile it`() {
    let consumer = Consumer("QueryGen", fetchedByPath: ["swift-argument-parser"])
    let parser = BuildPlan.Target(name: "ArgumentParser", package: "swift-argument-parser")
    let byPath = Self.build(consumer, by: .path, compiled: [], fetched: ["swift-argument-parser"])
    #expect(byPath.findings(offering: Self.list) == [])
    let byURL = Self.build(consumer, compiled: [], fetched: ["swift-argument-parser"])
    #expect(byURL.findings(offering: Self.list).count == 1)
    let compiling = Self.build(consumer, by: .path, compiled: [parser])
    #expect(compiling.findings(offering: Self.list).count == 1)
  }

  @Test func `distinguishes new object files from existing ones`() throws {
    let tree = try TemporaryTree([
      "debug/SPON.build/Value.swift.o": "", "debug/SQLSyntax-tool.build/Lexer.swift.o": "",
      "debug/Router.build/output-file-map.json": "",
    ])
    let old = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 0)]
    try FileManager.default.setAttributes(
      old, ofItemAtPath: tree.repository.fullPath("debug/SPON.build/Value.swift.o"))
    let recent = Date(timeIntervalSince1970: 1)
    #expect(
      try ConsumerSite.targets(madeSince: recent, in: tree.repository, "debug") == ["SQLSyntax"])
    #expect(
      try ConsumerSite.targets(madeSince: .distantPast, in: tree.repository, "debug")
        == ["SPON", "SQLSyntax"])
  }

  @Test func `has fetched the pinned packages`() throws {
    let tree = try TemporaryTree([:])
    #expect(try ConsumerSite.fetched(by: tree.repository) == [])
    try tree.write(
      #"{"pins": [{"identity": "holt"}, {"identity": "swift-syntax"}], "version": 3}"#,
      to: "Package.resolved")
    #expect(try ConsumerSite.fetched(by: tree.repository) == ["swift-syntax"])
    try tree.write("pins", to: "Package.resolved")
    #expect(throws: CheckError.self) { try ConsumerSite.fetched(by: tree.repository) }
  }
}

@Suite struct `The page of consumers` {
  @Test func `keeps the other rows, in the order of the apps`() {
    var page = ConsumersPage("")
    let rows = [
      ["Router", "path", "Router", "–", "3"], ["SPON", "path", "**SPON**", "–", "9"],
      ["SPON", "URL", "**SPON**", "–", "8"], ["Gone", "URL", "Gone", "–", "1"],
    ].map { ConsumersPage.Row(cells: $0) }
    for row in rows { page.add(row) }
    var again = ConsumersPage(page.text(cores: 2))
    #expect(again.rows == [rows[2], rows[1], rows[0]])
    #expect(again.text(cores: 2).contains("\nNot run yet: SQLiteCore by URL, "))
    #expect(again.text(cores: 2) == page.text(cores: 2))
    let newer = ConsumersPage.Row(cells: ["SPON", "URL", "**SPON**", "–", "7"])
    again.add(newer)
    #expect(ConsumersPage(again.text(cores: 2)).rows == [newer, rows[1], rows[0]])
    for app in ConsumersCommand.allApps {
      again.add(.init(cells: [app.name, app.way.rawValue, "x", "–", "1"]))
    }
    #expect(!again.text(cores: 2).contains("Not run"))
    #expect(ConsumersPage(again.text(cores: 2)).rows.count == ConsumersCommand.allApps.count)
    #expect(page.text(cores: 2).contains("on 2 cores"))
  }

  @Test func `lists the compiled targets, in bold if this build compiled them`() {
    var build = ConsumerBuild(
      app: ConsumerApp(taking: Consumer("HoltMacros", packages: ["swift-syntax"]), by: .url))
    build.compiled = [
      .init(name: "HoltMacrosApp", package: nil), .init(name: "Router", package: nil),
      .init(name: "HoltMacros", package: nil),
      .init(name: "SwiftSyntax", package: "swift-syntax"),
      .init(name: "SwiftParser", package: "swift-syntax"),
    ]
    build.made = ["HoltMacrosApp", "HoltMacros", "SwiftParser"]
    build.fetched = ["swift-syntax"]
    build.duration = .milliseconds(61_600)
    #expect(
      ConsumersPage.Row(build).line
        == "| HoltMacros | URL | **HoltMacros**, Router, **swift-syntax (2 targets)** "
        + "| swift-syntax | 62 |")
  }
}

@Suite struct `The command for consumers` {
  @Test func `builds the requested apps, grouped by the form of requirement`() throws {
    let some = try ConsumersCommand(arguments: ["--only", "SQLiteCore", "--only", "SPON"])
    #expect(
      some.apps.map { "\($0.name) \($0.way.rawValue)" } == [
        "SPON URL", "SQLiteCore URL", "SQLiteCore URL, release", "SPON path", "SQLiteCore path",
      ])
    let all = try ConsumersCommand(arguments: []).apps
    #expect(all.count == 2 * (Consumer.all.count + 1) + 1)
    #expect(all.last?.consumers == Consumer.all)
  }

  @Test(arguments: [["--only"], ["--only", "spon"], ["SPON"]])
  func `rejects unknown arguments`(arguments: [String]) {
    #expect(throws: CheckError.self) { try ConsumersCommand(arguments: arguments[...]) }
  }
}

extension ProductList {
  /// Products that have a target each, of the same name.
  init(_ rows: [(name: String, kind: String, folder: String)]) {
    self.init(
      products: rows.map {
        Product(name: $0.name, kind: $0.kind, targets: [$0.name], folder: $0.folder)
      })
  }
}

import Testing

@Suite struct `The expansion of the macro` {
  /// The body of an enum, and part of the members that are generated for it.
  struct Case: CustomTestStringConvertible, Sendable {
    let cases: String
    var head = "@CasePathable enum Route"
    var context: [String] = []
    let parts: [String]
    var testDescription: String { "\(head) { \(cases) }" }
  }

  @Test func `is a conformance like one written by hand`() throws {
    let expansion = try Plugin.expand(
      """
      @CasePathable
      enum Route {
        case all
        case fetchOne(id: Todo.ID)
        case fetch(filteredBy: [Filter] = [], Order?)
      }
      """)
    #expect(
      expansion.members == """
        nonisolated struct AllCasePaths: Swift.Sendable {
          var all: HoltMacros.CasePath<Route, ()> {
            .init("all", embed: { _ in .all }) {
              if case .all = $0 { () } else { nil }
            }
          }
          var fetchOne: HoltMacros.CasePath<Route, Todo.ID> {
            .init("fetchOne", embed: { .fetchOne(id: $0) }) {
              if case .fetchOne(let value0) = $0 { value0 } else { nil }
            }
          }
          var fetch: HoltMacros.CasePath<Route, (filteredBy: [Filter], Order?)> {
            .init("fetch", embed: { .fetch(filteredBy: $0.0, $0.1) }) {
              if case .fetch(let value0, let value1) = $0 { (filteredBy: value0, value1) } else { nil }
            }
          }
        }

        nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }

        nonisolated var currentCase: HoltMacros.CurrentCase {
          switch self {
          case .all: return .init("all", ())
          case .fetchOne(let value0): return .init("fetchOne", value0)
          case .fetch(let value0, let value1): return .init("fetch", (filteredBy: value0, value1))
          }
        }
        """)
    #expect(
      expansion.conformance == "extension App.Route: nonisolated HoltMacros.CasePathable {}")
    #expect(expansion.diagnostics.isEmpty)
  }

  @Test func `is the same inside conditional compilation`() throws {
    let expansion = try Plugin.expand(
      """
      @CasePathable enum Route {
        case a
        #if DEBUG && os(Linux)
        case b
        #else
        // Nothing.
        #endif
        #if os(macOS)
        var c: Int { 1 }
        #endif
      }
      """)
    #expect(
      expansion.members == """
        nonisolated struct AllCasePaths: Swift.Sendable {
          var a: HoltMacros.CasePath<Route, ()> {
            .init("a", embed: { _ in .a }) {
              if case .a = $0 { () } else { nil }
            }
          }
          #if DEBUG && os(Linux)
          var b: HoltMacros.CasePath<Route, ()> {
            .init("b", embed: { _ in .b }) {
              if case .b = $0 { () } else { nil }
            }
          }
          #else
          #endif
        }

        nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }

        nonisolated var currentCase: HoltMacros.CurrentCase {
          switch self {
          case .a: return .init("a", ())
          #if DEBUG && os(Linux)
          case .b: return .init("b", ())
          #else
          #endif
          }
        }
        """)
  }

  static let cases = [
    Case(
      cases: "case `default`(Int)",
      parts: [
        "var `default`: HoltMacros.CasePath<Route, Int>",
        "case .`default`(let value0): return .init(\"default\", value0)",
      ]),
    Case(
      cases: "case `say \"hello\"`",
      parts: [##"return .init(#"say "hello""#, ())"##]),
    Case(cases: "case a(_ x: Int)", parts: ["CasePath<Route, Int>", "embed: { .a($0) }"]),
    Case(cases: "case a(in: Int)", parts: ["CasePath<Route, Int>", "embed: { .a(in: $0) }"]),
    Case(cases: "case a((Int, b: Int))", parts: ["CasePath<Route, (Int, b: Int)>", ".a($0)"]),
    Case(cases: "case a(())", parts: ["CasePath<Route, ()>", "case .a(let value0)"]),
    Case(
      cases: "indirect case a([Self], Self.Index?)",
      parts: ["CasePath<Route, ([Route], Route.Index?)>"]),
    Case(
      cases: "case a(Dictionary<Int,String>, @Sendable () -> any Error)",
      parts: ["(Dictionary<Int,String>, @Sendable () -> any Error)"]),
    Case(
      cases: "@available(*, deprecated, renamed: \"b\") @available(macOS 26, *) case a",
      parts: [
        "  @available(*, deprecated, renamed: \"b\")\n  @available(macOS 26, *)\n  var a:"
      ]),
    Case(
      cases: "case a", head: "@CasePathable public enum Route",
      parts: [
        "public nonisolated struct AllCasePaths", "  public var a:",
        "public nonisolated static var allCasePaths", "public nonisolated var currentCase",
      ]),
    Case(
      cases: "case a", head: "@CasePathable package indirect enum Route",
      parts: [
        "package nonisolated struct AllCasePaths", "  package var a:",
        "package nonisolated static var allCasePaths", "package nonisolated var currentCase",
      ]),
    Case(
      cases: "case a", context: ["public extension App {}"],
      parts: ["public nonisolated struct AllCasePaths", "  public var a:"]),
    Case(
      cases: "case a", head: "@CasePathable internal enum Route",
      context: ["public extension App {}"],
      parts: ["nonisolated struct AllCasePaths", "  var a:"]),
    Case(
      cases: "case a", head: "@CasePathable fileprivate enum Route",
      parts: ["nonisolated struct AllCasePaths", "  var a:"]),
    Case(
      cases: "case a", context: ["public struct App {}"],
      parts: ["nonisolated struct AllCasePaths", "  var a:"]),
  ]

  @Test(arguments: cases)
  func `follows the enum's declaration`(_ expected: Case) throws {
    let expansion = try Plugin.expand(
      "\(expected.head) { \(expected.cases) }", in: expected.context)
    #expect(expansion.diagnostics.isEmpty)
    for part in expected.parts {
      #expect(("\n" + expansion.members).contains(part))
      #expect(
        expansion.members.contains("public") == expected.parts[0].contains("public"))
    }
  }

  @Test(arguments: [
    "@available(*, unavailable) case gone", "@available(*, unavailable, message: \"\") case gone",
  ])
  func `omits cases that are unavailable everywhere`(_ line: String) throws {
    let expansion = try Plugin.expand("@CasePathable enum Route { case a\n\(line) }")
    #expect(!expansion.members.contains("gone"))
  }

  @Test(arguments: ["case gone(Never)", "case gone(Int, x: Swift.Never)"])
  func `has no path to a case that can't exist`(_ line: String) throws {
    let expansion = try Plugin.expand("@CasePathable enum Route { case a\n\(line) }")
    #expect(!expansion.members.contains("var gone"))
    #expect(expansion.members.contains("case .gone"))
  }

  @Test func `has the enum's availability`() throws {
    let expansion = try Plugin.expand(
      "@CasePathable @available(macOS 26, *) enum Route { case a }",
      in: ["@available(*, deprecated) struct App {}"])
    #expect(
      expansion.conformance == """
        @available(macOS 26, *)
        @available(*, deprecated)
        extension App.Route: nonisolated HoltMacros.CasePathable {}
        """)
  }

  @Test func `adds no second conformance`() throws {
    let source = "@CasePathable enum Route: CasePathable { case a }"
    let expansion = try Plugin.expand(source, conforms: true)
    #expect(expansion.conformance == "")
    #expect(expansion.members.contains("var a:"))
  }
}

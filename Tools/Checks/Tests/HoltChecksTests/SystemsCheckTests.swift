import Testing

@testable import HoltChecks

@Suite struct `The systems check` {
  static let available = "@available(macOS 15, iOS 18, *)"

  @Test(arguments: [
    ("let a: Int128 = 1", 1),
    ("import Foundation\nimport Synchronization", 2),
    ("\(available)\nfunc f() {}\nlet a = UInt128(1)", 3),
    ("\(available)\ntypealias A = Int\n\ntypealias B = Int128", 4),
    ("if #available(macOS 15, *) { f() } else { g(UInt128(1)) }", 1),
    ("guard #available(macOS 15, *) else { return UInt128(1) }", 1),
    ("struct A {\n  \(available)\n  var a: Int { 1 }\n\n  var b: Int128 { 1 }\n}", 5),
  ])
  func `rejects a newer name without a guard`(_ text: String, _ line: Int) throws {
    let path = "Packages/SPON/Sources/SPON/A.swift"
    let tree = try TemporaryTree([path: text])
    let findings = try SystemsCheck().findings(in: tree.repository)
    #expect(findings.map(\.line) == [line])
    #expect(findings.first?.message.contains("requires macOS 15") == true)
  }

  @Test(arguments: [
    "\(available)\nextension UInt128: P {}",
    "\(available)\ntypealias A = Int128",
    "\(available)\nstruct A {\n  func f() {\n    g()\n  }\n\n  let a: Int128\n}",
    "if #available(macOS 15, iOS 18, *) {\n  f { UInt128(1) }\n}",
    "// Int128\nlet a = \"Int128\"\nlet b = WideInt128()",
  ])
  func `accepts guarded names, and other names`(_ text: String) throws {
    let tree = try TemporaryTree(["Packages/SPON/Sources/SPON/A.swift": text])
    #expect(try SystemsCheck().findings(in: tree.repository) == [])
  }
}

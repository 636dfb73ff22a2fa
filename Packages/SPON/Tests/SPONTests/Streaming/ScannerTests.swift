import Primitives
import Testing

@testable import SPON

@Suite struct `A scanner of partial texts` {
  @Test(arguments: ["@", "@o", "@ob", "@a", "@ar", "@arr", "@arra", "@x"])
  func `reads an unquoted text regardless of the text after its array`(_ text: String) throws {
    let value = SPONValue.array([.opaque(text)])
    for end in ["", " ", "\n\n\n\n\n"] {
      #expect(try SPONValue(parsing: "@array[\(text)?]" + end) == value)
    }
  }

  @Test func `can begin at an element, without searching for the version marker`() throws {
    func first(_ text: String, level: UInt8) throws -> Token {
      var scanner = Scanner(rules: .standard, limits: SPONValue.Limits(), level: level)
      let bytes = Array(text.utf8)
      let token = try scanner.next(in: bytes.elementSpan, isLast: true)
      #expect(scanner.level == level)
      return token
    }
    #expect(try first("@obj<@spon!=`2`>", level: 1).length == 5)
    #expect(try first("1#", level: 1).kind == .opaque)
    #expect(try first("1#", level: 2).kind == .decimal)
    #expect(try first("@x?", level: 1).kind == .opaque)
    #expect(throws: ScanFailure.self) { try first("@array:2[]", level: 2) }
  }

  @Test(arguments: [
    "@obj<a!=`1`   ", "@array[   ", "@array[`x`,   ", "@array[`x`   ", "@obj<>   ", "   ",
  ])
  func `skips white space at the end of a chunk`(_ text: String) throws {
    var scanner = Scanner(rules: .standard, limits: SPONValue.Limits())
    let bytes = Array(text.utf8)
    while try scanner.next(in: bytes.elementSpan, isLast: false).kind != .incomplete {}
    #expect(scanner.position == bytes.count)
  }

  @Test func `remembers white space between two pairs`() throws {
    var scanner = Scanner(rules: .standard, limits: SPONValue.Limits())
    let bytes = Array("@obj<a!=`1` ".utf8)
    while try scanner.next(in: bytes.elementSpan, isLast: false).kind != .incomplete {}
    scanner.discard(bytes.count)
    let next = Array("b!=`2`>".utf8)
    #expect(try scanner.next(in: next.elementSpan, isLast: false).kind == .integer)
    #expect(try scanner.next(in: next.elementSpan, isLast: false).kind == .end)
  }

  @Test(arguments: ["@obj<a      =`x`>", "@obj<a=      `x`>", "@obj<      a!=`1`>"])
  func `limits white space that must be stored like a text`(_ text: String) throws {
    var limits = SPONValue.Limits()
    limits.length = 5
    let error = try #require(throws: SPONError.self) {
      try SPONValue(parsing: text, limits: limits)
    }
    #expect(error.code == .tooLong)
  }

  @Test func `limits an unquoted text`() throws {
    var limits = SPONValue.Limits()
    limits.length = 5
    for text in ["@obj<a=long text>", "@obj<a=longtext", "@obj<a=x longword=`x`>"] {
      let error = try #require(throws: SPONError.self) {
        try SPONValue(parsing: text, rules: .lenient, limits: limits)
      }
      #expect(error.code == .tooLong)
      #expect(error.position?.byteOffset == 7)
    }
  }
}

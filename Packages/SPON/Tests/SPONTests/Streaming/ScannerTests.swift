import Primitives
import Testing

@testable import SPON

@Suite struct `A scanner of parts of a text` {
  @Test(arguments: ["@", "@o", "@ob", "@a", "@ar", "@arr", "@arra", "@x"])
  func `takes a bare text for one, whatever follows its array`(_ text: String) throws {
    let value = SPONValue.array([.opaque(text)])
    for end in ["", " ", "\n\n\n\n\n"] {
      #expect(try SPONValue(parsing: "@array[\(text)?]" + end) == value)
    }
  }

  @Test func `begins at an element of a version, and takes nothing for the marker`() throws {
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
  func `passes white space that ends a chunk`(_ text: String) throws {
    var scanner = Scanner(rules: .standard, limits: SPONValue.Limits())
    let bytes = Array(text.utf8)
    while try scanner.next(in: bytes.elementSpan, isLast: false).kind != .incomplete {}
    #expect(scanner.position == bytes.count)
  }

  @Test func `knows that there was white space between two pairs`() throws {
    var scanner = Scanner(rules: .standard, limits: SPONValue.Limits())
    let bytes = Array("@obj<a!=`1` ".utf8)
    while try scanner.next(in: bytes.elementSpan, isLast: false).kind != .incomplete {}
    scanner.forget(bytes.count)
    let next = Array("b!=`2`>".utf8)
    #expect(try scanner.next(in: next.elementSpan, isLast: false).kind == .integer)
    #expect(try scanner.next(in: next.elementSpan, isLast: false).kind == .end)
  }

  @Test(arguments: ["@obj<a      =`x`>", "@obj<a=      `x`>", "@obj<      a!=`1`>"])
  func `bounds the white space that must be kept as it does a text`(_ text: String) throws {
    var limits = SPONValue.Limits()
    limits.length = 5
    let error = try #require(throws: SPONError.self) {
      try SPONValue(parsing: text, limits: limits)
    }
    #expect(error.code == .tooLong)
  }

  @Test func `bounds a text without quotes`() throws {
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

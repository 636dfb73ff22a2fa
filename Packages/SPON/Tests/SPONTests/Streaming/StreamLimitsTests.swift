import Primitives
import Testing

@testable import SPON

@Suite struct `Streams in bounded memory` {
  /// Twenty megabytes if all cases are run, otherwise one.
  static let streamed = StreamCases.isThorough ? 20_000_000 : 1_000_000

  @Test func `elements of a long document are not retained`() throws {
    var reader = SPONElementReader()
    reader.append("@array[".utf8)
    var row = 0
    var streamed = 7
    var found = 0
    var mostCapacity = 0
    while streamed < Self.streamed {
      var chunk = ""
      for _ in 0..<40 {
        if row > 0 { chunk += ", " }
        chunk += "@obj:Row<id!=`\(row)` name$=`row number \(row), žluťoučký`>"
        row += 1
      }
      streamed += chunk.utf8.count
      reader.append(chunk.utf8)
      while let element = try reader.next() {
        #expect(element.path == [.index(found)])
        found += 1
      }
      mostCapacity = max(mostCapacity, reader.tokens.buffer.capacity)
    }
    reader.append("]".utf8)
    reader.finish()
    #expect(try reader.next() == nil)
    #expect(reader.isAtEnd)
    #expect(found == row)
    // About two chunks of 2,400 bytes each.
    #expect(mostCapacity < 10_000)
  }

  @Test(arguments: [
    "@obj<a!=`1`#", "@array[`1`#", "@array[1!,#", "@array[#", "@obj<a=@obj<>#", "@obj<a!=`1`>#",
    "#",
  ])
  func `white space is not stored`(_ text: String) throws {
    var reader = SPONEventReader()
    reader.append(text.dropLast().utf8)
    while try reader.next() != nil {}
    for _ in 0..<100 {
      reader.append([UInt8](repeating: 0x20, count: 50))
      while try reader.next() != nil {}
    }
    #expect(reader.tokens.buffer.count < 200)
    #expect(reader.position.byteOffset >= 5_000)
  }

  @Test func `skipped values are not stored`() throws {
    var reader = SPONElementReader(at: [.key("rows"), .elements])
    reader.append("@obj<other=@array[".utf8)
    for _ in 0..<300 {
      reader.append("@obj<id!=`1` list=@array[1!, 2!]>, ".utf8)
      #expect(try reader.next() == nil)
      #expect(reader.tokens.buffer.count < 100)
    }
    reader.append("1!] rows=@array[5!]>".utf8)
    reader.finish()
    #expect(try reader.next()?.value() == .integer(5))
    #expect(try reader.next() == nil)
  }

  @Test(arguments: [
    ("@array[`", "`"), ("@array[", ","), ("@obj<a", "="), ("@obj<a$=`", "`"), ("@obj<a=@obj:", "<"),
    ("@obj:", "<"), ("@obj<@spon!=`", "`"), ("@obj<key$ = `", "`"),
  ])
  func `a long token is scanned once`(_ head: String, _ end: Character) throws {
    try expectNoSearchTwice(head, filler: "0", end: end, rules: .standard)
  }

  @Test(arguments: ["@obj<a", "@obj<a$=", "@obj<", "@obj:T<"])
  func `long white space is scanned once`(_ head: String) throws {
    try expectNoSearchTwice(head, filler: " ", end: "x", rules: .standard)
  }

  @Test(arguments: ["@obj<a=x", "@obj<a=@onject ", "@obj<a=x "])
  func `a long unquoted text is scanned once`(_ head: String) throws {
    try expectNoSearchTwice(head, filler: "x", end: ">", rules: .lenient)
  }

  /// Passes a token to a scanner byte by byte. Bytes that it has examined are replaced by ones that
  /// end the token, which it must not notice.
  private func expectNoSearchTwice(
    _ head: String, filler: Character, end: Character, rules: SPONValue.Rules
  ) throws {
    var scanner = Scanner(rules: rules, limits: SPONValue.Limits())
    var bytes = Array(head.utf8)
    while try scanner.next(in: bytes.elementSpan, isLast: false).kind != .incomplete {}
    for _ in 0..<100 {
      bytes += Array(filler.utf8)
      #expect(try scanner.next(in: bytes.elementSpan, isLast: false).kind == .incomplete)
      bytes.removeLast()
      bytes += Array(end.utf8)
    }
    // It notices the end after these bytes.
    bytes += Array("\(end)=`x`".utf8)
    let token = try? scanner.next(in: bytes.elementSpan, isLast: false)
    #expect(token?.kind != .incomplete)
  }

  @Test(arguments: [
    ("@array[`", "0"), ("@array[", "0"), ("@obj<", "0"), ("@obj<a$=`", "0"), ("@obj<a=@obj:", "0"),
    ("@obj:", "0"), ("@obj<@spon!=`", "0"), ("@obj<a", " "), ("@obj<a=", " "), ("@obj<", "  "),
    ("@obj<a=x", "x"), ("@obj<a=x ", "x"), ("@obj<a=x", " y"),
  ])
  func `a token that is too long is rejected before it is complete`(
    _ head: String, _ filler: String
  ) throws {
    var limits = SPONValue.Limits()
    limits.length = 100
    let rules: SPONValue.Rules = head.contains("=x") ? .lenient : .standard
    let document = Array((head + String(repeating: filler, count: 150) + "a!=`1`").utf8)
    let whole = Outcome.whole(document, rules, limits)
    guard case .failed(let error) = whole else { throw whole }
    // White space is not limited before the first pair, except in the root.
    #expect(error.code == .tooLong)
    // A key that is too long is rejected before it is known to be a key.
    let streamed = Outcome.events(document.single, rules, limits)
    #expect(streamed == whole || streamed.isFailure(at: error.position, code: error.code))
    var reader = SPONEventReader(rules: rules, limits: limits)
    var appended = 0
    var isRefused = false
    for byte in document {
      reader.append([byte])
      appended += 1
      do { while try reader.next() != nil {} } catch {
        isRefused = true
        break
      }
    }
    #expect(isRefused)
    #expect(appended < 260)
  }

  @Test(arguments: ["1!", "dark blue?", "@ob?", "5 !", "word", "@objx"])
  func `white space after an element is not part of it, and is not stored`(_ text: String) throws {
    var limits = SPONValue.Limits()
    limits.length = 12
    for space in [1, 11, 12, 13, 500] {
      let document = Array("@array[\(text)\(String(repeating: " ", count: space)), 2! \n\n]".utf8)
      let whole = Outcome.whole(document, .lenient, limits)
      guard case .read = whole else { throw whole }
      #expect(Outcome.events(document.single, .lenient, limits) == whole)
      #expect(Outcome.element(document.single, .lenient, limits) == whole)
      for place in 0...document.count {
        #expect(Outcome.events(document.cut(at: place), .lenient, limits) == whole)
      }
      var reader = SPONEventReader(rules: .lenient, limits: limits)
      for byte in document {
        reader.append([byte])
        while try reader.next() != nil {}
        #expect(reader.tokens.buffer.count < 100)
      }
    }
    let single = Array("1!\(String(repeating: " ", count: 500))".utf8)
    #expect(Outcome.events(single.single, .standard, limits) == .read(.integer(1)))
  }

  @Test func `a million brackets are rejected at the limit`() throws {
    var reader = SPONEventReader()
    let chunk = Array(String(repeating: "@array[", count: 100).utf8)
    var appended = 0
    let error = try #require(throws: SPONError.self) {
      for _ in 0..<10_000 {
        reader.append(chunk)
        appended += 100
        while try reader.next() != nil {}
      }
    }
    #expect(error.code == .tooDeep)
    #expect(error.position?.byteOffset == 512 * 7)
    #expect(error.codingPath.count == 512)
    #expect(appended == 600)
    let bare = Outcome.events([ArraySlice(repeating: 0x5B, count: 1_000_000)])
    #expect(bare == .whole([UInt8](repeating: 0x5B, count: 1_000_000)))
  }
}

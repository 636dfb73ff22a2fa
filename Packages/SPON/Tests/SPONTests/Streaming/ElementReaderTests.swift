import Foundation
import Testing

@testable import SPON

@Suite struct `An element reader` {
  /// Returns all elements of a document in chunks.
  private func elements(
    _ chunks: [ArraySlice<UInt8>], at pattern: SPONPath.Pattern, rules: SPONValue.Rules = .standard,
    limits: SPONValue.Limits = .init()
  ) throws(SPONError) -> [SPONElementReader.Element] {
    var reader = SPONElementReader(at: pattern, rules: rules, limits: limits)
    var found: [SPONElementReader.Element] = []
    for chunk in chunks {
      reader.append(chunk)
      while let element = try reader.next() { found.append(element) }
    }
    reader.finish()
    while let element = try reader.next() { found.append(element) }
    return found
  }

  @Test func `returns the texts of a lenient reader, wherever the element ends`() throws {
    var reader = SPONElementReader(rules: .lenient)
    reader.append("@array[@array[@obj:x, 1!], @array[@array], `t`]".utf8)
    reader.finish()
    #expect(try reader.next()?.value() == .array([.string("@obj:x"), .integer(1)]))
    #expect(try reader.next()?.value() == .array([.string("@array")]))
    #expect(try reader.next()?.value() == .string("t"))
    #expect(try reader.next() == nil)
  }

  @Test func `decodes a scalar of the maximum length`() throws {
    var limits = SPONValue.Limits()
    limits.length = 5
    limits.bytes = 5
    var reader = SPONElementReader(limits: limits)
    reader.append("@array[&u41;?, `&u41;`, `12345`]".utf8)
    reader.finish()
    var texts: [String] = []
    while let element = try reader.next() {
      texts.append(try SPONDecoder().decode(String.self, from: element))
    }
    #expect(texts == ["&u41;", "&u41;", "12345"])
  }

  @Test func `finds the rows of all tables for any division into chunks`() throws {
    let bytes = Array(StreamCases.store.utf8)
    let expected: [(path: String, value: String)] = [
      ("tables[0].rows[0]", "@obj<gid!=`1` label$=`a]b>`>"),
      ("tables[0].rows[1]", "@obj<gid!=`2` sizes=@array[8!, 16!]>"),
      ("tables[3].rows[0]", "@obj<žid!=`3`>"), ("tables[3].rows[1]", "4!"),
      ("tables[3].rows[2]", "`five`"),
    ]
    let pattern: SPONPath.Pattern = [.key("tables"), .elements, .key("rows"), .elements]
    var allChunks = stride(from: 0, through: bytes.count, by: 3).map { bytes.cut(at: $0) }
    allChunks.append(bytes.single)
    for chunks in allChunks {
      let found = try elements(chunks, at: pattern)
      #expect(found.map { SPONPath.Key.describe($0.path) } == expected.map(\.path))
      for (element, expected) in zip(found, expected) {
        #expect(element.bytes == Array(expected.value.utf8))
        #expect(try element.value() == SPONValue(parsing: expected.value))
      }
      #expect(found.last?.position.line == 6)
      #expect(found.first?.position == SPONError.Position(byteOffset: 140, line: 4, column: 7))
    }
  }

  @Test(arguments: [
    ("[*]", ["@array[1!, 2!]", "@obj<a!=`3`>", "4!"]), ("[1]", ["@obj<a!=`3`>"]),
    ("[0][*]", ["1!", "2!"]), ("[1].a", ["3!"]), ("[1].*", ["3!"]), ("[7]", []), ("[1].b", []),
    ("", ["@array[@array[1!, 2!], @obj<a!=`3`>, 4!]"]),
  ])
  func `finds the values that match a pattern`(_ pattern: String, _ texts: [String]) throws {
    let bytes = Array("@array[@array[1!, 2!], @obj<a!=`3`>, 4!]".utf8)
    let pattern = try #require(SPONPath.Pattern(pattern))
    let found = try elements(bytes.single, at: pattern)
    #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == texts)
  }

  @Test(arguments: ["[*][*]", "a", "*", "[2].a", "[2][0]", "[1][0]", "[0].a"])
  func `rejects a container that does not match the pattern`(_ pattern: String) throws {
    let bytes = Array("@array[@array[1!, 2!], @obj<a!=`3`>, 4!]".utf8)
    let pattern = try #require(SPONPath.Pattern(pattern))
    let error = try #require(throws: SPONError.self) { try elements(bytes.single, at: pattern) }
    #expect(error.code == .typeMismatch)
    #expect(error.position != nil)
  }

  @Test func `returns a whole document for any division into chunks`() {
    for document in StreamCases.all {
      for rules in StreamCases.rules(for: document) {
        let whole = Outcome.whole(document, rules)
        #expect(Outcome.element(document.single, rules) == whole)
        #expect(Outcome.element([document[...]], rules) == whole)
      }
    }
  }

  @Test func `returns random elements for any division into chunks`() throws {
    let seed: UInt64 = 7_112_026
    print("seed of random elements in chunks: \(seed)")
    var values = StreamValues(numbers: SeededGenerator(seed: seed))
    for round in 0..<(StreamCases.isThorough ? 3_000 : 60) {
      let array = (0..<5).map { _ in values.value(depth: 3) }
      let bytes = try SPONValue.array(array).bytes(
        round % 2 == 0 ? .prettyPrinted : [], version: round % 3 == 0 ? .two : .automatic)
      let found = try elements(bytes.cut(&values.numbers, longest: 30), at: .elements)
      #expect(try found.map { try $0.value() } == array)
      // The same as the values of an object.
      var object = SPONObject()
      for (index, value) in array.enumerated() { object["k\(index)&"] = value }
      let text = try SPONValue.object(object).bytes()
      let pairs = try elements(text.cut(&values.numbers, longest: 30), at: [.values])
      #expect(try pairs.map { try $0.value() } == array)
      #expect(pairs.map(\.path) == object.keys.map { [.key($0)] })
    }
  }

  @Test(arguments: [
    "@array[@obj<@spon!=`2` a#=`1`>]", "@array[@obj<a$=`&u41;` b+=`x`>, 1#, a&u41;?]",
    "@array[@foo?, @ar?x?]", "@array:2[@obj<a&u20;b$=`&u41;`>, `a,`?]",
  ])
  func `reads an element in the version of its document`(_ text: String) throws {
    let whole = try SPONValue(parsing: text)
    let found = try elements(Array(text.utf8).single, at: .elements)
    #expect(try .array(found.map { try $0.value() }) == whole)
  }

  @Test(arguments: [3, 20])
  func `keeps the last of several pairs with the same key, at its position`(_ count: Int) throws {
    var text = "@obj:T<"
    for number in 0..<count { text += "k\(number)!=`\(number)` k\(number / 2)=@array[\(number)!] " }
    text += ">"
    let whole = try SPONValue(parsing: text)
    for rules in [SPONValue.Rules.standard, .lenient] {
      let found = try elements(Array("@array[\(text)]".utf8).single, at: .elements, rules: rules)
      let value = try #require(found.first).value()
      #expect(value == whole)
      #expect(try value.text() == whole.text())
    }
    let error = try #require(throws: SPONError.self) {
      try elements(Array("@array[\(text)]".utf8).single, at: .elements, rules: .strict)
    }
    #expect(error.code == .duplicateKey)
  }

  @Test func `an element's text can be read separately`() throws {
    let text = "@array:2[@obj<a~=`` b=@array[`x`?]>, `a,b`?, 1.5#, `t`, ~, 3q0=*, 2.5^, 1!]"
    for element in try elements(Array(text.utf8).single, at: .elements) {
      let tape = try element.tape()
      var builder = ValueBuilder(tape)
      #expect(try builder.value(at: 0) == element.value())
      #expect(tape.bytes == element.bytes)
    }
  }

  @Test func `an error in an element's text has a position in the stream`() throws {
    let text = "@obj<rows=@array[\n 1!, @obj<ž=@array[\n  1!, 2!]>]>"
    let found = try elements(Array(text.utf8).single, at: [.key("rows"), .elements])
    let element = try #require(found.last)
    let inside = SPONError(
      .typeMismatch, "", at: SPONError.Position(byteOffset: 20, line: 2, column: 6),
      codingPath: [.key("ž"), .index(1)])
    let located = element.located(inside)
    #expect(located.position == SPONError.Position(byteOffset: 43, line: 3, column: 6))
    #expect(located.codingPath == [.key("rows"), .index(1), .key("ž"), .index(1)])
    let first = element.located(
      SPONError(.typeMismatch, "", at: SPONError.Position(byteOffset: 5, line: 1, column: 6)))
    #expect(first.position == SPONError.Position(byteOffset: 28, line: 2, column: 11))
    let scalar = try #require(found.first).located(inside)
    #expect(scalar.position == found.first?.position)
  }

  @Test func `an error inside an element has its position and path`() throws {
    let text = "@obj<tables=@array[@obj<rows=@array[1!,\n @obj<a=@array[2!, x!]>]>]>"
    let pattern: SPONPath.Pattern = [.key("tables"), .elements, .key("rows"), .elements]
    let bytes = Array(text.utf8)
    for place in 0...bytes.count {
      let error = try #require(throws: SPONError.self) {
        try elements(bytes.cut(at: place), at: pattern)
      }
      #expect(Outcome<SPONValue>.failed(error) == .whole(bytes))
      #expect(SPONPath.Key.describe(error.codingPath) == "tables[0].rows[1].a[1]")
    }
  }

  @Test func `rejects an element that is too long before it is complete`() throws {
    var limits = SPONValue.Limits()
    limits.bytes = 60
    var reader = SPONElementReader(limits: limits)
    reader.append("@array[1!,\n  @obj<a=@array[".utf8)
    #expect(try reader.next() != nil)
    var appended = 0
    let error = try #require(throws: SPONError.self) {
      while try appended < 1_000 && reader.next() == nil {
        reader.append("1!, ".utf8)
        appended += 4
      }
    }
    #expect(error.code == .tooLong)
    #expect(error.position == SPONError.Position(byteOffset: 13, line: 2, column: 3))
    #expect(error.codingPath == [.index(1)])
    #expect(appended < 60)
    // In one chunk, complete or not, at the maximum length.
    for end in [">]", ""] {
      let long = "@array[@obj<a$=`\(String(repeating: "x", count: 60))`" + end
      let error = try #require(throws: SPONError.self) {
        try elements([Array(long.utf8)[...]], at: .elements, limits: limits)
      }
      #expect(error.code == .tooLong)
    }
    let fits = "@array[@obj<a$=`\(String(repeating: "x", count: 49))`>]"
    #expect(try elements([Array(fits.utf8)[...]], at: .elements, limits: limits).count == 1)
    #expect(throws: SPONError.self) {
      try elements(
        [Array("@array[`\(String(repeating: "x", count: 61))`]".utf8)[...]], at: .elements,
        limits: limits)
    }
  }

  @Test func `counts the values of an element, rather than those of a stream`() throws {
    var limits = SPONValue.Limits()
    limits.count = 3
    let text = "@array[1!, 2!, 3!, 4!, @array[1!, 2!], @array[1!, 2!, 3!]]"
    let found = try elements(Array(text.utf8).single, at: .elements, limits: limits)
    #expect(found.count == 6)
    #expect(try found[4].value() == .array([.integer(1), .integer(2)]))
    let error = try #require(throws: SPONError.self) { try found[5].value() }
    #expect(error.code == .tooMany)
    #expect(error.position?.byteOffset == 54)
    #expect(error.codingPath.first == .index(5))
  }

  @Test func `throws the same error again, and returns nil again at the end`() throws {
    var reader = SPONElementReader()
    reader.append("@array[@obj<a!=`x`>]".utf8)
    let error = try #require(throws: SPONError.self) { try reader.next() }
    reader.finish()
    #expect(try #require(throws: SPONError.self) { try reader.next() } == error)
    var mismatched = SPONElementReader()
    mismatched.append("@obj<a!=`1`>".utf8)
    mismatched.finish()
    let mismatch = try #require(throws: SPONError.self) { try mismatched.next() }
    #expect(mismatch.code == .typeMismatch)
    #expect(try #require(throws: SPONError.self) { try mismatched.next() } == mismatch)
    var ended = SPONElementReader()
    ended.append("@array[]".utf8)
    ended.finish()
    #expect(try ended.next() == nil)
    #expect(try ended.next() == nil)
    #expect(ended.isAtEnd)
  }

  @Test func `reads a database file of the original implementation`() throws {
    guard let document = Self.original else { return }
    let pattern = try #require(SPONPath.Pattern("tables[*].rows[*]"))
    let rows = try elements(Array(document.utf8).single, at: pattern)
    #expect(rows.count == 3)
    var found: SPONValue?
    if case .object(let store) = try SPONValue(parsing: document),
      case .array(let tables) = store["tables"], case .object(let table) = tables.first
    {
      found = table["rows"]
    }
    #expect(try .array(rows.map { try $0.value() }) == found)
  }

  /// The first document of the corpus, if it exists next to the repository.
  private static var original: String? {
    struct Line: Decodable { let spon: String? }
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<8 {
      folder.deleteLastPathComponent()
      let file = folder.appending(path: "shared/corpora/spon/spon_database.jsonl")
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      let line = Data(text.prefix { $0 != "\n" }.utf8)
      return (try? JSONDecoder().decode(Line.self, from: line))?.spon
    }
    return nil
  }
}

@Suite struct `A path pattern` {
  @Test(
    arguments: [
      ("", []), ("a", [.key("a")]), ("*", [.values]), ("[*]", [.elements]), ("[12]", [.index(12)]),
      ("a.b[0].*[*].ž", [.key("a"), .key("b"), .index(0), .values, .elements, .key("ž")]),
      ("[*][3].x y", [.elements, .index(3), .key("x y")]),
    ] as [(String, [SPONPath.Pattern.Step])])
  func `is parsed, and printed in the same form`(_ text: String, _ steps: [SPONPath.Pattern.Step])
    throws
  {
    let pattern = try #require(SPONPath.Pattern(text))
    #expect(pattern.steps == steps)
    #expect(pattern.description == text)
  }

  @Test(arguments: [
    ".", "a.", ".a", "a..b", "[", "[]", "[-1]", "[x]", "a]", "a[0", "[0]a", "a*",
    "[99999999999999999999]",
    "a.[0]",
  ])
  func `is not parsed from other texts`(_ text: String) {
    #expect(SPONPath.Pattern(text) == nil)
  }
}

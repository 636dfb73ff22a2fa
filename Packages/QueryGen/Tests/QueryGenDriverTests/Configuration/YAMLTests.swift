import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `A YAML text` {
  /// Returns the parsed value in a uniform notation, or the message with its location.
  private func read(_ text: String) -> String { read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) -> String {
    let source = SourceText(bytes: bytes)
    var diagnostics = DiagnosticList()
    guard let yaml = YAMLReader.read(source, diagnostics: &diagnostics) else {
      let first = diagnostics.diagnostics[0]
      let place = source.lineTable().position(of: first.span.start)
      return "\(place.line):\(place.column) '\(source[first.span])': \(first.message)"
    }
    return yaml.text
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, value: String
    init(_ text: String, _ value: String) {
      self.text = text
      self.value = value
    }
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case("", "null"),
    Case("# nothing\n\n", "null"),
    Case("a: 1", "{a: 1}"),
    Case("a:\nb: ~\nc: null # no\n", "{a: null, b: null, c: null}"),
    Case("---\na: b c\n", "{a: b c}"),
    Case("\u{FEFF}a: b\nc: d\n", "{a: b, c: d}"),
    Case("a:\n  b: x\n  c:\n    d: y\ne: z\n", "{a: {b: x, c: {d: y}}, e: z}"),
    Case("a:\n  - x\n  - y\nb:\n- z\n", "{a: [x, y], b: [z]}"),
    Case("- a: 1\n  b: 2\n- - c\n  - d\n-\n", "[{a: 1, b: 2}, [c, d], null]"),
    Case("a: [x, 'y, z', \"w\"] # c\n", "{a: [x, 'y, z', 'w']}"),
    Case("a: { b: x, c: [] , d: {} }\n", "{a: {b: x, c: [], d: {}}}"),
    Case("a: 'it''s'\nb: \"\\\"\\t\\u00e9\\\\\"\n", "{a: 'it's', b: '\"\té\\'}"),
    Case("\"a b\": 'null'\n'c': \"\"\n", "{a b: 'null', c: ''}"),
    Case("a: b#c\nd: e:f\n", "{a: b#c, d: e:f}"),
    Case("a: -\nb: -1\n", "{a: -, b: -1}"),
  ])
  func `is parsed`(_ sample: Case) {
    #expect(read(sample.text) == sample.value)
  }

  @Test(arguments: [
    Case(
      "a: 1\n b: 2\n",
      "2:2 'b: 2': unexpected indentation; the line above already has a value"),
    Case(
      "  a: 1\nb: 2\n",
      "2:1 'b: 2': unexpected content; check the indentation of the lines above"),
    Case("a:\n\tb: 1\n", "2:1 '\tb: 1': lines must be indented with spaces, not tabs"),
    Case("a: 1\na: 2\n", "2:1 'a': duplicate key \"a\""),
    Case("a: {b: 1, b: 2}\n", "1:11 'b': duplicate key \"b\""),
    Case("a: 1\nb\n", "2:1 'b': expected a line of the form \"key: value\""),
    Case("a: 'x\n", "1:4 ''x': the closing quote must be on the same line"),
    Case(
      "a: \"\\q\"\n",
      "1:5 '\\q\"': unknown escape; expected \\n, \\t, \\r, \\\\, \\\", \\/ "
        + "or \\u0041"),
    Case("a: [x\n]\n", "1:4 '[x': the closing bracket must be on the same line"),
    Case("a: [x] y\n", "1:8 'y': unexpected text after the value"),
    Case("a: b: c\n", "1:4 'b: c': a value that contains a colon must be quoted"),
    Case("a: &x 1\n", "1:4 '&x 1': anchors and aliases are not supported"),
    Case("a: !!str 1\n", "1:4 '!!str 1': tags are not supported"),
    Case("a: |\n  x\n", "1:4 '|': multi-line texts are not supported"),
    Case("a: 1\n---\nb: 2\n", "2:1 '---': a file must contain only one document"),
    Case("a: {b}\n", "1:5 'b}': expected a colon and a value"),
  ])
  func `that is ambiguous is rejected with its location`(_ sample: Case) {
    #expect(read(sample.text) == sample.value)
  }

  @Test func `is parsed to a bounded depth`() {
    let flow = "a: " + String(repeating: "[", count: 100_000)
    #expect(read(flow).hasSuffix("the nesting is too deep"))
    let lines = (0..<1_000).map { String(repeating: " ", count: $0) + "a:" }
    #expect(read(lines.joined(separator: "\n")).hasSuffix("the nesting is too deep"))
  }

  @Test func `of any bytes is parsed or rejected`() {
    var state: UInt64 = 7
    let letters = Array(" \n\t-:#'\"[]{},ab\\&\u{E9}".utf8) + [0xFF, 0]
    for _ in 0..<1_000 {
      let bytes = (0..<24).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return letters[Int(state >> 33) % letters.count]
      }
      _ = read(bytes)
    }
  }
}

extension YAML {
  /// The value in a uniform notation.
  fileprivate var text: String {
    switch value {
    case .null: "null"
    case .scalar(let text, let isQuoted): isQuoted ? "'\(text)'" : text
    case .sequence(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }
}

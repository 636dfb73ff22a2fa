import Primitives
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `JSON numbers` {
  @Test(arguments: [
    ("0", JSONTree.integer(0)), ("-1", .integer(-1)), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number("9223372036854775808")),
    ("-9223372036854775809", .number("-9223372036854775809")),
    ("1000000000000000000000", .number("1000000000000000000000")),
    ("18446744073709551616", .number("18446744073709551616")), ("1.0", .double(1)),
    ("-0.0", .double(-0.0)),
    ("1e2", .double(100)), ("1E+2", .double(100)), ("0.1", .double(0.1)), ("1.50", .double(1.5)),
    ("0.10000000000000001", .number("0.10000000000000001")),
    ("0.30000000000000004", .double(0.30000000000000004)),
    ("1e308", .double(1e308)), ("1e309", .number("1e309")),
    ("5e-324", .double(.leastNonzeroMagnitude)),
    ("4.9e-324", .number("4.9e-324")), ("1e-400", .number("1e-400")),
    ("0e999999999999999999999", .double(0)),
    ("1e99999999999999999999", .number("1e99999999999999999999")),
    ("0.0000000000000000000000001", .double(1e-25)),
    ("123456789.123456789", .number("123456789.123456789")),
    ("123456789.12345679", .double(123456789.12345679)),
    ("1234567890.1234567890123", .number("1234567890.1234567890123")),
    ("9007199254740993.0", .number("9007199254740993.0")),
    ("9007199254740992.0", .double(9007199254740992)),
    ("100000000000000000000000.0", .double(1e23)),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ("0.00000000000000000000000000000000000000000000", .double(0)),
    ("12345678901234567890.5", .number("12345678901234567890.5")),
    ("0.1000000000000000000000", .double(0.1)),
  ])
  func `are read without loss`(_ text: String, _ value: JSONTree) throws {
    #expect(try JSONTree.one(text) == value)
    #expect(try JSONTree.one("[\(text)]") == .array([value]))
  }

  @Test func `keep the sign of zero`() throws {
    guard case .double(let value) = try JSONTree.one("-0") else {
      Issue.record("no double")
      return
    }
    #expect(value.sign == .minus)
  }

  @Test func `are doubles if a double's shortest text is equal`() throws {
    var random = SeededRandom(seed: 20_261_122)
    for _ in 0..<FormatEffort.count(4_000) {
      // Approximately the number of digits of a double, and its shortest forms.
      let value =
        random.oneIn(2) ? random.finite() : Double(random.next() >> 11) / Double(1 << 53) * 1_000
      expectExact(value.description)
      let digits = UInt64.random(in: 1_000_000_000_000_000...99_999_999_999_999_999, using: &random)
      let text = digits.description
      let point = random.below(text.count - 1) + 1
      expectExact("\(text.prefix(point)).\(text.dropFirst(point))")
      expectExact("\(text)e\(random.below(60) - 40)")
    }
  }

  /// Compares the values with the text that Swift produces.
  private func expectExact(_ text: String) {
    let bytes = Array(text.utf8)
    guard let value = Double(text), let number = ExactNumber(bytes.elementSpan, 0..<bytes.count)
    else {
      Issue.record("\(text) is not a number with seventeen digits")
      return
    }
    let shortest = Array(value.description.utf8)
    let isSame = value.isFinite && ExactNumber(shortest.elementSpan, 0..<shortest.count) == number
    #expect(number.double == (isSame ? value : nil), "\(text)")
  }
}

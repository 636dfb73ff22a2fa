import Foundation
import SPON
import Testing

@Suite struct `A text is decoded as` {
  /// The result of decoding a text, or the error.
  private func outcome<Value: Decodable>(_ text: String, _ type: Value.Type) -> String {
    do {
      return "\(try SPONDecoder().decode(type, from: text))"
    } catch let error as SPONError {
      return error.code.rawValue
    } catch { return "another error" }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let bool: String, int: String, uint8: String, double: String, float: String, string: String
    var testDescription: String { text }

    init(
      _ text: String, bool: String = "typeMismatch", int: String = "typeMismatch",
      uint8: String = "typeMismatch", double: String = "typeMismatch",
      float: String = "typeMismatch", string: String = "typeMismatch"
    ) {
      self.text = text
      (self.bool, self.int, self.uint8) = (bool, int, uint8)
      (self.double, self.float, self.string) = (double, float, string)
    }
  }

  static let rows = [
    Row("true%", bool: "true"),
    Row("false%", bool: "false"),
    Row("7!", int: "7", uint8: "7", double: "7.0", float: "7.0"),
    Row("0!", bool: "false", int: "0", uint8: "0", double: "0.0", float: "0.0"),
    Row("1!", bool: "true", int: "1", uint8: "1", double: "1.0", float: "1.0"),
    Row("-1!", int: "-1", double: "-1.0", float: "-1.0"),
    Row("256!", int: "256", double: "256.0", float: "256.0"),
    Row("16777217!", int: "16777217", double: "16777217.0"),
    Row(
      "9007199254740992!", int: "9007199254740992", double: "9007199254740992.0",
      float: "9.007199e+15"),
    Row("9007199254740993!", int: "9007199254740993"),
    Row("18446744073709551615!"),
    Row("9223372036854775808!", double: "9.223372036854776e+18", float: "9.223372e+18"),
    Row("3.0&", int: "3", uint8: "3", double: "3.0", float: "3.0"),
    Row("3.5&", double: "3.5", float: "3.5"),
    Row("0.1&", double: "0.1", float: "0.1"),
    Row("0.123456789&", double: "0.123456789"),
    Row("1e300&", double: "1e+300"),
    Row("-0.0&", int: "0", uint8: "0", double: "-0.0", float: "-0.0"),
    Row("inf&", double: "inf", float: "inf"),
    Row("nan&", double: "nan", float: "nan"),
    Row("3.0^", int: "3", uint8: "3", double: "3.0", float: "3.0"),
    Row("0.1^", double: "0.1", float: "0.1"),
    Row("-inf^", double: "-inf", float: "-inf"),
    Row("1.5#", double: "1.5", float: "1.5"),
    Row("300#", int: "300", double: "300.0", float: "300.0"),
    Row("0.1000000000000000000001#"),
    Row("nan#", double: "nan", float: "nan"),
    Row("`7`", string: "7"),
    Row("`true`", string: "true"),
    Row("7?", int: "7", uint8: "7", double: "7.0", float: "7.0", string: "7"),
    Row("-7?", int: "-7", double: "-7.0", float: "-7.0", string: "-7"),
    Row("1.5?", double: "1.5", float: "1.5", string: "1.5"),
    Row("true?", bool: "true", string: "true"),
    Row("false?", bool: "false", string: "false"),
    Row("yes?", string: "yes"),
    Row("AQ==*"),
    Row("2023-11-14T22:13:20Z+"),
    Row("@obj<>"),
    Row("@array[]"),
  ]

  @Test(arguments: rows) func `another type if no information is lost`(_ row: Row) {
    // The error for an untyped text that is not a number does not describe the text.
    #expect(outcome(row.text, Bool.self) == row.bool)
    #expect(outcome(row.text, Int.self) == row.int)
    #expect(outcome(row.text, UInt8.self) == row.uint8)
    #expect(outcome(row.text, Double.self) == row.double)
    #expect(outcome(row.text, Float.self) == row.float)
    #expect(outcome(row.text, String.self) == row.string)
    // The same after a key and as an element.
    #expect(
      outcome("@array[\(row.text)]", [Int].self) == (Int(row.int).map { "[\($0)]" } ?? row.int))
  }

  @Test(arguments: ["~", "<null>?", "@array:2[~]", "@array[<null>?]", "@obj<a?=`<null>`>"])
  func `nil if it is null`(_ text: String) throws {
    if text.hasPrefix("@array") {
      #expect(try SPONDecoder().decode([Int?].self, from: text) == [nil])
      #expect(outcome(text, [Int].self) == "valueNotFound")
    } else if text.hasPrefix("@obj") {
      #expect(try SPONDecoder().decode([String: Int?].self, from: text) == ["a": nil])
      #expect(outcome(text, [String: Int].self) == "valueNotFound")
    } else {
      #expect(try SPONDecoder().decode(Int?.self, from: text) == nil)
      #expect(try SPONDecoder().decode(SPONValue.self, from: text) == .null)
      #expect(outcome(text, Int.self) == "valueNotFound")
      #expect(outcome(text, String.self) == "valueNotFound")
      #expect(outcome(text, Date.self) == "valueNotFound")
      #expect(outcome(text, URL.self) == "valueNotFound")
      #expect(outcome(text, Decimal.self) == "valueNotFound")
      #expect(outcome(text, Data.self) == "valueNotFound")
      #expect(outcome(text, [Int].self) == "valueNotFound")
      #expect(outcome(text, [String: Int].self) == "valueNotFound")
    }
  }

  @Test func `a decimal number of Foundation, from every number`() {
    let decimal = Decimal(string: "1.5")
    expectRead("1.5#", decimal)
    expectRead("1.5&", decimal)
    expectRead("1.5^", decimal)
    expectRead("1.5?", decimal)
    expectRead("7!", Decimal(7))
    expectRead("18446744073709551615!", Decimal(string: "18446744073709551615"))
    #expect(outcome("`1.5`", Decimal.self) == "typeMismatch")
    #expect(outcome("inf&", Decimal.self) == "typeMismatch")
    #expect(outcome("x?", Decimal.self) == "typeMismatch")
    #expect(outcome("1e500#", Decimal.self) == "typeMismatch")
  }

  @Test func `a date, from an instant, a text or a number`() {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    expectRead("2023-11-14T22:13:20Z+", date)
    expectRead("`2023-11-14T23:13:20+01:00`", date)
    expectRead("2023-11-14 22:13:20 +0000?", date)
    expectRead("721692800!", date)
    expectRead("721692800.0&", date)
    #expect(outcome("`soon`", Date.self) == "typeMismatch")
    #expect(outcome("true%", Date.self) == "typeMismatch")
  }

  @Test func `data, from data or a text in Base64`() {
    expectRead("3q2+7w==*", Data([0xDE, 0xAD, 0xBE, 0xEF]))
    expectRead("`3q2+7w==`", Data([0xDE, 0xAD, 0xBE, 0xEF]))
    #expect(outcome("`?`", Data.self) == "dataCorrupted")
    #expect(outcome("7!", Data.self) == "typeMismatch")
  }

  @Test func `a URL or a UUID, from a text`() {
    expectRead("`https://example.org`", URL(string: "https://example.org"))
    expectRead("https://example.org?", URL(string: "https://example.org"))
    #expect(outcome("7!", URL.self) == "typeMismatch")
    #expect(outcome("`x`", UUID.self) == "dataCorrupted")
  }
}

import Foundation
import Primitives
import Testing

@testable import SQLiteCore

@Suite struct `Decimals` {
  @Test(arguments: [
    ("0", "0"), ("1.10", "1.1"), ("-12.5", "-12.5"), ("0.1", "0.1"), ("100", "100"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("-0.00000000000000000000000000000000000001", "-0.00000000000000000000000000000000000001"),
    ("1234567890123456789.0123456789012345678", "1234567890123456789.0123456789012345678"),
  ])
  func `are stored as text, and read back with all digits`(
    _ number: String, _ stored: String
  ) throws {
    let directory = try TemporaryDirectory()
    let value = try #require(Decimal(string: number))
    do {
      let db = try directory.connect()
      try db.execute("CREATE TABLE t (v TEXT)")
      try db.run("INSERT INTO t VALUES (?)", value)
    }
    let db = try directory.connect()
    #expect(try db.value(String.self, "SELECT v FROM t") == stored)
    #expect(try db.value(Decimal.self, "SELECT v FROM t") == value)
    #expect(try db.value(Decimal?.self, "SELECT v FROM t WHERE 0") == nil)
    #expect(try db.value(Decimal?.self, "SELECT NULL") == .some(nil))
  }

  @Test func `of random digits are read back unchanged`() throws {
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    let statement = try memory().prepare("SELECT ?")
    for _ in 0..<2_000 {
      let digits = WideUInt(
        high: .random(in: 0...UInt64.max, using: &random),
        low: .random(in: 0...UInt64.max, using: &random))
      let exponent = Int.random(in: -128...88, using: &random)
      let shift = Int.random(in: 0..<128, using: &random)
      var number = DecimalDigits(digits: digits >> shift, exponent: exponent)
      number.isNegative = Bool.random(using: &random)
      let value = try #require(Decimal(number), "seed \(seed), \(number)")
      try statement.bind(value, at: 1)
      #expect(try statement.step())
      #expect(try statement.row.read(Decimal.self, at: 0) == value, "seed \(seed), \(number)")
      // Foundation does not round when it creates a number from the digits.
      let text = try statement.row.text(at: 0)
      let read = try DecimalDigits(text)
      #expect(read == number.normalized, "seed \(seed), \(number), \(text)")
    }
  }

  @Test(arguments: [
    ("1e3", "1000"), ("-1.5E-2", "-0.015"), ("+7", "7"), ("007.50", "7.5"), ("-0.0", "0"),
    ("1000000000000000000000000000000000000000000", "1000000000000000000000000000000000000000000"),
    ("0e999999999999999999999", "0"), ("0.000000000000000000000000000000000000000000000000", "0"),
  ])
  func `are read from any text that a Decimal represents exactly`(
    _ text: String, _ number: String
  ) throws {
    let db = try memory()
    #expect(try db.value(Decimal.self, "SELECT ?", text) == Decimal(string: number))
  }

  @Test func `are read from integers exactly`() throws {
    let db = try memory()
    #expect(try db.value(Decimal.self, "SELECT ?", Int64.min) == Decimal(Int64.min))
    #expect(try db.value(Decimal.self, "SELECT ?", Int64.max) == Decimal(Int64.max))
  }

  @Test(arguments: [
    "", " 1", "1 ", "1,5", "1.", ".5", "-", "+-1", "1e", "1e+", "1.5.2", "0x10", "NaN", "inf", "１",
    "1_000", "1\0", "1e1.5",
  ])
  func `are not read from a text that is not a number`(_ text: String) throws {
    let db = try memory("CREATE TABLE bill (total TEXT)")
    try db.run("INSERT INTO bill VALUES (?)", text)
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Decimal.self, "SELECT total FROM bill")
    }
    #expect(error?.code == .invalidText)
    #expect(error?.column == .init(name: "total", table: "bill", origin: "total"))
  }

  @Test(arguments: [
    "1234567890123456789012345678901234567891", "0.1234567890123456789012345678901234567891",
    "1e166", "1e-129", "1e999999999999", "-1.5e-128",
  ])
  func `that exceed a Decimal throw an error and are not rounded`(_ text: String) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try db.value(Decimal.self, "SELECT ?", text) }
    #expect(error?.code == .valueOutOfRange)
  }

  @Test(arguments: [
    ("1.5", SQLiteError.Code.columnTypeMismatch), ("x'31'", .columnTypeMismatch),
    ("NULL", .unexpectedNull),
  ])
  func `are not read from real numbers, blobs and NULL`(
    _ literal: String, _ code: SQLiteError.Code
  ) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Decimal.self, "SELECT \(unsafe: literal) AS x")
    }
    #expect(error?.code == code)
    #expect(error?.column?.name == "x")
  }

  @Test func `that are NaN are rejected`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.value(SQLiteValue.self, "SELECT ?", Decimal.nan)
    }
    #expect(error?.code == .valueOutOfRange)
  }

  @Test(arguments: ["NUMERIC", "DECIMAL(10, 2)", "REAL"])
  func `that a column has converted to REAL can't be read`(
    _ type: String
  ) throws {
    let db = try memory("CREATE TABLE t (v \(unsafe: type))")
    let value = try #require(Decimal(string: "12345678901234567890.12345"))
    try db.run("INSERT INTO t VALUES (?)", value)
    #expect(try db.value(String.self, "SELECT typeof(v) FROM t") == "real")
    let error = #expect(throws: SQLiteError.self) { try db.value(Decimal.self, "SELECT v FROM t") }
    #expect(error?.code == .columnTypeMismatch)
  }

  @Test func `that a column has converted to INTEGER are exact`() throws {
    let db = try memory("CREATE TABLE t (v NUMERIC)")
    try db.run("INSERT INTO t VALUES (?)", Decimal(Int64.max))
    #expect(try db.value(String.self, "SELECT typeof(v) FROM t") == "integer")
    #expect(try db.value(Decimal.self, "SELECT v FROM t") == Decimal(Int64.max))
  }
}

extension DecimalDigits {
  /// The number with the digits and the exponent of parsed text: without trailing zeros, unless the
  /// exponent is at its maximum.
  fileprivate var normalized: DecimalDigits {
    var result = self
    guard !digits.isZero else { return DecimalDigits(digits: digits, exponent: 0) }
    while case (let quotient, 0) = result.digits.quotientAndRemainder(dividingBy: 10),
      result.exponent < Self.exponents.upperBound
    {
      result.digits = quotient
      result.exponent += 1
    }
    return result
  }
}

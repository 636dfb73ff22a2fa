import Foundation
import SPON
import Testing

@Suite struct `Dates and instants` {
  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
    (-978_307_199.9, "1970-01-01T00:00:00.1Z"), (721_692_800.25, "2023-11-14T22:13:20.25Z"),
    (721_692_800.123, "2023-11-14T22:13:20.123Z"),
    (721_692_800.123456, "2023-11-14T22:13:20.123456Z"),
    (-0.5, "2000-12-31T23:59:59.5Z"), (-1e-9, "2000-12-31T23:59:59.999999999Z"),
    (0.1, "2001-01-01T00:00:00.1Z"), (1e-18, "2001-01-01T00:00:00.000000000000000001Z"),
    (-63_145_526_400, "0000-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    (-0.0, "2001-01-01T00:00:00Z"),
  ])
  func `a date is an instant with as few digits as possible`(_ seconds: Double, _ text: String) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let instant = SPONInstant(date)
    #expect(instant?.description == text)
    #expect(instant.map { Date($0) } == date)
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e12, 252_423_993_600, -63_145_526_400.5,
    252_423_993_599.9999999, 1e-19, -1e-30, .leastNonzeroMagnitude, .leastNormalMagnitude,
  ])
  func `a date outside the supported years or precision is not an instant`(_ seconds: Double) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(SPONInstant(date) == nil)
    #expect(SPONValue(date) == nil)
  }

  @Test func `every date in this century survives a round trip`() {
    var random = SeededGenerator(seed: 0x51_0E)
    for _ in 0..<3_000 {
      let seconds = Double.random(in: -3e9...3e9, using: &random)
      for date in [
        Date(timeIntervalSinceReferenceDate: seconds),
        Date(timeIntervalSinceReferenceDate: seconds.rounded()),
        Date(timeIntervalSinceReferenceDate: (seconds * 1000).rounded() / 1000),
        Date(timeIntervalSinceReferenceDate: seconds * 15),
        Date(timeIntervalSinceReferenceDate: seconds / 1e6),
      ] {
        let instant = SPONInstant(date)
        #expect(instant.map { Date($0) } == date, "seed 0x510E, \(seconds)")
      }
    }
  }

  @Test func `a date with milliseconds needs only three digits`() throws {
    var random = SeededGenerator(seed: 0x51_0F)
    for _ in 0..<1_000 {
      let milliseconds = Int64.random(in: 0..<2_000_000_000_000, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
      let instant = try #require(SPONInstant(date))
      #expect(instant.attoseconds % 1_000_000_000_000 == 0, "seed 0x510F, \(milliseconds)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [
    "2023-11-14T22:13:20.123456789012345678Z", "1999-12-31T23:59:59.999999999999999999Z",
    "2000-12-31T23:59:59.999999999999999999Z", "2001-01-01T00:00:00.000000000000000003Z",
    "0000-01-01T00:00:00.000000000000000001Z", "9999-12-31T23:59:59.999999999999999999Z",
    "2001-01-01T00:00:01.000000000000000111Z", "2001-01-01T00:00:01.000000000000000112Z",
    "2001-01-01T00:00:01.000000000000000333Z", "2001-01-01T00:00:01.000000000000000334Z",
  ])
  func `an instant is the nearest date`(_ text: String) throws {
    let instant = try #require(SPONInstant(text))
    // The standard library reads decimal text and rounds it once.
    let seconds = instant.secondsSince1970 - 978_307_200
    var total = Int128(seconds) * 1_000_000_000_000_000_000 + Int128(instant.attoseconds)
    let isNegative = total < 0
    total = Int128(total.magnitude)
    let nearest = try #require(Double("\(isNegative ? "-" : "")\(total)e-18"))
    #expect(Date(instant).timeIntervalSinceReferenceDate == nearest)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `random instants are the nearest dates`() throws {
    var random = SeededGenerator(seed: 0x51_10)
    for _ in 0..<2_000 {
      let wide = Int64.random(in: -62_167_219_200..<253_402_300_800, using: &random)
      let near = 978_307_200 + Int64.random(in: -3...3, using: &random)
      let attoseconds = Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random)
      for seconds in [wide, near] {
        let instant = try #require(
          SPONInstant(secondsSince1970: seconds, attoseconds: attoseconds))
        let total =
          Int128(seconds - 978_307_200) * 1_000_000_000_000_000_000 + Int128(attoseconds)
        let nearest = try #require(Double("\(total)e-18"))
        #expect(
          Date(instant).timeIntervalSinceReferenceDate == nearest, "seed 0x5110, \(instant)")
      }
    }
  }
}

@Suite struct `Foundation's decimal numbers` {
  @Test(arguments: [
    "0", "1", "-1", "19.9", "-0.001", "100", "18446744073709551616", "1e127", "1e-128",
    "340282366920938463463374607431768211455", "-340282366920938463463374607431768211455e127",
    "340282366920938463463374607431768211455e-128", "99999999999999999999999999999999999999",
    "0.34028236692093846346337460743176821145", "123456789012345678901234567890.12345678",
    "nan", "18446744073709551616e-64", "-18446744073709551615e127",
  ])
  func `survive a round trip`(_ text: String) throws {
    let number = try #require(SPONDecimal(text))
    let decimal = try #require(Decimal(number))
    #expect(SPONDecimal(decimal) == number)
    #expect(decimal.isNaN == number.isNaN)
  }

  @Test(arguments: [
    "340282366920938463463374607431768211457", "1e166", "1e-129", "-1e400", "1e-400",
    "1234567890123456789012345678901234567890123", "0.1234567890123456789012345678901234567891",
    "1e128", "123e160", "1e99999999", "1e-99999999", "34028236692093846346337460743176821146e128",
  ])
  func `are rejected if a number would be rounded`(_ text: String) throws {
    #expect(Decimal(try #require(SPONDecimal(text))) == nil)
  }

  @Test func `are exact, including random ones`() throws {
    var random = SeededGenerator(seed: 0xDEC)
    for _ in 0..<1_000 {
      let count = Int.random(in: 1...38, using: &random)
      let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      let exponent = Int.random(in: -128...127, using: &random)
      let number = try #require(SPONDecimal("-\(digits)e\(exponent)"))
      let decimal = Decimal(number)
      #expect(decimal != nil, "seed 0xDEC, \(number)")
      #expect(decimal.map { SPONDecimal($0) } == number, "seed 0xDEC, \(number)")
    }
  }

  @Test func `are equal to Foundation's`() throws {
    let price = try #require(SPONDecimal("19.90").flatMap { Decimal($0) })
    #expect(price * 2 == Decimal(string: "39.8"))
    #expect(SPONDecimal(price * 3).description == "59.7")
    #expect(SPONDecimal(Decimal.greatestFiniteMagnitude).exponent == 127)
    #expect(
      Decimal(SPONDecimal(Decimal.greatestFiniteMagnitude)) == Decimal.greatestFiniteMagnitude)
    #expect(Decimal(SPONDecimal(Decimal.leastNonzeroMagnitude)) == Decimal.leastNonzeroMagnitude)
    #expect(Decimal(SPONDecimal.notANumber)?.isNaN == true)
  }
}

@Suite struct `Foundation's types as values` {
  @Test func `are written as SPON types`() throws {
    let uuid = try #require(UUID(uuidString: "0b6c6ef2-4b3a-4f5c-9d1e-2a3b4c5d6e7f"))
    let url = try #require(URL(string: "https://example.org/?q=1&r=2"))
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    #expect(SPONValue(uuid) == .string("0B6C6EF2-4B3A-4F5C-9D1E-2A3B4C5D6E7F"))
    #expect(SPONValue(url) == .string("https://example.org/?q=1&r=2"))
    #expect(SPONValue(Data([1, 2])) == .bytes([1, 2]))
    #expect(try SPONValue(date)?.text() == "2023-11-14T22:13:20.5Z+")
    #expect(try SPONValue(try #require(Decimal(string: "19.90"))).text() == "19.9#")
  }

  @Test func `are read back from values`() throws {
    let uuid = try #require(UUID(uuidString: "0b6c6ef2-4b3a-4f5c-9d1e-2a3b4c5d6e7f"))
    let url = try #require(URL(string: "https://example.org/?q=1&r=2"))
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    #expect(SPONValue(uuid).uuid == uuid)
    #expect(SPONValue(url).url == url)
    #expect(SPONValue(Data([1, 2])).data == Data([1, 2]))
    #expect(SPONValue(date)?.date == date)
    #expect(SPONValue.opaque("2023-11-14 22:13:20 +0000").date?.timeIntervalSince1970 == 1.7e9)
    #expect(Decimal(SPONValue.integer(5)) == 5)
    #expect(Decimal(SPONValue.double(0.1)) == Decimal(string: "0.1"))
  }

  @Test func `are nil for values of other types`() {
    for value in [SPONValue.null, .bool(true), .array([]), .object(SPONObject())] {
      #expect(value.uuid == nil)
      #expect(value.url == nil)
      #expect(value.data == nil)
      #expect(value.date == nil)
      #expect(Decimal(value) == nil)
    }
    #expect(SPONValue.string("").url == nil)
    #expect(SPONValue.string("not one").uuid == nil)
    #expect(Decimal(SPONValue.double(.infinity)) == nil)
  }
}

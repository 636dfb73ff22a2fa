import Foundation
import SPON
import Testing

/// Compares the reading and writing of numbers with the standard library.
@Suite struct `Numbers of types` {
  /// Doubles of all kinds, including many for which there is a fast path.
  private func doubles(_ random: inout SeededGenerator, _ count: Int) -> [Double] {
    (0..<count).map { index in
      let whole = Double(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
      switch index % 10 {
      case 0, 1: return Double(bitPattern: random.next())
      case 2: return whole / 1_000
      case 3: return whole / 100
      case 4: return whole / 10
      case 5: return whole
      case 6: return (whole + 0.5) / 1_000
      case 7: return (whole / 1_000).nextUp
      case 8: return (whole / 1_000).nextDown
      default: return Double(random.below(2_000_000)) / 1_000 - 1_000
      }
    }
  }

  private static let edges: [Double] = [
    0, -0.0, 0.001, 0.0009, 0.0001, 0.00001, 0.009, 0.01, 0.1, 0.5, 1, 9.999, 999.999, 1e11, 1e12,
    999_999_999_999.999, 1e12 - 0.001, 1e12 + 0.5, 1e15, 1e16, 9_007_199_254_740_992, 1e17, 1e22,
    1e23, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, 0.3, 0.1 + 0.2,
    4.35, 2.675, 1.005, 1.0005, 0.0005, 0.0015, 123_456_789_012.345, .pi, .ulpOfOne,
  ]

  @Test func `are written like the standard library does, and read as the same bits`() throws {
    let seed: UInt64 = 1_121
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let values =
      Self.edges + Self.edges.map { -$0 }
      + doubles(&random, Effort.count(5_000, all: 200_000)).filter(\.isFinite)
    let text = try SPONEncoder().encode(values)
    let written = text.dropFirst("@array[".count).dropLast().split(separator: "&")
    try #require(written.count == values.count)
    for (value, text) in zip(values, written) {
      let text = text.hasPrefix(", ") ? text.dropFirst(2) : text
      if text != value.description { Issue.record("\(text), not \(value)") }
    }
    let back = try SPONDecoder().decode([Double].self, from: text)
    #expect(back.map(\.bitPattern) == values.map(\.bitPattern))
    let pairs = try SPONEncoder().encode(values.prefix(500).map { ["k": $0] })
    #expect(
      try SPONDecoder().decode([[String: Double]].self, from: pairs).map { $0["k"]?.bitPattern }
        == values.prefix(500).map(\.bitPattern))
  }

  @Test func `of Float are read as the same bits`() throws {
    let seed: UInt64 = 1_122
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var values: [Float] = [
      0, -0.0, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude, 3.4e38,
    ]
    for _ in 0..<Effort.count(2_000, all: 100_000) {
      let bits = UInt32(truncatingIfNeeded: random.next())
      values.append(
        random.once(in: 3) ? Float(Int32(bitPattern: bits) >> 8) / 1_000 : Float(bitPattern: bits))
    }
    values.removeAll { !$0.isFinite }
    let text = try SPONEncoder().encode(values)
    #expect(text == "@array[\(values.map { "\($0)^" }.joined(separator: ", "))]")
    #expect(
      try SPONDecoder().decode([Float].self, from: text).map(\.bitPattern)
        == values.map(\.bitPattern))
  }

  /// A decimal text of any length, with the point and the exponent at any position.
  private func decimalText(_ random: inout SeededGenerator) -> String {
    let digits = (0..<1 + random.below(25)).map { _ in "\(random.below(10))" }
    let point = random.below(digits.count + 3)
    var text = random.once(in: 4) ? "-" : ""
    if point == 0 {
      text += "0." + digits.joined()
    } else if point < digits.count {
      text += digits[..<point].joined() + "." + digits[point...].joined()
    } else {
      text += digits.joined()
    }
    if random.once(in: 3) {
      text +=
        random.one(of: ["e", "E"]) + random.one(of: ["", "-"])
        + "\(random.below(random.one(of: [5, 30, 320])))"
    }
    return text
  }

  @Test func `are read like the standard library does`() throws {
    let seed: UInt64 = 1_123
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var texts = [
      "0", "-0", "0.0", "00.5", "9007199254740993", "9007199254740992", "18446744073709551615",
      "18446744073709551616", "1e22", "1e23", "1e-22", "123456789012345678e-5", "0.1e1",
      "2.2250738585072011e-308", "5e-324", "2e-324", "1.7976931348623157e308",
      "8.5", "4503599627370496.5", "4503599627370497.5", "9007199254740992.9999999999",
      "1.00000000000000011102230246251565", "1.00000000000000011102230246251566",
    ]
    for _ in 0..<Effort.count(5_000, all: 200_000) { texts.append(decimalText(&random)) }
    texts.removeAll { Double($0)?.isFinite != true }
    let doubles = try SPONDecoder().decode(
      [Double].self, from: "@array[\(texts.map { $0 + "&" }.joined(separator: ","))]")
    for (text, value) in zip(texts, doubles) where Double(text)?.bitPattern != value.bitPattern {
      Issue.record("\(text) as \(value)")
    }
    texts.removeAll { Float($0)?.isFinite != true }
    let floats = try SPONDecoder().decode(
      [Float].self, from: "@array[\(texts.map { $0 + "^" }.joined(separator: ","))]")
    for (text, value) in zip(texts, floats) where Float(text)?.bitPattern != value.bitPattern {
      Issue.record("\(text) as Float \(value)")
    }
  }

  @Test func `that are not finite are preserved`() throws {
    expectCoding(Double.infinity, "inf&")
    expectCoding(-Double.infinity, "-inf&")
    expectCoding(["a": Float.infinity], "@obj:Dictionary<a^=`inf`>")
    expectCoding(["a": -Double.infinity], "@obj:Dictionary<a&=`-inf`>")
    #expect(try SPONEncoder().encode(Double.nan) == "nan&")
    #expect(try SPONEncoder().encode(["a": -Double.nan]) == "@obj:Dictionary<a&=`nan`>")
    for text in ["nan&", "-nan&", "nan^", "-nan^", "nan?", "nan#"] {
      #expect(try SPONDecoder().decode(Double.self, from: text).isNaN, "\(text)")
      #expect(try SPONDecoder().decode(Float.self, from: text).isNaN, "\(text)")
    }
    expectRead("inf^", Double.infinity)
    expectRead("-inf&", -Float.infinity)
  }

  private func expectIntegers<Integer: FixedWidthInteger & Codable>(
    _ type: Integer.Type, _ random: inout SeededGenerator
  ) throws {
    var values: [Integer] = [.min, .max, .min + 1, .max - 1, 0, 1, 9, 10, 99, 100]
    for _ in 0..<200 {
      let value = Integer(truncatingIfNeeded: random.next())
      values.append(value >> Integer(truncatingIfNeeded: random.below(Integer.bitWidth)))
    }
    for value in values { #expect(try roundTrip(value) == value) }
    let maps = values.map { ["k": $0] }
    #expect(try roundTrip(maps) == maps)
    #expect(try roundTrip(values) == values)
    let text = try SPONValue(parsing: SPONEncoder().encode(values)).array?.map {
      switch $0 {
      case .integer(let value): value.description
      case .unsigned(let value): value.description
      case .decimal(let value): value.description
      default: "not an integer"
      }
    }
    #expect(text == values.map(\.description))
  }

  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try SPONDecoder().decode(Value.self, from: SPONEncoder().encode(value))
  }

  @Test func `of every integer type survive a round trip, including both limits`() throws {
    let seed: UInt64 = 1_124
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try expectIntegers(Int.self, &random)
    try expectIntegers(Int8.self, &random)
    try expectIntegers(Int16.self, &random)
    try expectIntegers(Int32.self, &random)
    try expectIntegers(Int64.self, &random)
    try expectIntegers(UInt.self, &random)
    try expectIntegers(UInt8.self, &random)
    try expectIntegers(UInt16.self, &random)
    try expectIntegers(UInt32.self, &random)
    try expectIntegers(UInt64.self, &random)
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      try expectIntegers(Int128.self, &random)
      try expectIntegers(UInt128.self, &random)
    }
  }
}

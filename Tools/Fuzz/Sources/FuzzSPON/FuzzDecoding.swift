import Foundation
import Fuzzing
import SPON

/// Decodes a text into types, and tests that the decoded values round-trip.
func fuzzDecoding(_ bytes: [UInt8]) {
  guard (try? SPONValue(parsing: bytes)) != nil else { return }
  expectRoundTrip(Record.self, bytes)
  expectRoundTrip([Record].self, bytes)
  expectRoundTrip(Scalars.self, bytes)
  expectRoundTrip(Shape.self, bytes)
  expectRoundTrip([String: Shape].self, bytes)
  expectRoundTrip([Int: String?].self, bytes)
  expectRoundTrip([String: [String: Decimal]].self, bytes)
  expectRoundTrip([Date?].self, bytes)
  expectRoundTrip([Data].self, bytes)
  expectRoundTrip([SPONValue].self, bytes)
  expectRoundTrip([String: SPONValue].self, bytes)
  expectRoundTrip([[Double]].self, bytes)
  expectRoundTrip(Set<Int>.self, bytes)
}

private func expectRoundTrip<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) {
  guard let value = try? SPONDecoder().decode(type, from: bytes) else { return }
  do {
    for formatting in [SPONValue.Formatting.canonical, .prettyPrinted] {
      var encoder = SPONEncoder()
      encoder.outputFormatting = formatting
      let text = try encoder.bytes(of: value)
      let back = try SPONDecoder().decode(type, from: text)
      // NaN does not equal itself.
      expect(
        try back == value || formatting == .canonical && encoder.bytes(of: back) == text
          || String(decoding: text, as: UTF8.self).contains("nan"),
        "\(type) is decoded as another value: \(value), \(back)")
    }
    var plain = SPONEncoder()
    plain.version = .two
    let back = try SPONDecoder().decode(type, from: plain.bytes(of: value))
    expect(
      try back == value || plain.value(of: back) == plain.value(of: value),
      "\(type) is decoded as another value: \(value), \(back)")
  } catch {
    fail("a decoded \(type) does not round-trip: \(value), \(error)")
  }
}

private struct Record: Codable, Equatable {
  var id: Int
  var name: String?
  var shape: Shape?
  var when: Date?
  var price: Decimal?
  var blob: Data?
  var link: URL?
  var tags: [String]?
  var extra: [SPONValue]?
  var more: [String: Int]?
  var nested: [Record]?
}

private struct Scalars: Codable, Equatable {
  var a: Int8?, b: UInt8?, c: Int16?, d: UInt16?, e: Int32?, f: UInt32?, g: Int64?, h: UInt64?
  var i: Float?, j: Double?, k: Bool?, l: String?, m: Int?, n: UInt?
}

private indirect enum Shape: Codable, Equatable {
  case point
  case circle(radius: Double)
  case box(Double, Double, label: String?)
  case group([Shape])
  case either(Shape, Shape?)
}

import Foundation
import SPON
import Testing

@Suite struct `Dates according to RFC 3339` {
  private func coders() -> (SPONEncoder, SPONDecoder) {
    var (encoder, decoder) = (SPONEncoder(), SPONDecoder())
    encoder.dateEncodingStrategy = .iso8601
    decoder.dateDecodingStrategy = .iso8601
    return (encoder, decoder)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
    (1_700_000_000, "2023-11-14T22:13:20Z"),
    // Before October 1582, other calendars have other dates.
    (-14_831_769_600, "1500-01-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"),
  ])
  func `are read as the same dates`(_ seconds: Double, _ text: String) throws {
    let (encoder, decoder) = coders()
    let date = Date(timeIntervalSince1970: seconds)
    #expect(try encoder.encode([date]) == "@array[`\(text)`]")
    #expect(try decoder.decode([Date].self, from: encoder.encode([date])) == [date])
    #expect(try encoder.encode([date + 0.5]) == "@array[`\(text)`]")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 253_402_300_800, -62_167_219_201])
  func `are rejected outside its range of years`(_ seconds: Double) {
    let error = #expect(throws: SPONError.self) {
      try coders().0.encode([Date(timeIntervalSince1970: seconds)])
    }
    #expect(error?.code == .notRepresentable)
    #expect(error?.codingPath == [.index(0)])
  }

  private struct Point: Codable { var x = 1 }

  @Test func `an optional object has the name of its type`() throws {
    #expect(try SPONEncoder().encode([Point?.some(Point())]) == "@array[@obj:Point<x!=`1`>]")
  }
}

import Foundation
import SPON
import Testing

@Suite struct `Strategies for dates and data` {
  private func coders(
    _ write: SPONEncoder.DateEncodingStrategy, _ read: SPONDecoder.DateDecodingStrategy,
    version: SPONValue.Version = .automatic
  ) -> (SPONEncoder, SPONDecoder) {
    var encoder = SPONEncoder()
    encoder.dateEncodingStrategy = write
    encoder.version = version
    var decoder = SPONDecoder()
    decoder.dateDecodingStrategy = read
    return (encoder, decoder)
  }

  private let date = Date(timeIntervalSince1970: 1_700_000_000)

  @Test func `have the specified forms`() {
    func expect(
      _ text: String, _ coders: (SPONEncoder, SPONDecoder),
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      expectCoding(
        ["d": date], text, encoder: coders.0, decoder: coders.1, sourceLocation: sourceLocation)
    }
    expect("@obj:Dictionary<@spon!=`2` d+=`2023-11-14T22:13:20Z`>", coders(.instant, .instant))
    expect(
      "@obj:Dictionary<d?=`2023-11-14 22:13:20 +0000`>", coders(.instant, .instant, version: .one))
    expect("@obj:Dictionary<d&=`721692800.0`>", coders(.deferredToDate, .deferredToDate))
    expect("@obj:Dictionary<d&=`1700000000.0`>", coders(.secondsSince1970, .secondsSince1970))
    expect(
      "@obj:Dictionary<d&=`1700000000000.0`>",
      coders(.millisecondsSince1970, .millisecondsSince1970))
    expect("@obj:Dictionary<d$=`2023-11-14T22:13:20Z`>", coders(.iso8601, .iso8601))
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy/MM/dd HH:mm:ss"
    expect(
      "@obj:Dictionary<d$=`2023/11/14 22:13:20`>",
      coders(.formatted(formatter), .formatted(formatter)))
    expect(
      "@obj:Dictionary<d=@array[1700000000.0&]>",
      coders(
        .custom { date, encoder in
          var container = encoder.unkeyedContainer()
          try container.encode(date.timeIntervalSince1970)
        },
        .custom { decoder in
          var container = try decoder.unkeyedContainer()
          return Date(timeIntervalSince1970: try container.decode(Double.self))
        }))
  }

  @Test func `keep every bit of a date as an instant`() throws {
    let seed: UInt64 = 1_127
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var dates: [Date] = [
      Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.0),
      .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 1e-12),
      Date(timeIntervalSinceReferenceDate: -1e300), Date(timeIntervalSinceReferenceDate: .infinity),
      Date(timeIntervalSince1970: 0.1),
      Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude),
    ]
    for _ in 0..<Effort.count(1_000, all: 50_000) {
      let seconds = Double(Int64(bitPattern: random.next()) >> Int64(26 + random.below(38)))
      let parts: Double = random.one(of: [1, 1_000, 1_000_000, 1_024, 3])
      dates.append(
        Date(timeIntervalSinceReferenceDate: seconds + Double(random.below(1_000_000)) / parts / 7))
    }
    let back = try SPONDecoder().decode([Date].self, from: SPONEncoder().encode(dates))
    #expect(
      back.map { $0.timeIntervalSinceReferenceDate + 0 }
        == dates.map { $0.timeIntervalSinceReferenceDate + 0 })
  }

  @Test func `reject values that version 1 does not support`() throws {
    var encoder = SPONEncoder()
    encoder.version = .one
    expectNotWritten([date + 0.5], .notRepresentable, encoder: encoder)
    expectNotWritten([UInt64.max], .notRepresentable, encoder: encoder)
    expectNotWritten(["a b": 1], .notRepresentable, encoder: encoder)
    expectNotWritten(5, .notRepresentable, encoder: encoder)
    expectNotWritten("&u41;", .notRepresentable, encoder: encoder)
    expectCoding([Int?.none], "@array[<null>?]", encoder: encoder)
    expectCoding([Decimal(string: "1.5")], "@array[1.5?]", encoder: encoder)
    encoder.dateEncodingStrategy = .deferredToDate
    expectCoding([date + 0.5], "@array[721692800.5&]", encoder: encoder)
    encoder.version = .two
    expectCoding([1], "@array:2[1!]", encoder: encoder)
    expectCoding(["a": 1], "@obj:Dictionary<@spon!=`2` a!=`1`>", encoder: encoder)
    expectCoding([String: Int](), "@obj:Dictionary<@spon!=`2`>", encoder: encoder)
  }

  @Test func `for data have the specified forms`() {
    let data = Data([1, 2, 255])
    var encoder = SPONEncoder()
    var decoder = SPONDecoder()
    expectCoding([data], "@array[AQL/*]", encoder: encoder, decoder: decoder)
    encoder.dataEncodingStrategy = .deferredToData
    decoder.dataDecodingStrategy = .deferredToData
    expectCoding([data], "@array[@array[1!, 2!, 255!]]", encoder: encoder, decoder: decoder)
    encoder.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(data.count)
    }
    decoder.dataDecodingStrategy = .custom { decoder in
      Data(repeating: 0, count: try decoder.singleValueContainer().decode(Int.self))
    }
    expectCoding([Data(count: 3)], "@array[3!]", encoder: encoder, decoder: decoder)
  }

  @Test func `whose closures encode nothing leave an empty object`() throws {
    var encoder = SPONEncoder()
    encoder.dateEncodingStrategy = .custom { _, _ in }
    encoder.dataEncodingStrategy = .custom { _, _ in }
    #expect(try encoder.encode([date]) == "@array[@obj<>]")
    #expect(try encoder.encode(["a": Data()]) == "@obj:Dictionary<a=@obj<>>")
    #expect(try encoder.encode(date) == "@obj<>")
  }

  struct Refused: Error, Equatable {}

  @Test func `whose closures throw add the path, or rethrow the error`() throws {
    var encoder = SPONEncoder()
    encoder.dateEncodingStrategy = .custom { _, _ in throw Refused() }
    #expect(throws: Refused()) { try encoder.encode([date]) }
    encoder.dateEncodingStrategy = .custom { date, encoder in
      throw EncodingError.invalidValue(
        date, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no"))
    }
    expectNotWritten(date, .notRepresentable, [], encoder: encoder)
    expectNotWritten([[date]], .notRepresentable, [.index(0), .index(0)], encoder: encoder)
    var decoder = SPONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no"))
    }
    expectMismatch(
      "@array[@array[①5!]]", as: [[Date]].self, .dataCorrupted, [.index(0), .index(0)],
      decoder: decoder)
    decoder.dateDecodingStrategy = .formatted(DateFormatter())
    expectMismatch(
      "@array[`①soon`]", as: [Date].self, .dataCorrupted, [.index(0)], decoder: decoder)
    decoder.dateDecodingStrategy = .secondsSince1970
    expectMismatch("@array[`①1`]", as: [Date].self, .typeMismatch, [.index(0)], decoder: decoder)
  }

  struct UserInfo: Codable {
    static let key = CodingUserInfoKey(rawValue: "holt")
    init() {}
    init(from decoder: any Decoder) throws {
      #expect(Self.key.flatMap { decoder.userInfo[$0] as? Int } == 7)
    }
    func encode(to encoder: any Encoder) throws {
      #expect(Self.key.flatMap { encoder.userInfo[$0] as? Int } == 7)
    }
  }

  @Test func `do not affect the user info`() throws {
    let key = try #require(UserInfo.key)
    var encoder = SPONEncoder()
    encoder.userInfo[key] = 7
    var decoder = SPONDecoder()
    decoder.userInfo[key] = 7
    let text = try encoder.encode(["a": [UserInfo()]])
    _ = try decoder.decode([String: [UserInfo]].self, from: text)
  }
}

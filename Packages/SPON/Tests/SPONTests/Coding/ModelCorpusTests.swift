import Foundation
import SPON
import Testing

/// The types of `spon_model_roundtrip.jsonl`, with the text that the original implementation wrote
/// for them.
@Suite struct `The corpus of models` {
  private struct Line: Decodable {
    let shape: String
    let peerText: String
    let peerResult: String
    enum CodingKeys: String, CodingKey {
      case shape, peerText = "peer_spon", peerResult = "peer_roundtrip"
    }
  }

  private struct Grid: Codable, Equatable { var rows = [[1, 2], [3]] }
  private struct Opt: Codable, Equatable { var a: Int?, b: String?, c = 1 }
  private struct OptArr: Codable, Equatable { var a: [Int?] = [1, nil, 3] }
  private struct Ints: Codable, Equatable { var a: Int8 = 1, b: Int64 = 2, c: UInt = 3 }
  private struct Dt: Codable, Equatable { var d = Date(timeIntervalSince1970: 1_700_000_000.75) }
  private enum EA: Codable, Equatable { case point(x: Int, y: Int) }
  private struct HasEA: Codable, Equatable { var e = EA.point(x: 1, y: 2) }
  private enum ES: String, Codable { case web }
  private enum EI: Int, Codable { case b = 8 }
  private struct En: Codable, Equatable { var s = ES.web, i = EI.b }
  private struct Addr: Codable, Equatable { var addr1 = "1", city = "H" }
  private struct DictS: Codable, Equatable {
    var m = ["home": Addr()], n = ["one": 1], k = [7: "seven"]
  }
  private struct Dec: Codable, Equatable { var d = Decimal(string: "1.5") }
  private struct Deep: Codable, Equatable { var t = [["a,b", "c"], ["d"]] }
  private struct Mixed: Codable, Equatable { var m = ["o": ["i": 1]] }

  /// Expects a round trip to preserve the value, and the original text to be decoded as the value
  /// if the original implementation could read it, or wrote it without damage.
  private func expect<Value: Codable & Equatable>(
    _ value: Value, _ line: Line, isDamaged: Bool = false, readAs other: Value? = nil
  ) throws {
    let text = try SPONEncoder().encode(value)
    #expect(try SPONDecoder().decode(Value.self, from: text) == value, "\(line.shape)")
    if isDamaged {
      #expect(throws: SPONError.self, "\(line.shape)") {
        try SPONDecoder().decode(Value.self, from: line.peerText)
      }
    } else {
      expectRead(line.peerText, other ?? value)
    }
    // A text that the original implementation could read is written identically, apart from the
    // order.
    if line.peerResult.hasPrefix("DEC "), other == nil {
      #expect(try SPONValue(parsing: line.peerText) == SPONValue(parsing: text), "\(line.shape)")
    }
  }

  @Test func `survives a round trip, and undamaged original text is read`() throws {
    let lines = try Corpus.lines("spon_model_roundtrip.jsonl", as: Line.self)
    for line in lines {
      switch line.shape {
      case "[[Int]]": try expect(Grid(), line, isDamaged: true)
      case "top-level Int": try expect(5, line, isDamaged: true)
      case "nil optionals": try expect(Opt(), line)
      case "set optionals": try expect(Opt(a: 5, b: "z"), line)
      case "[Int?] with nil": try expect(OptArr(), line)
      case "Int8/Int64/UInt": try expect(Ints(), line)
      case "Date with .75 s":
        // The original implementation lost the fraction.
        try expect(Dt(), line, readAs: Dt(d: Date(timeIntervalSince1970: 1_700_000_000)))
      case "enum with associated values": try expect(HasEA(), line)
      case "String and Int raw enums": try expect(En(), line)
      case "[String:struct], [String:Int], [Int:String]": try expect(DictS(), line)
      case "Decimal": try expect(Dec(), line)
      case "[[String]]": try expect(Deep(), line, isDamaged: true)
      case "[String:[String:Int]]": try expect(Mixed(), line)
      default: Issue.record("\(line.shape) has no type here")
      }
    }
  }
}

internal import Foundation

/// Records as JSON and CSV text, created on first use.
final class FormatFixture: Sendable {
  private let megabytes: Int
  private let lazyTexts = LazyValue<Texts>()

  init(megabytes: Int) { self.megabytes = megabytes }

  /// Flat records. One in ten has a string with escapes and non-ASCII characters.
  struct Texts: Sendable {
    let json: [UInt8]
    let jsonData: Data
    let csv: [UInt8]
    let jsonRecords: Int
    let csvRecords: Int

    init(bytes: Int) {
      var random = Random()
      var json = Array("[".utf8), csv = Array("id,name,town,price,amount,flag,note\n".utf8)
      json.reserveCapacity(bytes + 1_000)
      csv.reserveCapacity(bytes + 1_000)
      var (jsonRecords, csvRecords) = (0, 0)
      while json.count < bytes || csv.count < bytes {
        let id = max(jsonRecords, csvRecords)
        let name = "user \(random.below(100_000))", amount = random.below(100_000)
        let price = Double(random.below(1_000_000)) / 100
        let flag = random.below(2) == 0, isSpecial = random.below(10) == 0
        if json.count < bytes {
          let note = isSpecial ? #"Größe and \"more\""# : "a plain note of some words"
          json.append(
            contentsOf:
              #"\#(jsonRecords > 0 ? ",\n" : ""){"id": \#(id), "name": "\#(name)", "town": "London", "price": \#(price), "#
              .utf8)
          json.append(
            contentsOf: #""amount": \#(amount), "flag": \#(flag), "note": "\#(note)"}"#.utf8)
          jsonRecords += 1
        }
        if csv.count < bytes {
          let note = isSpecial ? #""Größe and ""more""""# : "a plain note of some words"
          csv.append(
            contentsOf: "\(id),\(name),London,\(price),\(amount),\(flag),\(note)\n".utf8)
          csvRecords += 1
        }
      }
      json.append(UInt8(ascii: "]"))
      self.json = json
      jsonData = Data(json)
      self.csv = csv
      self.jsonRecords = jsonRecords
      self.csvRecords = csvRecords
    }
  }

  private struct Random {
    private var state: UInt64 = 20_261_122

    mutating func below(_ bound: UInt64) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % bound)
    }
  }

  func texts() -> Texts { lazyTexts.value { Texts(bytes: megabytes * 1_000_000) } }

  /// Creates an implementation that reads a text and counts its values.
  func benchmarkImplementation(
    _ name: String, bytes: any KeyPath<Texts, [UInt8]> & Sendable,
    records: any KeyPath<Texts, Int> & Sendable,
    count: @escaping @Sendable (Texts) throws -> Int
  ) -> BenchmarkImplementation {
    BenchmarkImplementation(name) { [self] in
      let texts = texts()
      let watch = Stopwatch()
      let found = try count(texts)
      return Work(
        checksum: UInt64(found), time: watch.time,
        counts: [
          Work.records: Double(texts[keyPath: records]),
          Work.bytes: Double(texts[keyPath: bytes].count),
        ])
    }
  }
}

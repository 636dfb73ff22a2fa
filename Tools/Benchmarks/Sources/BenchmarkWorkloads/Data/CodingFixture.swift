internal import Foundation
internal import SPON
internal import Synchronization

/// The records that are coded, and their texts, which are made when one is first asked for.
final class CodingFixture: Sendable {
  let records: [Record]
  private let kept = Mutex<Texts?>(nil)

  init(count: Int) { records = Record.all(count: count) }

  /// The records as each contestant reads and writes them.
  final class Texts: @unchecked Sendable {
    // All is made once, by `init`, and only read after.
    let spon: [UInt8]
    let json: Data
    let jsonBytes: [UInt8]
    /// The text in SPON, in the pieces that a stream comes in.
    let chunks: [[UInt8]]
    let tree: SPONValue
    let foundationTree: Any

    init(_ records: [Record]) throws {
      let spon = try SPONEncoder().bytes(of: records)
      self.spon = spon
      json = try JSONEncoder().encode(records)
      jsonBytes = [UInt8](json)
      let size = 64 << 10
      chunks = stride(from: 0, to: spon.count, by: size).map { start in
        [UInt8](spon[start..<min(start + size, spon.count)])
      }
      tree = try SPONValue(parsing: spon)
      foundationTree = try JSONSerialization.jsonObject(with: json)
    }
  }

  func texts() throws -> Texts {
    try kept.withLock { kept in
      if let kept { return kept }
      let texts = try Texts(records)
      kept = texts
      return texts
    }
  }

  /// A contestant that codes all records. What it comes to is checked when the clock has stopped.
  ///
  /// - Parameters:
  ///   - bytes: How long the text is that is read or written.
  ///   - records: The records that it came to.
  func benchmarkImplementation<Result>(
    _ name: String, run: @escaping @Sendable (CodingFixture, Texts) throws -> Result,
    bytes: @escaping @Sendable (Texts, Result) -> Int,
    records: @escaping @Sendable (Result) throws -> [Record]
  ) -> BenchmarkImplementation {
    BenchmarkImplementation(
      name,
      run: { [self] in
        let texts = try texts()
        let watch = Stopwatch()
        let result = try run(self, texts)
        let time = watch.time
        return Work(
          checksum: try records(result).checksum, time: time,
          counts: [
            Work.records: Double(self.records.count), Work.bytes: Double(bytes(texts, result)),
          ])
      }, unchecked: { [self] in _ = try run(self, texts()) })
  }
}

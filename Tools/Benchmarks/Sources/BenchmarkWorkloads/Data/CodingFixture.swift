internal import Foundation
internal import SPON

/// The records to encode and decode, and their encoded forms. Created on first use.
final class CodingFixture: Sendable {
  let records: [Record]
  private let lazyTexts = LazyValue<Texts>()

  init(count: Int) { records = Record.all(count: count) }

  /// The records in the form of each implementation.
  final class Texts: @unchecked Sendable {
    // Sendable, since the properties are only read after `init`.
    let spon: [UInt8]
    let json: Data
    let jsonBytes: [UInt8]
    /// The SPON text, in the chunks of a stream.
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

  func texts() throws -> Texts { try lazyTexts.value { try Texts(records) } }

  /// Creates an implementation that encodes or decodes all records. The result is checked after the
  /// measurement.
  ///
  /// - Parameters:
  ///   - bytes: Returns the size of the read or written text.
  ///   - records: Returns the resulting records.
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

internal import CBaseline
internal import Foundation
internal import Providers
internal import SQLiteCore
internal import Synchronization

/// F2: opens a JSON file and queries sums by group.
enum JSONOpening {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let file = JSONFile(megabytes: fixture.scale.megabytes)
    return [
      Workload(
        "F2", "open \(fixture.scale.megabytes) MB of JSON, and GROUP BY",
        measures: [.perByte, .megabytesPerSecond, PeakMemory.measure],
        implementations: [
          BenchmarkImplementation("C") {
            try file.measuring { path in try baseline { baseline_query_json(path, &$0) }.checksum }
          },
          BenchmarkImplementation("Holt") {
            try file.measuring { path in
              let provider = JSONProvider()
              try provider.openSource(atPath: path, readOnly: true)
              let groups = try provider.query(
                #"SELECT town, count(*), sum(amount), sum("at.x") FROM items GROUP BY town"#)
              try provider.closeSource()
              return groups.reduce(0) { sum, group in
                group.values.reduce(sum) { sum, value in
                  if case .integer(let integer) = value { sum &+ UInt64(integer) } else { sum }
                }
              }
            }
          },
        ],
        comparisons: [
          Comparison(.perByte, "open JSON and query"), Comparison(PeakMemory.measure),
        ])
    ]
  }
}

/// A JSON file of records with a nested object each, created on first use.
final class JSONFile: Sendable {
  private let size: Int
  private let kept = Mutex<String?>(nil)

  init(megabytes: Int) { size = megabytes * 1_000_000 }

  deinit {
    guard let path = kept.withLock({ $0 }) else { return }
    try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
  }

  /// Measures the time and memory of reading the file.
  func measuring(_ read: (String) throws -> UInt64?) throws -> Work {
    let path = try path()
    return try PeakMemory.measuring(fileSize: size) {
      let watch = Stopwatch()
      let sum = try read(path)
      return Work(checksum: sum, time: watch.time, counts: [Work.bytes: Double(size)])
    }
  }

  private func path() throws -> String {
    try kept.withLock { kept in
      if let kept { return kept }
      let folder = FileManager.default.temporaryDirectory.appending(path: "holt-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "items.json")
      try Data(bytes()).write(to: file)
      kept = file.path
      return file.path
    }
  }

  private func bytes() -> [UInt8] {
    var bytes = Array("[".utf8)
    bytes.reserveCapacity(size + 1_000)
    var state: UInt64 = 20_261_122
    func below(_ bound: UInt64) -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state % bound
    }
    var id = 0
    while bytes.count < size {
      id += 1
      let note = below(10) == 0 ? #"Größe and \"more\""# : "a plain note of some words"
      let flag = below(2) == 0
      bytes += Array(
        #"\#(id > 1 ? ",\n" : ""){"id": \#(id), "name": "user \#(below(100_000))", "town": "town \#(below(50))", "#
          .utf8)
      bytes += Array(
        #""price": \#(Double(below(1_000_000)) / 100), "amount": \#(below(100_000)), "flag": \#(flag), "#
          .utf8)
      bytes += Array(
        #""at": {"x": \#(below(1_000)), "y": \#(Double(below(1_000)) / 8)}, "note": "\#(note)"}"#
          .utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}

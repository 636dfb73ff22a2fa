internal import CBaseline
internal import Foundation
internal import Synchronization

/// F3: reads an XML document. C steps through it with libxml2's reader without reading the content;
/// Holt reads every text and value, or opens the document as a table and groups its rows.
enum XMLReading {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let document = XMLDocument(size: fixture.scale.xmlBytes)
    return [
      Workload(
        "F3", "read \(fixture.scale.xmlBytes / 1_000_000) MB of XML",
        measures: [.perByte, .megabytesPerSecond],
        implementations: [
          BenchmarkImplementation("C") { try document.read(touches: false) },
          BenchmarkImplementation("C, every text") { try document.read(touches: true) },
          BenchmarkImplementation("Holt") { try HoltXML.read(document) },
          BenchmarkImplementation("Holt, opened and queried") { try HoltXML.open(document) },
        ],
        comparisons: [
          Comparison(.perByte, "read XML"),
          Comparison(.perByte, "open XML and query", holt: "Holt, opened and queried"),
          Comparison(.perByte, "read XML, C reads every text", c: "C, every text"),
        ])
    ]
  }
}

/// A table's rows as XML, created on first use.
final class XMLDocument: Sendable {
  private let size: Int
  private let kept = Mutex<[UInt8]?>(nil)
  private let file = Mutex<String?>(nil)

  init(size: Int) { self.size = size }

  deinit {
    guard let path = file.withLock({ $0 }) else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a file with the document.
  func path() throws -> String {
    let bytes = bytes()
    return try file.withLock { file in
      if let file { return file }
      let path = FileManager.default.temporaryDirectory.appending(path: "holt-\(UUID()).xml").path
      try Data(bytes).write(to: URL(filePath: path))
      file = path
      return path
    }
  }

  func bytes() -> [UInt8] {
    kept.withLock { kept in
      if let kept { return kept }
      var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<items version=\"1\">\n".utf8)
      bytes.reserveCapacity(size + 1_000)
      var number: UInt64 = 0
      while bytes.count < size {
        number += 1
        let mixed = number &* 0x9E37_79B9_7F4A_7C15
        bytes += Array(
          """
            <item id="\(number)" kind="k\(mixed >> 61)">
              <name>Item \(mixed >> 40) &amp; Söhne</name><price currency="EUR">\(mixed >> 50).\(mixed & 7)</price>
              <note>Some words of a sentence that is as long as notes are, number \(mixed >> 32).</note><flag/>
            </item>

          """.utf8)
      }
      bytes += Array("</items>\n".utf8)
      kept = bytes
      return bytes
    }
  }

  /// Reads the document with C code.
  func read(touches: Bool) throws -> Work {
    let bytes = bytes()
    let watch = Stopwatch()
    let work = try baseline { sum in
      bytes.withUnsafeBytes { bytes in
        baseline_read_xml(
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, touches ? 1 : 0, &sum
        )
      }
    }
    return Work(
      checksum: touches ? work.checksum : nil, time: watch.time,
      counts: [Work.bytes: Double(bytes.count)])
  }
}

internal import CBaseline

/// W8: strings of 1 KB in which half of the characters are not ASCII. Swift validates UTF-8; C only
/// copies the bytes.
enum Texts {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let count = fixture.scale.texts
    let path = fixture.textPath, target = fixture.file("pages")
    return [
      Workload(
        "W8", "fetch \(count) texts of 1 KB",
        implementations: [
          BenchmarkImplementation("C") { try baseline { baseline_fetch_texts(path, &$0) } },
          BenchmarkImplementation("Holt") { try HoltTexts.fetch(path) },
          BenchmarkImplementation("GRDB") { try GRDBTexts.fetch(path) },
        ],
        comparisons: [Comparison(.cpuMilliseconds, "fetch", grdb: "GRDB")]),
      Workload(
        "W8", "insert \(count) texts of 1 KB in one transaction",
        implementations: [
          BenchmarkImplementation("C") {
            try baseline { baseline_insert_texts(target, fixture.rawTexts, count, &$0) }
          },
          BenchmarkImplementation("Holt") { try HoltTexts.insert(fixture.texts, target) },
          BenchmarkImplementation("GRDB") { try GRDBTexts.insert(fixture.texts, target) },
        ],
        comparisons: [Comparison(.cpuMilliseconds, "insert", grdb: "GRDB")]),
    ]
  }

  static let createSQL =
    "DROP TABLE IF EXISTS page; CREATE TABLE page (id INTEGER PRIMARY KEY, body TEXT NOT NULL)"
  static let selectSQL = "SELECT id, body FROM page"
  static let insertSQL = "INSERT INTO page VALUES (?, ?)"
}

/// A row with a string of 1 KB.
struct Page: Sendable {
  let id: Int64
  let body: String

  /// The row's share of the checksum.
  var weight: UInt64 {
    let utf8 = body.utf8
    let count = utf8.count
    return UInt64(id) + UInt64(count)
      + UInt64(utf8[utf8.index(utf8.startIndex, offsetBy: count / 2)])
  }

  /// Converts the strings of the C baseline.
  static func all(_ texts: UnsafePointer<baseline_text>, count: Int) -> [Page] {
    (0..<count).map { index in
      let text = texts[index]
      let body = withUnsafeBytes(of: text.bytes) {
        String(decoding: $0.prefix(Int(text.size)), as: UTF8.self)
      }
      return Page(id: text.id, body: body)
    }
  }
}

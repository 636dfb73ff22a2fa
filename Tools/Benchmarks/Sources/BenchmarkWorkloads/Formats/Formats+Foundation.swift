internal import Foundation

enum FoundationFormats {
  static func json(_ name: String, _ formats: FormatFixture) -> BenchmarkImplementation {
    formats.benchmarkImplementation(name, bytes: \.json, records: \.jsonRecords) { texts in
      let tree = try JSONSerialization.jsonObject(with: texts.jsonData)
      return (tree as? [Any])?.count ?? 0
    }
  }
}

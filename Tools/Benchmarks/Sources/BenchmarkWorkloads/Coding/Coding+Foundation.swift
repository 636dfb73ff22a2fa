internal import Foundation

enum FoundationCoding {
  static func decode(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try JSONDecoder().decode([Record].self, from: texts.json) },
      bytes: { texts, _ in texts.json.count }, records: { $0 })
  }

  static func encode(
    _ name: String, _ coding: CodingFixture, _ formatting: JSONEncoder.OutputFormatting = []
  ) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name,
      run: { coding, _ in
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return try encoder.encode(coding.records)
      },
      bytes: { $1.count }, records: { try records($0) })
  }

  static func tree(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name, run: { _, texts in try JSONSerialization.jsonObject(with: texts.json) },
      bytes: { texts, _ in texts.json.count },
      records: { try Record.all(foundation: $0).ignoringLastBitDifferences(coding.records) })
  }

  static func text(_ name: String, _ coding: CodingFixture) -> BenchmarkImplementation {
    coding.benchmarkImplementation(
      name,
      run: { _, texts in try JSONSerialization.data(withJSONObject: texts.foundationTree) },
      bytes: { $1.count }, records: { try records($0).ignoringLastBitDifferences(coding.records) })
  }

  private static func records(_ json: Data) throws -> [Record] {
    try JSONDecoder().decode([Record].self, from: json)
  }
}

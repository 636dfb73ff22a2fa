internal import CBaseline

/// P1: JSON and CSV text, read field by field and discarded.
enum Formats {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let formats = fixture.formats
    let measures: [Measure] = [.perByte, .megabytesPerSecond, .recordsPerSecond, .megabytes]
    return [
      Workload(
        "P1", "scan JSON, every number read, compared with JSONSerialization", measures: measures,
        implementations: [
          HoltFormats.json("Holt", formats), HoltFormats.skippedJSON("Holt, skipped", formats),
          FoundationFormats.json("Foundation", formats),
        ],
        comparisons: [
          Comparison(.perByte, "scan JSON", foundation: "Foundation"),
          Comparison(.perByte, "skip JSON", holt: "Holt, skipped", foundation: nil),
        ]),
      Workload(
        "P1", "scan CSV, compared with a count of delimiters by memchr", measures: measures,
        implementations: [
          formats.benchmarkImplementation("C", bytes: \.csv, records: \.csvRecords) { texts in
            texts.csv.withUnsafeBytes { text in
              baseline_count_fields(
                text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count,
                CChar(UInt8(ascii: ",")))
            }
          },
          HoltFormats.csv("Holt", formats),
          HoltFormats.typedCSV("Holt, types of columns", formats),
        ],
        comparisons: [
          Comparison(.perByte, "scan CSV"),
          Comparison(.perByte, "types of columns of CSV", holt: "Holt, types of columns"),
        ]),
    ]
  }
}

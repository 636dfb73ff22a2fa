internal import Foundation
internal import SPON

/// F1: small structs as SPON text, and as JSON text with Foundation.
enum Coding {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let coding = fixture.coding
    let count = coding.records.count
    return [
      decode(coding, count), encode(coding, count), tree(coding, count),
      textOfTree(coding, count), stream(coding, count),
    ]
  }

  private static let foundation = "Foundation"
  private static let measures: [Measure] = [
    .perRecord, .perByte, .megabytesPerSecond, .recordsPerSecond, .megabytes,
  ]

  /// The cost per byte of each implementation's own text, and the cost per record.
  private static func comparisons(
    _ label: String, holt: String = "Holt", foundation: String?
  ) -> [Comparison] {
    [Measure.perByte, .perRecord].map { measure in
      Comparison(measure, label, holt: holt, foundation: foundation)
    }
  }

  private static func decode(_ coding: CodingFixture, _ count: Int) -> Workload {
    Workload(
      "F1", "decode \(count) structs, SPONDecoder and JSONDecoder", measures: measures,
      implementations: [
        HoltCoding.decode("Holt", coding), FoundationCoding.decode(foundation, coding),
      ],
      comparisons: comparisons("decode", foundation: foundation))
  }

  private static func encode(_ coding: CodingFixture, _ count: Int) -> Workload {
    let sorted = "Foundation, keys sorted", pretty = "Foundation, pretty"
    return Workload(
      "F1", "encode \(count) structs, SPONEncoder and JSONEncoder", measures: measures,
      implementations: [
        HoltCoding.encode("Holt", coding), FoundationCoding.encode(foundation, coding),
        HoltCoding.encode("Holt, canonical", coding, .canonical),
        FoundationCoding.encode(sorted, coding, .sortedKeys),
        HoltCoding.encode("Holt, pretty", coding, .prettyPrinted),
        FoundationCoding.encode(pretty, coding, .prettyPrinted),
      ],
      comparisons: comparisons("encode", foundation: foundation)
        + comparisons("encode, canonical", holt: "Holt, canonical", foundation: sorted)
        + comparisons("encode, pretty", holt: "Holt, pretty", foundation: pretty))
  }

  private static func tree(_ coding: CodingFixture, _ count: Int) -> Workload {
    Workload(
      "F1", "text of \(count) structs to a tree, SPONValue and JSONSerialization",
      measures: measures,
      implementations: [
        HoltCoding.tree("Holt", coding), FoundationCoding.tree(foundation, coding),
        HoltCoding.treeOfJSON("Holt, JSON", coding),
      ],
      comparisons: comparisons("to a tree", foundation: foundation)
        + comparisons("JSON to a tree", holt: "Holt, JSON", foundation: foundation))
  }

  private static func textOfTree(_ coding: CodingFixture, _ count: Int) -> Workload {
    Workload(
      "F1", "tree of \(count) structs to text, SPONValue and JSONSerialization",
      measures: measures,
      implementations: [
        HoltCoding.text("Holt", coding), FoundationCoding.text(foundation, coding),
        HoltCoding.jsonText("Holt, JSON", coding),
      ],
      comparisons: comparisons("of a tree", foundation: foundation)
        + comparisons("JSON of a tree", holt: "Holt, JSON", foundation: foundation))
  }

  /// The cost of a stream, which Foundation does not support.
  private static func stream(_ coding: CodingFixture, _ count: Int) -> Workload {
    let events = "Holt, events", elements = "Holt, elements as trees"
    let decoded = "Holt, elements decoded"
    return Workload(
      "F1", "stream of \(count) structs in chunks of 64 KB", measures: measures,
      implementations: [
        HoltCoding.events(events, coding), HoltCoding.elements(elements, coding),
        HoltCoding.decodedElements(decoded, coding),
      ],
      comparisons: comparisons("stream to events", holt: events, foundation: nil)
        + comparisons("stream to trees", holt: elements, foundation: nil)
        + comparisons("stream to structs", holt: decoded, foundation: nil))
  }
}

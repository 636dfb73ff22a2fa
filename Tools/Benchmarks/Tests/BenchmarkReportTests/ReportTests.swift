import Foundation
import Primitives
import Testing

@testable import BenchmarkReport

@Suite struct `The report` {
  static let rounds: [([Double], Double)] = [
    ([3], 3), ([9, 1, 5], 5), ([4, 1, 3, 2], 2.5), ([1, 1, 100], 1),
  ]

  @Test(arguments: rounds)
  func `computes the median of the rounds`(_ values: [Double], _ median: Double) {
    #expect(values.median == median)
  }

  @Test func `has no median without values`() {
    #expect([Double]().median.isNaN)
  }

  @Test func `computes the ratios of a line`() {
    let line = ReportLine(workload: "W1", metric: "CPU ms", holt: 150, c: 100, grdb: 300)
    #expect(line.holtOverC == 1.5)
    #expect(line.holtOverPeer == 0.5)
    #expect(line.timesPeer == 2)
  }

  @Test func `omits missing implementations and invalid numbers`() {
    let line = ReportLine(workload: "W5", metric: "wall µs", holt: .nan, c: nil, grdb: 0)
    #expect(line.holt == nil)
    #expect(line.holtOverC == nil)
    #expect(line.holtOverPeer == nil)
    #expect(ReportLine(workload: "", metric: "", holt: 1, c: 0, grdb: 2).holtOverC == nil)
  }

  @Test func `writes all fields of all lines in order`() {
    let lines = [
      ReportLine(workload: "W1", metric: "a \"b\" \\ \n", holt: 1.5, c: 1, grdb: 3),
      ReportLine(workload: "W5", metric: "µs", holt: 2, c: nil, grdb: nil),
    ]
    #expect(
      ReportLine.json(lines) == """
        [
          {"workload": "W1", "metric": "a \\"b\\" \\\\ \\u000a", "holt": 1.5, "c": 1.0, \
        "grdb": 3.0, "holt_over_c": 1.5, "holt_over_grdb": 0.5},
          {"workload": "W5", "metric": "µs", "holt": 2.0, "c": null, "grdb": null, \
        "holt_over_c": null, "holt_over_grdb": null}
        ]

        """)
    #expect(ReportLine.json([]) == "[]\n")
  }

  @Test func `names the peer in the keys of a line`() {
    let lines = [ReportLine(workload: "F1", metric: "CPU ns a byte", holt: 2, foundation: 8)]
    #expect(
      ReportLine.json(lines) == """
        [
          {"workload": "F1", "metric": "CPU ns a byte", "holt": 2.0, "c": null, \
        "foundation": 8.0, "holt_over_c": null, "holt_over_foundation": 0.25}
        ]

        """)
  }

  @Test func `reads back what it writes`() throws {
    let lines = [
      ReportLine(workload: "W4", metric: "\u{1}\"µ", holt: 1 / 3, c: 1e-5, grdb: 1e9),
      ReportLine(workload: "W5", metric: "", holt: nil, c: nil, grdb: nil),
      ReportLine(workload: "F1", metric: "", holt: 1, foundation: 4),
      ReportLine(workload: "F1", metric: "alone", holt: 1, foundation: nil),
    ]
    let data = Data(ReportLine.json(lines).utf8)
    #expect(try JSONDecoder().decode([ReportLine].self, from: data) == lines)
    let objects = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    for (object, line) in zip(objects, lines) {
      let peer = line.peer.rawValue
      let fields = ["workload", "metric", "holt", "c", peer, "holt_over_c", "holt_over_\(peer)"]
      #expect(Set(object.keys) == Set(fields))
    }
  }

  static let decimals: [(Double, Int, String)] = [
    (1, 0, "1"), (1.005, 1, "1.0"), (0.05, 1, "0.1"), (12.345, 2, "12.35"), (-0.5, 1, "-0.5"),
    (0, 2, "0.00"), (-0.001, 1, "0.0"), (.nan, 1, "–"),
  ]

  @Test(arguments: decimals)
  func `writes decimals`(_ value: Double, _ count: Int, _ text: String) {
    #expect(value.decimals(count) == text)
  }

  @Test func `aligns its table`() {
    var table = TextTable(["way", "ms"], indent: 2)
    table.add(["Holt", "1.5"])
    table.add(["C"])
    #expect(table.text == "  way    ms\n  Holt  1.5\n  C")
  }
}

@Suite struct `A goal` {
  private func line(holt: Double?, c: Double?, grdb: Double?) -> ReportLine {
    ReportLine(workload: "W1", metric: "CPU ms", holt: holt, c: c, grdb: grdb)
  }

  @Test func `is met at its limit`() {
    let goal = Goal(overC: 1.25, timesPeer: 2)
    #expect(goal.isMet(by: line(holt: 125, c: 100, grdb: 250)) == true)
    #expect(goal.isMet(by: line(holt: 126, c: 100, grdb: 300)) == false)
    #expect(goal.isMet(by: line(holt: 125, c: 100, grdb: 249)) == false)
    #expect(Goal(atMost: 3).isMet(by: line(holt: 3, c: nil, grdb: nil)) == true)
    #expect(Goal(atMost: 3).isMet(by: line(holt: 3.1, c: nil, grdb: nil)) == false)
  }

  @Test func `is undecided if a number is missing`() {
    #expect(Goal(overC: 1).isMet(by: line(holt: 1, c: nil, grdb: 1)) == nil)
    #expect(Goal(timesPeer: 1).isMet(by: line(holt: 1, c: 1, grdb: nil)) == nil)
    #expect(Goal(atMost: 1).isMet(by: line(holt: nil, c: 1, grdb: 1)) == nil)
  }

  @Test func `is shown next to its line`() {
    let lines = [
      ReportLine(
        workload: "W1", metric: "CPU ms, GRDB records by position", holt: 160, c: 150, grdb: 200),
      ReportLine(workload: "W9", metric: "CPU ms", holt: 1, c: 1, grdb: 1),
    ]
    let rows = ReportLine.summary(lines).split(separator: "\n")
    #expect(rows.count == 3)
    #expect(rows[1].contains("≤ 1.15") && rows[1].hasSuffix("no"))
    #expect(rows[2].hasSuffix("1.00"))
  }

  @Test func `is shown in a table for each peer`() {
    let lines = [
      ReportLine(workload: "F1", metric: "CPU ns a byte, decode", holt: 2, foundation: 9),
      ReportLine(workload: "W9", metric: "CPU ms", holt: 1, c: 1, grdb: 1),
    ]
    let rows = ReportLine.summary(lines).split(separator: "\n")
    #expect(rows.count == 4)
    #expect(rows[0].contains("GRDB/Holt") && rows[0].contains("Holt/C"))
    #expect(rows[1].hasPrefix("W9"))
    #expect(rows[2].contains("Foundation/Holt") && !rows[2].contains("/C"))
    #expect(rows[3].contains("4.50  ≥ 4.0  yes"))
  }
}

@Suite struct `The chart` {
  private let lines = [
    ReportLine(workload: "W1", metric: "CPU ms <&>", holt: 160, c: 150, grdb: 200),
    ReportLine(workload: "W4", metric: "CPU ms", holt: 110, c: 100, grdb: 2_800),
    ReportLine(workload: "W5", metric: "wall µs", holt: 10, c: nil, grdb: 25),
    ReportLine(workload: "W1", metric: "share of a cost", holt: 0.3, c: 0.4, grdb: 0.2),
    ReportLine(workload: "W7", metric: "nobody to compare with", holt: 10, c: nil, grdb: nil),
    ReportLine(workload: "F1", metric: "CPU ns a byte", holt: 2, foundation: 9),
  ]

  @Test func `is deterministic`() {
    #expect(BarChart(lines).svg() == BarChart(lines).svg())
  }

  @Test func `is well-formed and has a bar for each implementation`() throws {
    let svg = BarChart(lines).svg()
    let bars = svg.split(separator: "\n").filter { line in
      line.contains("<rect") && !line.contains("paper") && !line.contains("y=\"18\"")
    }
    #expect(bars.count == 3 + 3 + 2 + 2)
    #expect(bars.count { $0.contains("class=\"foundation\"") } == 1)
    #expect(svg.contains("CPU ms &lt;&amp;&gt;"))
    let texts = svg.components(separatedBy: "<text ").count
    #expect(svg.components(separatedBy: "</text>").count == texts)
    #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
    #expect(!svg.contains("nobody to compare with") && !svg.contains("share of a cost"))
  }

  @Test func `truncates a bar that is too long and shows its length`() {
    let svg = BarChart(lines).svg()
    #expect(svg.contains(">28.00×<"))
    #expect(svg.contains("width=\"480\""))
    #expect(!svg.contains("width=\"2688\""))
  }

  @Test func `supports light and dark mode`() {
    #expect(BarChart([]).svg().contains("prefers-color-scheme: dark"))
  }
}

/// A bar chart of the report, with a bar for C, one for Holt and one for the peer for each line.
///
/// The unit is the cost in C or, if there is no C implementation, Holt's. A bar that is too long
/// for the chart ends in a gap; its number shows its length.
public struct BarChart {
  private let lines: [ReportLine]
  private let longest = 5.0
  private let unit = 96.0
  private let left = 380.0
  private let barHeight = 11.0
  private let top = 84.0

  public init(_ lines: [ReportLine]) { self.lines = lines.filter { !$0.isShare } }

  /// Returns the chart as SVG text. The result is deterministic.
  public func svg() -> String {
    var svg = SVG()
    let groups = lines.map { Group($0) }.filter { !$0.bars.isEmpty }
    let height = top + groups.reduce(0) { $0 + self.height(of: $1) } + 16
    let width = left + longest * unit + 90
    svg.rectangle(x: 0, y: 0, width: width, height: height, style: "paper")
    legend(&svg)
    scale(&svg, bottom: height - 16)
    var y = top
    for group in groups {
      draw(group, &svg, y: y)
      y += self.height(of: group)
    }
    return svg.document(
      width: width, height: height,
      title: "Holt compared with C, GRDB and Foundation: cost, less is better",
      css: Self.css)
  }

  private func height(of group: Group) -> Double { Double(group.bars.count) * (barHeight + 2) + 14 }

  private func legend(_ svg: inout SVG) {
    svg.text("Cost relative to C: shorter is better", x: 16, y: 28, style: "head")
    svg.text("relative to Holt if there is no C implementation", x: 16, y: 46, style: "small")
    let peers = ReportLine.Peer.allCases.map { ($0.rawValue, $0.title) }
    let entries = [("c", "C"), ("holt", "Holt")] + peers
    for (index, entry) in entries.enumerated() {
      let x = left + Double(index) * 80
      svg.rectangle(x: x, y: 18, width: 12, height: 12, style: entry.0)
      svg.text(entry.1, x: x + 18, y: 28, style: "label")
    }
  }

  private func scale(_ svg: inout SVG, bottom: Double) {
    for step in 0...Int(longest) {
      let x = left + Double(step) * unit
      svg.line(x1: x, y1: top - 12, x2: x, y2: bottom, style: step == 1 ? "one" : "grid")
      svg.text("\(step)×", x: x, y: top - 18, style: "small middle")
    }
  }

  private func draw(_ group: Group, _ svg: inout SVG, y: Double) {
    let middle = y + Double(group.bars.count) * (barHeight + 2) / 2
    svg.text(group.workload, x: 16, y: middle + 4, style: "label strong")
    svg.text(group.metric, x: left - 10, y: middle + 4, style: "label end")
    for (index, bar) in group.bars.enumerated() {
      let barY = y + Double(index) * (barHeight + 2)
      let length = min(bar.length, longest) * unit
      svg.rectangle(x: left, y: barY, width: length, height: barHeight, style: bar.style)
      if bar.length > longest {
        svg.rectangle(
          x: left + length - 14, y: barY, width: 5, height: barHeight, style: "paper")
      }
      svg.text(
        bar.length.decimals(2) + "×", x: left + length + 6, y: barY + barHeight - 1.5,
        style: "small")
    }
  }

  private static let css = """
        text { font-family: system-ui, sans-serif; fill: #1f2328; }
        .head { font-size: 16px; font-weight: 600; }
        .label { font-size: 12px; }
        .small { font-size: 11px; fill: #59636e; }
        .strong { font-weight: 600; }
        .end { text-anchor: end; }
        .middle { text-anchor: middle; }
        .paper { fill: #ffffff; }
        .c { fill: #8c959f; }
        .holt { fill: #0969da; }
        .grdb { fill: #d4762c; }
        .foundation { fill: #8250df; }
        .grid { stroke: #d1d9e0; }
        .one { stroke: #59636e; stroke-dasharray: 3 3; }
        @media (prefers-color-scheme: dark) {
          text { fill: #f0f6fc; }
          .small { fill: #9198a1; }
          .paper { fill: #0d1117; }
          .c { fill: #6e7681; }
          .holt { fill: #4493f8; }
          .grdb { fill: #e09b4f; }
          .foundation { fill: #ab7df8; }
          .grid { stroke: #3d444d; }
          .one { stroke: #9198a1; }
        }
    """
}

/// The bars of one line.
private struct Group {
  let workload: String
  let metric: String
  let bars: [Bar]

  struct Bar {
    let style: String
    let length: Double
  }

  init(_ line: ReportLine) {
    workload = line.workload
    metric = line.metric
    guard let holt = line.holt, let unit = line.c ?? line.holt, unit > 0,
      line.c != nil || line.other != nil
    else {
      bars = []
      return
    }
    let values = [("c", line.c), ("holt", holt), (line.peer.rawValue, line.other)]
    bars = values.compactMap { style, value in
      value.map { Bar(style: style, length: $0 / unit) }
    }
  }
}

import Primitives

extension ReportLine {
  /// The lines as text tables, one for each peer, with the goals and whether they are met.
  public static func summary(_ lines: [ReportLine]) -> String {
    Peer.allCases.compactMap { peer in
      let lines = lines.filter { $0.peer == peer }
      return lines.isEmpty ? nil : table(lines, peer)
    }.joined(separator: "\n\n")
  }

  private static func table(_ lines: [ReportLine], _ peer: Peer) -> String {
    let hasC = peer == .grdb
    let inC = { (cells: [String]) in hasC ? cells : [] }
    var table = TextTable(
      ["", "metric", "Holt"] + inC(["C"]) + [peer.title] + inC(["Holt/C", "goal"])
        + ["\(peer.title)/Holt", "goal", "met"],
      leftCount: 2)
    for line in lines {
      let goal = Goal.of(line.workload, line.metric)
      let metric = line.metric + (goal?.atMost.map { " (goal ≤ \($0.decimals(2)))" } ?? "")
      let overC = goal?.overC.map { "≤ \($0.decimals(2))" } ?? ""
      table.add(
        [line.workload, metric, line.holt?.brief ?? ""] + inC([line.c?.brief ?? ""])
          + [line.other?.brief ?? ""] + inC([line.holtOverC?.decimals(2) ?? "", overC])
          + [
            line.timesPeer?.decimals(2) ?? "",
            goal?.timesPeer.map { "≥ \($0.decimals(1))" } ?? "",
            goal.map { line.verdict($0) } ?? "",
          ])
    }
    return table.text
  }

  /// The peer's cost as a multiple of Holt's.
  public var timesPeer: Double? {
    guard let holt, let other, holt > 0 else { return nil }
    return other / holt
  }

  private func verdict(_ goal: Goal) -> String {
    switch goal.isMet(by: self) {
    case true?: "yes"
    case false?: "no"
    case nil: "?"
    }
  }
}

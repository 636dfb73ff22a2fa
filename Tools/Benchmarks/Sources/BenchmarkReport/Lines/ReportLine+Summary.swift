extension ReportLine {
  /// The lines as a table for people, each with its goal and whether it is met.
  public static func summary(_ lines: [ReportLine]) -> String {
    var table = TextTable(
      ["", "metric", "Holt", "C", "GRDB", "Holt/C", "goal", "GRDB/Holt", "goal", "met"],
      leftCount: 2)
    for line in lines {
      let goal = Goal.of(line.workload, line.metric)
      table.add([
        line.workload, line.metric + (goal?.atMost.map { " (goal ≤ \($0.decimals(2)))" } ?? ""),
        line.holt?.brief ?? "", line.c?.brief ?? "", line.grdb?.brief ?? "",
        line.holtOverC?.decimals(2) ?? "", goal?.overC.map { "≤ \($0.decimals(2))" } ?? "",
        line.timesGRDB?.decimals(2) ?? "", goal?.timesGRDB.map { "≥ \($0.decimals(1))" } ?? "",
        goal.map { line.verdict($0) } ?? "",
      ])
    }
    return table.text()
  }

  /// How many times as long as Holt GRDB takes.
  public var timesGRDB: Double? {
    guard let holt, let grdb, holt > 0 else { return nil }
    return grdb / holt
  }

  private func verdict(_ goal: Goal) -> String {
    switch goal.isMet(by: self) {
    case true?: "yes"
    case false?: "no"
    case nil: "?"
    }
  }
}

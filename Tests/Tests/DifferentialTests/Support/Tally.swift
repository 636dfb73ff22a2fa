/// How many of how many.
struct Share: CustomStringConvertible {
  var hits = 0
  var count = 0

  mutating func add(_ isHit: Bool) {
    count += 1
    if isHit { hits += 1 }
  }

  var percent: Double { count == 0 ? 100 : 100 * Double(hits) / Double(count) }

  /// Whether no more are missed than a threshold allows. A sample of one in `step` may hold all that
  /// are missed in the whole.
  func reaches(_ threshold: Double, oneIn step: Int) -> Bool {
    Double(count - hits) <= (100 - threshold) / 100 * Double(count * step)
  }

  var description: String {
    let hundredths = Int((percent * 100).rounded(.down))
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) % of \(count)"
  }
}

/// What holding many statements against the engine came to.
struct Tally {
  var statements = 0
  var rows = 0
  /// Statements that the engine stopped at a row, as `abs` of the smallest integer.
  var stopped = 0
  /// Statements that the engine takes and QueryGen refuses.
  var refused: [String] = []
  var failedClaims: [FailedClaim] = []
  /// Broken claims about columns whose values do not suit their declaration.
  var unsuitableValueCount = 0

  mutating func add(_ trial: Trial) {
    statements += 1
    rows += trial.rowCount
    if trial.stop != nil { stopped += 1 }
    unsuitableValueCount += trial.failedClaims.filter(\.involvesUnsuitableValues).count
    for claim in trial.failedClaims where !claim.involvesUnsuitableValues {
      guard !failedClaims.contains(where: { $0.sql == claim.sql && $0.claim == claim.claim }) else {
        continue
      }
      failedClaims.append(claim)
    }
  }

  func report(_ name: String) {
    print(
      "\(name): \(statements) statements, \(rows) rows, \(stopped) stopped by the engine, "
        + "\(refused.count) refused, \(unsuitableValueCount) claims about values that their columns' "
        + "declarations do not allow, \(failedClaims.count) broken claims")
    for refusal in refused.prefix(40) { print("  refused: \(refusal)") }
    for claim in failedClaims.prefix(60) { print("  broken: \(claim)") }
  }
}

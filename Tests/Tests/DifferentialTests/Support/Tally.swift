/// A share of a number of cases.
struct Share: CustomStringConvertible {
  var hits = 0
  var count = 0

  mutating func add(_ isHit: Bool) {
    count += 1
    if isHit { hits += 1 }
  }

  var percent: Double { count == 0 ? 100 : 100 * Double(hits) / Double(count) }

  /// Returns whether the number of misses is within the threshold. A sample of one in `step` cases
  /// may contain all misses of the whole corpus.
  func reaches(_ threshold: Double, oneIn step: Int) -> Bool {
    Double(count - hits) <= (100 - threshold) / 100 * Double(count * step)
  }

  var description: String {
    let hundredths = Int((percent * 100).rounded(.down))
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) % of \(count)"
  }
}

/// The result of testing the claims of many statements.
struct Tally {
  var statements = 0
  var rows = 0
  /// The number of statements that stopped with an error at a row, such as `abs` of the smallest
  /// integer.
  var stopped = 0
  /// Statements that the engine accepts and QueryGen rejects.
  var refused: [String] = []
  var failedClaims: [FailedClaim] = []
  /// The number of broken claims about columns with values that do not match their declarations.
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

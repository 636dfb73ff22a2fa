/// Works that are held against each other, a part of each in turn.
enum AlternatingMeasurement {
  /// What each work takes, part by part: a part in which the log of a database is copied into its file, say, costs
  /// many times as much as another, whoever's it is.
  ///
  /// - Parameter work: Does a part of the work of that number, and says what it took.
  static func taken(
    _ parts: Int, by count: Int, _ work: (_ number: Int) async throws -> Double
  ) async throws -> [[Double]] {
    var taken = [[Double]](repeating: Array(repeating: 0, count: count), count: parts)
    for part in 0..<parts {
      // Who comes later may find a warmer cache: that is each one's turn.
      for turn in 0..<count {
        let number = (part + turn) % count
        taken[part][number] = try await work(number)
      }
    }
    return taken
  }
}

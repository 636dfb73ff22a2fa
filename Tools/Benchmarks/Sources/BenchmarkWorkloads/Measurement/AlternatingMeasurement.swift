/// Measures several implementations alternately, in small parts.
enum AlternatingMeasurement {
  /// Returns the cost of each part of each implementation. The median of the parts is used, since a
  /// part that includes a checkpoint, for example, costs many times more than others.
  ///
  /// - Parameter work: Runs a part of the implementation with the given index, and returns its cost.
  static func taken(
    _ parts: Int, by count: Int, _ work: (_ number: Int) async throws -> Double
  ) async throws -> [[Double]] {
    var taken = [[Double]](repeating: Array(repeating: 0, count: count), count: parts)
    for part in 0..<parts {
      // Rotates the order, since later implementations may benefit from a warm cache.
      for turn in 0..<count {
        let number = (part + turn) % count
        taken[part][number] = try await work(number)
      }
    }
    return taken
  }
}

/// Finds the known name that is most likely meant by a misspelled one.
public enum EditDistance {
  /// Returns the candidate with the smallest edit distance from `name`, or `nil` if none is close enough.
  ///
  /// The maximum distance is 1, or 2 for names of at least five letters. Case is ignored, and a candidate that differs
  /// only in case is not suggested. Of several candidates with the same distance, the alphabetically first one is
  /// returned.
  public static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count > 1 else { return nil }
    let limit = wanted.count < 5 ? 1 : 2
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().unicodeScalars)
      guard abs(other.count - wanted.count) <= limit, other != wanted else { continue }
      let distance = editDistance(wanted, other)
      guard distance <= limit else { continue }
      if let best, (best.distance, best.name) <= (distance, candidate) { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// Returns the number of letters to insert, delete, replace or swap with their neighbor (optimal string alignment
  /// distance).
  ///
  /// - Complexity: O(*m* · *n*) in the lengths of the words.
  static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var older: [Int] = []
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        var cost = min(previous[j + 1] + 1, current[j] + 1)
        cost = min(cost, previous[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, older[j - 1] + 1)
        }
        current.append(cost)
      }
      older = previous
      previous = current
    }
    return previous[right.count]
  }
}

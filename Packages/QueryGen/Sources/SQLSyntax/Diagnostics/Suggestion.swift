/// The nearest of some names to one that is not among them.
public enum Suggestion {
  /// The candidate that differs from `name` least, if it differs so little that it may be meant.
  public static func nearest(
    to name: String, among candidates: some Sequence<String>
  ) -> String? {
    let wanted = Array(name.asciiLowercased.utf8)
    guard wanted.count > 1 else { return nil }
    let limit = wanted.count < 5 ? 1 : 2
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.asciiLowercased.utf8)
      guard abs(other.count - wanted.count) <= limit, other != wanted else { continue }
      let distance = distance(wanted, other)
      guard distance <= limit else { continue }
      if let best, (best.distance, best.name) <= (distance, candidate) { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// The number of edits between two words, where swapping two neighbours is one edit.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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

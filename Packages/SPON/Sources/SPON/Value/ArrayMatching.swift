/// Finds the longest common subsequence of two arrays.
///
/// E. W. Myers, An O(ND) Difference Algorithm and Its Variations, Algorithmica 1 (1986): computes
/// how far one can advance along equal elements with zero, one, two and more removals and
/// insertions, until the end is reached.
enum ArrayMatching {
  /// A run of equal elements in both arrays.
  struct Match {
    var old: Int
    var new: Int
    var count: Int
  }

  /// Returns the matches in order. The elements between them differ.
  static func matches(_ old: [SPONValue], _ new: [SPONValue]) -> [Match] {
    let most = Swift.min(old.count, new.count)
    var prefix = 0
    while prefix < most, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < most - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    var matches: [Match] = []
    if prefix > 0 { matches.append(Match(old: 0, new: 0, count: prefix)) }
    let oldMiddle = old[prefix..<old.count - suffix]
    let newMiddle = new[prefix..<new.count - suffix]
    if !oldMiddle.isEmpty, !newMiddle.isEmpty {
      let (left, right) = numbers(oldMiddle, newMiddle)
      for match in search(left, right) ?? index(left, right) {
        matches.append(
          Match(old: match.old + prefix, new: match.new + prefix, count: match.count))
      }
    }
    if suffix > 0 {
      matches.append(Match(old: old.count - suffix, new: new.count - suffix, count: suffix))
    }
    return matches
  }

  /// The maximum number of removals and insertions to search for, and the maximum number of steps.
  private static let greatestDistance = 1_000
  private static let greatestCost = 20_000_000

  /// Returns a number for each element, with equal numbers for equal elements, so that each is
  /// compared only once.
  private static func numbers(
    _ old: ArraySlice<SPONValue>, _ new: ArraySlice<SPONValue>
  ) -> ([Int], [Int]) {
    var known: [SPONValue: Int] = [:]
    func number(of value: SPONValue) -> Int {
      if let number = known[value] { return number }
      known[value] = known.count
      return known.count - 1
    }
    return (old.map(number), new.map(number))
  }

  /// Returns equal elements at the same index, if a search would be too expensive.
  private static func index(_ old: [Int], _ new: [Int]) -> [Match] {
    zip(old, new).enumerated().filter { $0.element.0 == $0.element.1 }
      .map { Match(old: $0.offset, new: $0.offset, count: 1) }
  }

  /// Returns the longest matches; `nil` if the search is too expensive.
  private static func search(_ old: [Int], _ new: [Int]) -> [Match]? {
    let most = Swift.min(old.count + new.count, greatestDistance)
    // The furthest index in `old` for each diagonal, with one more entry on both sides.
    var furthest = [Int](repeating: 0, count: 2 * most + 3)
    let middle = most + 1
    var trace: [[Int]] = []
    var cost = 0
    for distance in 0...most {
      trace.append(Array(furthest[middle - distance - 1...middle + distance + 1]))
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        let goesDown =
          diagonal == -distance
          || diagonal != distance
            && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]
        var at =
          goesDown ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
        let start = at
        while at < old.count, at - diagonal < new.count, old[at] == new[at - diagonal] { at += 1 }
        cost += at - start + 1
        furthest[middle + diagonal] = at
        if at >= old.count, at - diagonal >= new.count {
          return matches(trace, old: old.count, new: new.count)
        }
      }
      if cost > greatestCost { return nil }
    }
    return nil
  }

  /// Follows the path back from the end, using the state before each distance.
  private static func matches(_ trace: [[Int]], old: Int, new: Int) -> [Match] {
    var matches: [Match] = []
    var (oldAt, newAt) = (old, new)
    for distance in stride(from: trace.count - 1, through: 0, by: -1) {
      let furthest = trace[distance]
      let middle = distance + 1
      let diagonal = oldAt - newAt
      let goesDown =
        diagonal == -distance
        || diagonal != distance
          && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]
      let start: Int
      if distance == 0 {
        start = 0
      } else {
        start = goesDown ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
      }
      if oldAt > start {
        matches.append(Match(old: start, new: start - diagonal, count: oldAt - start))
      }
      oldAt = goesDown ? start : start - 1
      newAt = goesDown ? start - diagonal - 1 : start - diagonal
    }
    return matches.reversed()
  }
}

/// Matches the elements of two lists by their ids, and finds the moved ones.
struct ListMatching {
  /// The matched elements, ascending by old offsets.
  private(set) var pairs: [DatabaseObservation.OffsetPair] = []
  private(set) var removals: [Int] = []
  private(set) var insertions: [Int] = []
  /// The matched elements that are out of order, ascending by old offsets.
  private(set) var moves: [DatabaseObservation.OffsetPair] = []

  init<Element, ID: Hashable>(
    from old: [Element], to new: [Element], by id: (Element) -> ID
  ) {
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, id(old[head]) == id(new[head]) { head += 1 }
    var tail = 0
    while tail < shorter - head, id(old[old.count - 1 - tail]) == id(new[new.count - 1 - tail]) {
      tail += 1
    }
    let (oldEnd, newEnd) = (old.count - tail, new.count - tail)

    pairs.reserveCapacity(shorter)
    for offset in 0..<head {
      pairs.append(DatabaseObservation.OffsetPair(old: offset, new: offset))
    }
    match(old[head..<oldEnd], new[head..<newEnd], by: id)
    moves = Self.outOfOrder(pairs[head...])
    for offset in 0..<tail {
      pairs.append(DatabaseObservation.OffsetPair(old: oldEnd + offset, new: newEnd + offset))
    }
  }

  /// Pairs the first element with an id in one list with the first in the other, and so on.
  private mutating func match<Element, ID: Hashable>(
    _ old: ArraySlice<Element>, _ new: ArraySlice<Element>, by id: (Element) -> ID
  ) {
    if old.isEmpty || new.isEmpty {
      removals = Array(old.indices)
      insertions = Array(new.indices)
      return
    }
    /// The first unmatched element with each id; the others follow in ``next``.
    var first: [ID: Int] = Dictionary(minimumCapacity: new.count)
    var next: [Int?] = Array(repeating: nil, count: new.count)
    for offset in new.indices.reversed() {
      next[offset - new.startIndex] = first.updateValue(offset, forKey: id(new[offset]))
    }
    var isPaired = Array(repeating: false, count: new.count)
    for offset in old.indices {
      let id = id(old[offset])
      guard let partner = first[id] else {
        removals.append(offset)
        continue
      }
      first[id] = next[partner - new.startIndex]
      isPaired[partner - new.startIndex] = true
      pairs.append(DatabaseObservation.OffsetPair(old: offset, new: partner))
    }
    for offset in new.indices where !isPaired[offset - new.startIndex] { insertions.append(offset) }
  }

  /// Returns the pairs that are not in a longest increasing subsequence of new offsets.
  ///
  /// For each length, the algorithm keeps the subsequence with the lowest end, and for each pair
  /// its predecessor.
  private static func outOfOrder(_ pairs: ArraySlice<DatabaseObservation.OffsetPair>)
    -> [DatabaseObservation.OffsetPair]
  {
    /// The last element of the lowest subsequence of each length, starting with length 1.
    var ends: [Int] = []
    var previous: [Int?] = []
    previous.reserveCapacity(pairs.count)
    for index in pairs.indices {
      let new = pairs[index].new
      var (low, high) = (0, ends.count)
      // Most lists are nearly in order, so the end is tried first.
      if let last = ends.last, pairs[last].new < new { low = high }
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].new < new { low = middle + 1 } else { high = middle }
      }
      previous.append(low == 0 ? nil : ends[low - 1])
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    if ends.count == pairs.count { return [] }
    var isKept = Array(repeating: false, count: pairs.count)
    var kept = ends.last
    while let index = kept {
      isKept[index - pairs.startIndex] = true
      kept = previous[index - pairs.startIndex]
    }
    return pairs.indices.filter { !isKept[$0 - pairs.startIndex] }.map { pairs[$0] }
  }
}

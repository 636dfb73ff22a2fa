/// What has become of a list: which elements were removed, inserted, moved and updated, by their ids.
///
/// ```swift
/// let difference = ListDifference(from: [1, 2, 3], to: [3, 1, 4], by: { $0 })
/// print(difference)  // removed 1; inserted 2; moved 0 → 1
/// ```
///
/// It is what list views want for a batch of updates: removals by their offsets in the old list, insertions
/// by theirs in the new one, and moves from the one to the other. All that is in none of
/// them keeps its order. An element that has the same id as before, and is not equal to what it was, is in
/// ``updates``; it may be in ``moves`` as well. To such views it is reloaded at its new offset, after the rest.
///
/// - **Moves are the fewest** that there can be: what stays is a longest increasing subsequence.
/// - **An id may occur more than once.** Where both lists begin or end with the same ids, those elements are
///   taken for the same; in between, the first element that has an id in one list is taken for the first in
///   the other, the second for the second, and so on. What is left over was removed or inserted.
public struct ListDifference<Element> {
  /// The list as it was. Offsets in ``removals``, and the old ones of pairs, are offsets in it.
  public let oldElements: [Element]
  /// The list as it is. Offsets in ``insertions``, and the new ones of pairs, are offsets in it.
  public let elements: [Element]
  /// Whether this is the first list that a consumer was given, so that all of it is inserted.
  public let isInitial: Bool
  /// The old offsets of what is not there any more, ascending.
  public let removals: [Int]
  /// The new offsets of what was not there, ascending.
  public let insertions: [Int]
  /// What has another place among those that stayed, ascending by old offsets.
  public let moves: [DatabaseObservation.OffsetPair]
  /// What has the same id as before, and is not equal to what it was, ascending by old offsets.
  public let updates: [DatabaseObservation.OffsetPair]

  /// Whether the lists are equal. A first list can be both initial and empty.
  public var isEmpty: Bool {
    removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }
}

extension DatabaseObservation {
  /// Where one element was in a list, and where it is now.
  public struct OffsetPair: Hashable, Sendable {
    /// The offset in the old list.
    public var old: Int
    /// The offset in the new list.
    public var new: Int

    public init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }
  }
}

extension ListDifference {
  /// A first list, all of which is inserted.
  public init(initial elements: [Element]) {
    self.init(
      oldElements: [], elements: elements, isInitial: true, removals: [],
      insertions: Array(elements.indices), moves: [], updates: [])
  }
}

extension ListDifference where Element: Equatable {
  /// What has become of a list.
  ///
  /// - Parameters:
  ///   - old: The list as it was.
  ///   - new: The list as it is.
  ///   - id: What an element is known by, however else it changes.
  /// - Complexity: O(*n* log *n*) in the elements between the ends that the lists have in common, O(*n*) in
  ///   those of the ends. Each id there is hashed once, and each element compared with at most one other.
  public init<ID: Hashable>(from old: [Element], to new: [Element], by id: (Element) -> ID) {
    let matching = ListMatching(from: old, to: new, by: id)
    let updates = matching.pairs.filter { old[$0.old] != new[$0.new] }
    self.init(
      oldElements: old, elements: new, isInitial: false, removals: matching.removals,
      insertions: matching.insertions, moves: matching.moves, updates: updates)
  }
}

extension ListDifference where Element: Equatable & Identifiable {
  /// What has become of a list of elements that have ids.
  public init(from old: [Element], to new: [Element]) { self.init(from: old, to: new, by: \.id) }
}

extension ListDifference: Sendable where Element: Sendable {}
extension ListDifference: Equatable where Element: Equatable {}
extension ListDifference: Hashable where Element: Hashable {}

extension ListDifference: CustomStringConvertible {
  /// The offsets, such as `removed 1; inserted 2; moved 2 → 0; updated 3 → 3`.
  public var description: String {
    func list(_ deed: String, _ offsets: [some Any], _ text: (Int) -> String) -> [String] {
      if offsets.isEmpty { return [] }
      return ["\(deed) \(offsets.indices.map(text).joined(separator: ", "))"]
    }
    func pair(_ pair: DatabaseObservation.OffsetPair) -> String { "\(pair.old) → \(pair.new)" }
    let parts =
      list("removed", removals) { "\(removals[$0])" }
      + list("inserted", insertions) { "\(insertions[$0])" }
      + list("moved", moves) { pair(moves[$0]) } + list("updated", updates) { pair(updates[$0]) }
    return parts.isEmpty ? "no difference" : parts.joined(separator: "; ")
  }
}

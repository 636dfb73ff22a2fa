public import SQLiteCore

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

extension ListDifference {
  /// Makes a list of something else follow: one that has an item for each element, in the same order.
  ///
  /// What belongs to an element stays with it, wherever it moves:
  ///
  /// ```swift
  /// for try await difference in players.differences {
  ///   try difference.apply(to: &rows) { PlayerRow($0) } update: { $0.show($1) }
  /// }
  /// ```
  ///
  /// Where `insert` or `update` throws, the list stays as it is, but for what `update` has done to objects.
  ///
  /// - Parameters:
  ///   - items: The items of ``oldElements``, and afterwards those of ``elements``.
  ///   - insert: Makes the item of an element that was inserted.
  ///   - update: Takes over what has changed of an element.
  /// - Throws: ``ListDifferenceError`` where the list does not have as many items as there were elements.
  /// - Complexity: O(*n*) in the length of both lists.
  public func apply<Item>(
    to items: inout [Item], insert: (Element) throws -> Item,
    update: (inout Item, Element) throws -> Void
  ) throws {
    try checkCount(items.count)
    var result = try arranging(items) { try insert(elements[$0]) }
    for pair in updates { try update(&result[pair.new], elements[pair.new]) }
    items = result
  }

  /// The items, as many as there were elements, in their new places, and those that were inserted.
  ///
  /// - Parameter insert: Gives the item for a new offset.
  func arranging<Item>(
    _ items: [Item], insert: (Int) throws -> Item
  ) rethrows -> [Item] {
    // What is neither removed nor moved fills, in its order, what is neither inserted nor moved to.
    var leaves = Array(repeating: false, count: items.count)
    for offset in removals { leaves[offset] = true }
    for move in moves { leaves[move.old] = true }
    var result: [Item?] = Array(repeating: nil, count: elements.count)
    for offset in insertions { result[offset] = .some(try insert(offset)) }
    for move in moves { result[move.new] = .some(items[move.old]) }
    var free = 0
    for offset in items.indices where !leaves[offset] {
      while case .some = result[free] { free += 1 }
      result[free] = .some(items[offset])
    }
    return result.compactMap(\.self)
  }

  private func checkCount(_ count: Int) throws(ListDifferenceError) {
    guard count == oldElements.count else {
      throw .otherCount(expected: oldElements.count, found: count)
    }
  }
}

extension ListDifference where Element: Equatable {
  /// The list that comes of another one.
  ///
  /// - Parameter list: The list as it was: one that equals ``oldElements``.
  /// - Returns: The list as it is, which equals ``elements``.
  /// - Throws: ``ListDifferenceError`` where it is not the list that this is a difference to.
  /// - Complexity: O(*n*) in the length of both lists.
  public func applying(to list: [Element]) throws(ListDifferenceError) -> [Element] {
    try checkCount(list.count)
    var result = arranging(list) { elements[$0] }
    for pair in updates { result[pair.new] = elements[pair.new] }
    for (offset, pair) in zip(result, elements).enumerated() where pair.0 != pair.1 {
      throw .otherElement(atNewOffset: offset)
    }
    return result
  }
}

/// Why a difference can't be applied to a list: it is not a difference to that one.
public enum ListDifferenceError: DataError, Hashable {
  /// The list has not as many elements as the one that the difference was made from.
  case otherCount(expected: Int, found: Int)
  /// The list has other elements: the first to be seen comes to stand at this offset.
  case otherElement(atNewOffset: Int)
}

extension ListDifferenceError {
  public var kind: DataErrorKind { .invalidRequest }
  public var description: String { message }

  public var message: String {
    switch self {
    case .otherCount(let expected, let found):
      "the difference is one to a list of \(expected), and this has \(found)"
    case .otherElement(let offset):
      "the difference is one to another list: what comes to stand at offset \(offset) differs"
    }
  }
}

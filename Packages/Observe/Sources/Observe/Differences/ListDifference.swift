public import SQLiteCore

/// The difference between two lists: which elements were removed, inserted, moved and updated, by
/// their ids.
///
/// ```swift
/// let difference = ListDifference(from: [1, 2, 3], to: [3, 1, 4], by: { $0 })
/// print(difference)  // removed 1; inserted 2; moved 0 → 1
/// ```
///
/// The offsets have the form that list views expect for a batch of updates: removals are offsets in
/// the old list, insertions are offsets in the new one, and moves are pairs of both. All other
/// elements keep their order. An element that has the same id as before but is not equal is in
/// ``updates``; it may also be in ``moves``. List views reload it at its new offset, after the
/// other changes.
///
/// - **The number of moves is minimal**: the elements that stay form a longest increasing
///   subsequence.
/// - **Ids may be duplicated.** If both lists begin or end with the same ids, those elements are
///   matched. In between, the first element with an id in one list is matched with the first in the
///   other, the second with the second, and so on. The remaining elements are removed or inserted.
public struct ListDifference<Element> {
  /// The old list. Offsets in ``removals``, and the old offsets of pairs, refer to it.
  public let oldElements: [Element]
  /// The new list. Offsets in ``insertions``, and the new offsets of pairs, refer to it.
  public let elements: [Element]
  /// A Boolean value that indicates whether this is the consumer's first list, so that all elements
  /// are inserted.
  public let isInitial: Bool
  /// The old offsets of removed elements, ascending.
  public let removals: [Int]
  /// The new offsets of inserted elements, ascending.
  public let insertions: [Int]
  /// The elements whose relative position changed, ascending by old offsets.
  public let moves: [DatabaseObservation.OffsetPair]
  /// The elements with the same id that are no longer equal, ascending by old offsets.
  public let updates: [DatabaseObservation.OffsetPair]

  /// A Boolean value that indicates whether the lists are equal. A first list can be both initial
  /// and empty.
  public var isEmpty: Bool {
    removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }
}

extension DatabaseObservation {
  /// An element's offset in the old list and in the new one.
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
  /// Creates the difference to a first list: all elements are inserted.
  public init(initial elements: [Element]) {
    self.init(
      oldElements: [], elements: elements, isInitial: true, removals: [],
      insertions: Array(elements.indices), moves: [], updates: [])
  }
}

extension ListDifference where Element: Equatable {
  /// Creates the difference between two lists.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list.
  ///   - id: Returns an element's identity, which is independent of its other properties.
  /// - Complexity: O(*n* log *n*) in the elements between the lists' common prefix and suffix,
  ///   O(*n*) in the elements of the prefix and suffix. Each id in between is hashed once, and each
  ///   element is compared with at most one other.
  public init<ID: Hashable>(from old: [Element], to new: [Element], by id: (Element) -> ID) {
    let matching = ListMatching(from: old, to: new, by: id)
    let updates = matching.pairs.filter { old[$0.old] != new[$0.new] }
    self.init(
      oldElements: old, elements: new, isInitial: false, removals: matching.removals,
      insertions: matching.insertions, moves: matching.moves, updates: updates)
  }
}

extension ListDifference where Element: Equatable & Identifiable {
  /// Creates the difference between two lists of identifiable elements.
  public init(from old: [Element], to new: [Element]) { self.init(from: old, to: new, by: \.id) }
}

extension ListDifference: Sendable where Element: Sendable {}
extension ListDifference: Equatable where Element: Equatable {}
extension ListDifference: Hashable where Element: Hashable {}

extension ListDifference: CustomStringConvertible {
  /// The offsets, such as `removed 1; inserted 2; moved 2 → 0; updated 3 → 3`.
  public var description: String {
    func list(_ verb: String, _ offsets: [some Any], _ text: (Int) -> String) -> [String] {
      if offsets.isEmpty { return [] }
      return ["\(verb) \(offsets.indices.map(text).joined(separator: ", "))"]
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
  /// Applies the difference to a list of items that correspond to the elements, in the same order.
  ///
  /// An element's item moves with the element:
  ///
  /// ```swift
  /// for try await difference in players.differences {
  ///   try difference.apply(to: &rows) { PlayerRow($0) } update: { $0.show($1) }
  /// }
  /// ```
  ///
  /// If `insert` or `update` throws, the list is unchanged, except for objects that `update` has
  /// modified.
  ///
  /// - Parameters:
  ///   - items: The items of ``oldElements``, replaced by the items of ``elements``.
  ///   - insert: Returns the item of an inserted element.
  ///   - update: Updates the item of a changed element.
  /// - Throws: ``ListDifferenceError`` if the number of items differs from the number of old
  ///   elements.
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

  /// Returns the items at their new positions, including inserted items.
  ///
  /// - Parameter insert: Returns the item for a new offset.
  func arranging<Item>(
    _ items: [Item], insert: (Int) throws -> Item
  ) rethrows -> [Item] {
    // Items that are neither removed nor moved fill the remaining positions in order.
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
      throw .countMismatch(expected: oldElements.count, found: count)
    }
  }
}

extension ListDifference where Element: Equatable {
  /// Applies the difference to a list.
  ///
  /// - Parameter list: A list that equals ``oldElements``.
  /// - Returns: The new list, which equals ``elements``.
  /// - Throws: ``ListDifferenceError`` if the list does not equal ``oldElements``.
  /// - Complexity: O(*n*) in the length of both lists.
  public func applying(to list: [Element]) throws(ListDifferenceError) -> [Element] {
    try checkCount(list.count)
    var result = arranging(list) { elements[$0] }
    for pair in updates { result[pair.new] = elements[pair.new] }
    for (offset, pair) in zip(result, elements).enumerated() where pair.0 != pair.1 {
      throw .elementMismatch(atNewOffset: offset)
    }
    return result
  }
}

/// The reason why a difference can't be applied to a list.
public enum ListDifferenceError: DataError, Hashable {
  /// The list's length differs from the length of the difference's old list.
  case countMismatch(expected: Int, found: Int)
  /// The list's elements differ from the old list's: the first different element has this new
  /// offset.
  case elementMismatch(atNewOffset: Int)
}

extension ListDifferenceError {
  public var kind: DataErrorKind { .invalidRequest }
  public var description: String { message }

  public var message: String {
    switch self {
    case .countMismatch(let expected, let found):
      "the difference applies to a list of \(expected) elements, but the list has \(found)"
    case .elementMismatch(let offset):
      "the difference does not apply to this list: the element at new offset \(offset) differs"
    }
  }
}

public import SQLiteCore

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

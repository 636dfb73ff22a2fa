/// A run of adjacent list elements with the same key.
public struct ListSection<Key, Element> {
  public var key: Key
  public var elements: [Element]

  public init(key: Key, elements: [Element]) {
    self.key = key
    self.elements = elements
  }
}

extension ListSection: Sendable where Key: Sendable, Element: Sendable {}
extension ListSection: Equatable where Key: Equatable, Element: Equatable {}
extension ListSection: Hashable where Key: Hashable, Element: Hashable {}

extension ListSection where Key: Equatable {
  /// Splits a list at each change of the key.
  ///
  /// A key can occur more than once if the list is not ordered by it.
  public static func sections(
    of list: some Sequence<Element>, by key: (Element) -> Key
  ) -> [ListSection] {
    var sections: [ListSection] = []
    for element in list {
      let key = key(element)
      if sections.last?.key == key {
        sections[sections.count - 1].elements.append(element)
      } else {
        sections.append(ListSection(key: key, elements: [element]))
      }
    }
    return sections
  }
}

/// The difference between two sectioned lists: of the section keys, and of each section's rows.
///
/// ```swift
/// for try await difference in players.differences(by: \.id, sectionBy: \.team) {
///   list.moveSections(difference.sections)
///   for section in difference.rows { list.moveRows(section.rows, in: section.offsets) }
/// }
/// ```
///
/// Row differences are computed only for sections in both lists. The rows of other sections are
/// inserted or removed with their section. A row that moves to another section is removed from one
/// and inserted into the other.
public struct SectionedListDifference<Key, Element> {
  /// A section whose rows have changed.
  public struct Rows {
    /// The section's old and new offsets.
    public let offsets: DatabaseObservation.OffsetPair
    /// The difference of the section's rows, by their offsets within the section.
    public let rows: ListDifference<Element>
  }

  /// The new sections.
  public let elements: [ListSection<Key, Element>]
  /// The difference of the section keys. No key is ever updated.
  public let sections: ListDifference<Key>
  /// The sections in both lists whose rows changed, ascending by old offsets.
  public let rows: [Rows]

  /// A Boolean value that indicates whether this is the consumer's first list, so that all elements
  /// are inserted.
  public var isInitial: Bool { sections.isInitial }

  /// A Boolean value that indicates whether the lists are equal. A first list can be both initial
  /// and empty.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }
}

extension SectionedListDifference {
  /// Creates the difference to a first list: all elements are inserted.
  public init(initial elements: [ListSection<Key, Element>]) {
    self.init(
      elements: elements, sections: ListDifference(initial: elements.map(\.key)), rows: [])
  }
}

extension SectionedListDifference where Key: Hashable, Element: Equatable {
  /// Creates the difference between two sectioned lists.
  ///
  /// - Parameters:
  ///   - old: The old sections.
  ///   - new: The new sections.
  ///   - id: Returns an element's identity, which is independent of its other properties.
  /// - Complexity: The same as ``ListDifference/init(from:to:by:)``, for all rows together.
  public init<ID: Hashable>(
    from old: [ListSection<Key, Element>], to new: [ListSection<Key, Element>],
    by id: (Element) -> ID
  ) {
    let (oldKeys, newKeys) = (old.map(\.key), new.map(\.key))
    let matching = ListMatching(from: oldKeys, to: newKeys, by: \.self)
    let rows = matching.pairs.map { pair in
      Rows(
        offsets: pair,
        rows: ListDifference(from: old[pair.old].elements, to: new[pair.new].elements, by: id))
    }
    self.init(
      elements: new, sections: ListDifference(from: oldKeys, to: newKeys, by: \.self),
      rows: rows.filter { !$0.rows.isEmpty })
  }
}

extension SectionedListDifference where Key: Equatable, Element: Equatable {
  /// Applies the difference to sections.
  ///
  /// - Parameter list: The old sections.
  /// - Returns: The new sections, which equal ``elements``.
  /// - Throws: ``ListDifferenceError`` if the sections do not equal the old ones.
  /// - Complexity: O(*n*) in the numbers of old and new rows.
  public func applying(
    to list: [ListSection<Key, Element>]
  ) throws(ListDifferenceError) -> [ListSection<Key, Element>] {
    _ = try sections.applying(to: list.map(\.key))
    var old = list
    for section in rows {
      let elements = try section.rows.applying(to: old[section.offsets.old].elements)
      old[section.offsets.old].elements = elements
    }
    let result = sections.arranging(old) { elements[$0] }
    for offset in result.indices where result[offset] != elements[offset] {
      throw .elementMismatch(atNewOffset: offset)
    }
    return result
  }
}

extension SectionedListDifference: Sendable where Key: Sendable, Element: Sendable {}
extension SectionedListDifference: Equatable where Key: Equatable, Element: Equatable {}
extension SectionedListDifference: Hashable where Key: Hashable, Element: Hashable {}
extension SectionedListDifference.Rows: Sendable where Key: Sendable, Element: Sendable {}
extension SectionedListDifference.Rows: Equatable where Key: Equatable, Element: Equatable {}
extension SectionedListDifference.Rows: Hashable where Key: Hashable, Element: Hashable {}

extension DatabaseObservation {
  /// A sequence of differences between successive lists, which are split into sections.
  ///
  /// Otherwise as ``DatabaseObservation/ListDifferences``: each difference is relative to the list
  /// that this consumer last received, and is computed outside any actor; equal lists are skipped.
  public struct SectionedListDifferences<
    Base: AsyncSequence & Sendable, Key: Hashable & Sendable, ID: Hashable
  >: AsyncSequence, Sendable
  where
    Base.Element: RandomAccessCollection & Sendable, Base.Element.Element: Equatable & Sendable
  {
    public typealias Element = SectionedListDifference<Key, Base.Element.Element>
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    let base: Base
    let id: @Sendable (Base.Element.Element) -> ID
    let key: @Sendable (Base.Element.Element) -> Key

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: base.makeAsyncIterator(), id: id, key: key)
    }

    /// One iteration of the differences, starting with the first list.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let id: @Sendable (Base.Element.Element) -> ID
      let key: @Sendable (Base.Element.Element) -> Key
      /// The last delivered sections.
      private var last: [ListSection<Key, Base.Element.Element>]?

      init(
        base: Base.AsyncIterator, id: @escaping @Sendable (Base.Element.Element) -> ID,
        key: @escaping @Sendable (Base.Element.Element) -> Key
      ) {
        self.base = base
        self.id = id
        self.key = key
      }

      /// Returns the difference between the last list and the next one that is not equal to it.
      ///
      /// - Returns: `nil` if the sequence of lists ends.
      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Base.Failure) -> Element? {
        while let list = try await base.next(isolation: actor) {
          if let difference = await difference(to: list) { return difference }
        }
        return nil
      }

      /// The same as `next(isolation:)`, isolated to no actor. Systems before macOS 15 call this
      /// method.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> Element? {
        while let list = try await base.next() {
          if let difference = await difference(to: list) { return difference }
        }
        return nil
      }

      /// Returns the difference between the last list and another one, or `nil` if they are equal.
      private mutating func difference(to list: Base.Element) async -> Element? {
        let difference = await Element.computing(from: last, to: list, by: id, sectionBy: key)
        last = difference.elements
        return difference.isInitial || !difference.isEmpty ? difference : nil
      }
    }
  }
}

extension SectionedListDifference
where Key: Hashable & Sendable, Element: Equatable & Sendable {
  /// Computes a difference outside any actor.
  @concurrent static func computing<ID: Hashable>(
    from old: [ListSection<Key, Element>]?,
    to list: some RandomAccessCollection<Element> & Sendable, by id: @Sendable (Element) -> ID,
    sectionBy key: @Sendable (Element) -> Key
  ) async -> SectionedListDifference {
    let new = ListSection.sections(of: list, by: key)
    return old.map { SectionedListDifference(from: $0, to: new, by: id) }
      ?? SectionedListDifference(initial: new)
  }
}

extension AsyncSequence
where
  Self: Sendable, Element: RandomAccessCollection & Sendable,
  Element.Element: Equatable & Sendable
{
  /// Returns the differences between successive lists, which are split into sections.
  ///
  /// - Parameters:
  ///   - id: Returns an element's identity, such as its primary key.
  ///   - key: Returns the key that adjacent elements of a section share. Order the list by this key
  ///     to get one section per key.
  public func differences<Key: Hashable & Sendable, ID: Hashable>(
    by id: @escaping @Sendable (Element.Element) -> ID,
    sectionBy key: @escaping @Sendable (Element.Element) -> Key
  ) -> DatabaseObservation.SectionedListDifferences<Self, Key, ID> {
    DatabaseObservation.SectionedListDifferences(base: self, id: id, key: key)
  }
}

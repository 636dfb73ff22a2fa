/// A run of neighbours in a list that have the same key.
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
  /// A list, cut wherever the key changes.
  ///
  /// A key may come more than once, where the list is not ordered by it.
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

/// What has become of a list in sections: of the sections, by their keys, and of the rows of each.
///
/// ```swift
/// for try await difference in players.differences(by: \.id, sectionBy: \.team) {
///   list.moveSections(difference.sections)
///   for section in difference.rows { list.moveRows(section.rows, in: section.offsets) }
/// }
/// ```
///
/// Rows are told where their section is there before and after; those of others come and go with it. A row that
/// changes from one section to another is removed there and inserted here.
public struct SectionedListDifference<Key, Element> {
  /// A section whose rows have changed.
  public struct Rows {
    /// Where it was among the sections, and where it is.
    public let offsets: DatabaseObservation.OffsetPair
    /// What has become of its rows, by their offsets in it.
    public let rows: ListDifference<Element>
  }

  /// The sections as they are.
  public let elements: [ListSection<Key, Element>]
  /// What has become of their keys. None is ever updated.
  public let sections: ListDifference<Key>
  /// The sections of before and after whose rows have changed, ascending by old offsets.
  public let rows: [Rows]

  /// Whether this is the first list that a consumer was given, so that all of it is inserted.
  public var isInitial: Bool { sections.isInitial }

  /// Whether the lists are equal. A first list can be both initial and empty.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }
}

extension SectionedListDifference {
  /// A first list, all of which is inserted.
  public init(initial elements: [ListSection<Key, Element>]) {
    self.init(
      elements: elements, sections: ListDifference(initial: elements.map(\.key)), rows: [])
  }
}

extension SectionedListDifference where Key: Hashable, Element: Equatable {
  /// What has become of a list in sections.
  ///
  /// - Parameters:
  ///   - old: The sections as they were.
  ///   - new: The sections as they are.
  ///   - id: What an element is known by, however else it changes.
  /// - Complexity: That of ``ListDifference/init(from:to:by:)``, for all rows together.
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
  /// The sections that come of others.
  ///
  /// - Parameter list: The sections as they were.
  /// - Returns: The sections as they are, which equal ``elements``.
  /// - Throws: ``ListDifferenceError`` where they are not what this is a difference to.
  /// - Complexity: O(*n*) in the rows before and after.
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
      throw .otherElement(atNewOffset: offset)
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
  /// A sequence of lists, each cut into sections, and told as what has become of the list before.
  ///
  /// For the rest it is as ``DatabaseObservation/ListDifferences``: what it tells is a difference to what this consumer was given
  /// last, and is found on no actor; a list that equals the one before is skipped.
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

    /// One run of the differences, from the first list on.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let id: @Sendable (Base.Element.Element) -> ID
      let key: @Sendable (Base.Element.Element) -> Key
      /// The sections that were given last.
      private var last: [ListSection<Key, Base.Element.Element>]?

      init(
        base: Base.AsyncIterator, id: @escaping @Sendable (Base.Element.Element) -> ID,
        key: @escaping @Sendable (Base.Element.Element) -> Key
      ) {
        self.base = base
        self.id = id
        self.key = key
      }

      /// The difference between the last list and the next that is not equal to it.
      ///
      /// - Returns: `nil` where the sequence of lists ends.
      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Base.Failure) -> Element? {
        while let list = try await base.next(isolation: actor) {
          if let difference = await difference(to: list) { return difference }
        }
        return nil
      }

      /// The same, isolated to no actor. Systems before macOS 15 call this.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> Element? {
        while let list = try await base.next() {
          if let difference = await difference(to: list) { return difference }
        }
        return nil
      }

      /// The difference between the last list and another one; `nil` if they are equal.
      private mutating func difference(to list: Base.Element) async -> Element? {
        let difference = await Element.finding(from: last, to: list, by: id, sectionBy: key)
        last = difference.elements
        return difference.isInitial || !difference.isEmpty ? difference : nil
      }
    }
  }
}

extension SectionedListDifference
where Key: Hashable & Sendable, Element: Equatable & Sendable {
  /// Finds a difference on no actor.
  @concurrent static func finding<ID: Hashable>(
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
  /// Cuts each list into sections, and tells what has become of those of the one before.
  ///
  /// - Parameters:
  ///   - id: What an element is known by, however else it changes: its primary key, say.
  ///   - key: What neighbours have in common that make a section. A list that is to have one section for each
  ///     is ordered by it.
  public func differences<Key: Hashable & Sendable, ID: Hashable>(
    by id: @escaping @Sendable (Element.Element) -> ID,
    sectionBy key: @escaping @Sendable (Element.Element) -> Key
  ) -> DatabaseObservation.SectionedListDifferences<Self, Key, ID> {
    DatabaseObservation.SectionedListDifferences(base: self, id: id, key: key)
  }
}

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

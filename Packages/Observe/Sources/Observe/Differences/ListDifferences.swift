extension DatabaseObservation {
  /// A sequence of differences between successive lists.
  ///
  /// ```swift
  /// let players = database.observe { connection in
  ///   try connection.fetchAll(Player.self, "SELECT * FROM player ORDER BY score DESC")
  /// }
  /// for try await difference in players.differences(by: \.id) {
  ///   if difference.isInitial { list.reload(difference.elements) } else { list.animate(difference) }
  /// }
  /// ```
  ///
  /// - The first difference is ``ListDifference/isInitial``: all elements are inserted.
  /// - Each later difference is relative to the list that **this consumer** last received. Lists
  ///   that a slow consumer skipped are included: applying the differences one after another always
  ///   results in the current list.
  /// - A list that equals the previous one is skipped.
  /// - Differences are computed neither on the caller's actor nor under a lock: see
  ///   ``ListDifference/init(from:to:by:)`` for the cost.
  ///
  /// The sequence ends, and throws, as the sequence of lists does.
  public struct ListDifferences<Base: AsyncSequence & Sendable, ID: Hashable>: AsyncSequence,
    Sendable
  where
    Base.Element: RandomAccessCollection & Sendable, Base.Element.Element: Equatable & Sendable
  {
    public typealias Element = ListDifference<Base.Element.Element>
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    let base: Base
    let id: @Sendable (Base.Element.Element) -> ID

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: base.makeAsyncIterator(), id: id)
    }

    /// One iteration of the differences, starting with the first list.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let id: @Sendable (Base.Element.Element) -> ID
      /// The last delivered list.
      private var last: [Base.Element.Element]?

      init(base: Base.AsyncIterator, id: @escaping @Sendable (Base.Element.Element) -> ID) {
        self.base = base
        self.id = id
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
        let difference = await Element.computing(from: last, to: list, by: id)
        last = difference.elements
        return difference.isInitial || !difference.isEmpty ? difference : nil
      }
    }
  }
}

extension ListDifference where Element: Equatable & Sendable {
  /// Computes a difference outside any actor.
  @concurrent static func computing<ID: Hashable>(
    from old: [Element]?, to list: some RandomAccessCollection<Element> & Sendable,
    by id: @Sendable (Element) -> ID
  ) async -> ListDifference {
    let new = Array(list)
    return old.map { ListDifference(from: $0, to: new, by: id) } ?? ListDifference(initial: new)
  }
}

extension AsyncSequence
where
  Self: Sendable, Element: RandomAccessCollection & Sendable,
  Element.Element: Equatable & Sendable
{
  /// Returns the differences between successive lists.
  ///
  /// - Parameter id: Returns an element's identity, such as its primary key. Duplicate identities
  ///   are allowed: see ``ListDifference``.
  public func differences<ID: Hashable>(
    by id: @escaping @Sendable (Element.Element) -> ID
  ) -> DatabaseObservation.ListDifferences<Self, ID> {
    DatabaseObservation.ListDifferences(base: self, id: id)
  }
}

extension AsyncSequence
where
  Self: Sendable, Element: RandomAccessCollection & Sendable,
  Element.Element: Equatable & Identifiable & Sendable
{
  /// The differences between successive lists.
  public var differences: DatabaseObservation.ListDifferences<Self, Element.Element.ID> {
    differences { $0.id }
  }
}

extension DatabaseObservation {
  /// The results of an observation of a list, with differences between successive lists.
  ///
  /// ```swift
  /// for await result in database.observe(fetch).results.differences(by: \.id) {
  ///   switch result {
  ///   case .success(let difference): list.animate(difference)
  ///   case .failure(let error): show(error)
  ///   }
  /// }
  /// ```
  ///
  /// An error does not affect the differences: the difference after an error is relative to the
  /// last list, and is delivered even if it is empty, to signal recovery. Otherwise the sequence
  /// behaves as ``DatabaseObservation/ListDifferences``.
  public struct ListDifferenceResults<
    Base: AsyncSequence & Sendable, List: RandomAccessCollection & Sendable, ID: Hashable
  >: AsyncSequence, Sendable
  where Base.Element == Result<List, any Error>, List.Element: Equatable & Sendable {
    public typealias Element = Result<ListDifference<List.Element>, any Error>
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    let base: Base
    let id: @Sendable (List.Element) -> ID

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: base.makeAsyncIterator(), id: id)
    }

    /// One iteration of the differences, starting with the first list or error.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let id: @Sendable (List.Element) -> ID
      /// The last delivered list.
      private var last: [List.Element]?
      private var hasFailed = false

      init(base: Base.AsyncIterator, id: @escaping @Sendable (List.Element) -> ID) {
        self.base = base
        self.id = id
      }

      /// Returns the next error, or the difference between the last list and the next.
      ///
      /// - Returns: `nil` if the sequence of results ends.
      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Base.Failure) -> Element? {
        while let result = try await base.next(isolation: actor) {
          if let difference = await difference(to: result) { return difference }
        }
        return nil
      }

      /// The same as `next(isolation:)`, isolated to no actor. Systems before macOS 15 call this
      /// method.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> Element? {
        while let result = try await base.next() {
          if let difference = await difference(to: result) { return difference }
        }
        return nil
      }

      /// Returns an error or the difference to another list, or `nil` if nothing must be delivered.
      private mutating func difference(to result: Base.Element) async -> Element? {
        switch result {
        case .failure(let error):
          hasFailed = true
          return .failure(error)
        case .success(let list):
          let difference = await ListDifference.computing(from: last, to: list, by: id)
          last = difference.elements
          guard hasFailed || difference.isInitial || !difference.isEmpty else { return nil }
          hasFailed = false
          return .success(difference)
        }
      }
    }
  }
}

extension AsyncSequence where Self: Sendable {
  /// Returns the differences between successive lists, and the errors between them.
  ///
  /// - Parameter id: Returns an element's identity, such as its primary key.
  public func differences<List, ID: Hashable>(
    by id: @escaping @Sendable (List.Element) -> ID
  ) -> DatabaseObservation.ListDifferenceResults<Self, List, ID>
  where
    Element == Result<List, any Error>, List: RandomAccessCollection & Sendable,
    List.Element: Equatable & Sendable
  {
    DatabaseObservation.ListDifferenceResults(base: self, id: id)
  }
}

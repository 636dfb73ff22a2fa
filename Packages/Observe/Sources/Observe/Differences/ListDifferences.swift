extension DatabaseObservation {
  /// A sequence of lists, each told as what has become of the list before.
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
  /// - The first is ``ListDifference/isInitial``: all of the list is inserted, if there is anything in it.
  /// - Each later one is a difference to the list that **this consumer** was given last. What it has missed
  ///   meanwhile, because it was slow, is part of it: applied one after another, differences always give the list.
  /// - A list that equals the one before is skipped.
  /// - Differences are found neither on the caller's actor nor under a lock: see
  ///   ``ListDifference/init(from:to:by:)`` for what that costs.
  ///
  /// It ends, and throws, as the sequence of lists does.
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

    /// One run of the differences, from the first list on.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let id: @Sendable (Base.Element.Element) -> ID
      /// The list that was given last.
      private var last: [Base.Element.Element]?

      init(base: Base.AsyncIterator, id: @escaping @Sendable (Base.Element.Element) -> ID) {
        self.base = base
        self.id = id
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
        let difference = await Element.finding(from: last, to: list, by: id)
        last = difference.elements
        return difference.isInitial || !difference.isEmpty ? difference : nil
      }
    }
  }
}

extension ListDifference where Element: Equatable & Sendable {
  /// Finds a difference on no actor.
  @concurrent static func finding<ID: Hashable>(
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
  /// Tells each list as what has become of the one before.
  ///
  /// - Parameter id: What an element is known by, however else it changes: its primary key, say. Two
  ///   elements may have the same one: see ``ListDifference``.
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
  /// Tells each list as what has become of the one before.
  public var differences: DatabaseObservation.ListDifferences<Self, Element.Element.ID> {
    differences { $0.id }
  }
}

extension DatabaseObservation {
  /// The results of an observation of a list, each list told as what has become of the one before.
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
  /// An error changes nothing of the list: what comes after it is a difference to the last list, and comes also
  /// where it is empty, to say that all is well again. For the rest it is as ``DatabaseObservation/ListDifferences``.
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

    /// One run of the differences, from the first list or error on.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Base.AsyncIterator
      let id: @Sendable (List.Element) -> ID
      /// The list that was given last.
      private var last: [List.Element]?
      private var hasFailed = false

      init(base: Base.AsyncIterator, id: @escaping @Sendable (List.Element) -> ID) {
        self.base = base
        self.id = id
      }

      /// The next error, or the difference between the last list and the next.
      ///
      /// - Returns: `nil` where the sequence of results ends.
      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Base.Failure) -> Element? {
        while let result = try await base.next(isolation: actor) {
          if let difference = await difference(to: result) { return difference }
        }
        return nil
      }

      /// The same, isolated to no actor. Systems before macOS 15 call this.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> Element? {
        while let result = try await base.next() {
          if let difference = await difference(to: result) { return difference }
        }
        return nil
      }

      /// An error, or the difference between the last list and another one; `nil` if neither has to be delivered.
      private mutating func difference(to result: Base.Element) async -> Element? {
        switch result {
        case .failure(let error):
          hasFailed = true
          return .failure(error)
        case .success(let list):
          let difference = await ListDifference.finding(from: last, to: list, by: id)
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
  /// Tells each list as what has become of the one before, and each error as it is.
  ///
  /// - Parameter id: What an element is known by, however else it changes: its primary key, say.
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

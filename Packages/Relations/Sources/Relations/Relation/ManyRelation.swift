internal import SQLiteCore
internal import Synchronization

/// Many rows that a row leads to: an ordered list that is the owner's, or the rows whose to-one relation is the owner.
///
/// ```swift
/// struct Value: Table {
///   var id: AutoId = 0
///   var children = ManyRelation<Child>()          // a list of its own, in any order, by a table of links
///   var pictures = ManyRelation<Picture>(\.album) // those whose `album` is this one
/// }
/// try await parent.children.fetch()               // the first 150
/// for child in parent.children.items { … }
/// parent.children.append([child])                 // parent has changes now
/// parent.saveChangesLater()
/// ```
///
/// Nothing is fetched before it is asked for. ``items`` are those that were fetched: ``isLoaded`` tells none from not fetched,
/// ``hasMore`` whether there are others.
public final class ManyRelation<Target: TableModel>: Sendable {
  enum Kind: Sendable {
    case links(LinkRules)
    case inverse(InverseRelation<Target>, order: String?)
  }

  let kind: Kind
  /// How many are fetched at first, and then each time.
  let initial: Int
  let limit: Int
  private let state: Mutex<State>

  struct Element: Sendable {
    /// Its position among the owner's links; `nil` for one that is not saved.
    var position: Int64?
    let object: Target
  }

  struct State: Sendable {
    var elements: [Element] = []
    /// Those that were appended behind others that are yet to be fetched.
    var tail: [Target] = []
    /// The positions of links that were removed.
    var removed: [Int64] = []
    var isLoaded = false
    /// Whether the database has more of them behind those that were fetched.
    var hasUnfetched = false
    /// Whether something was appended since the last fetch.
    var hasAppended = false
    /// The position of the link that was fetched last.
    var lastPosition: Int64?
    /// Whether the list is to be saved.
    var isChanged = false
    var owner: RelationOwner?
    var property: String?
    var successor: ManyRelation?
  }

  /// An ordered list of rows, of which one may be there several times.
  ///
  /// - Parameters:
  ///   - initial: How many ``fetch()`` fetches at first.
  ///   - limit: How many it fetches each time from then on.
  ///   - onDeleteTarget: What becomes of the links to a row that is deleted: they go too.
  public convenience init(
    initial: Int = 150, limit: Int = 50, onDeleteTarget: ForeignKeyAction = .cascade
  ) {
    self.init(
      .links(LinkRules(onDeleteTarget: onDeleteTarget)), initial: initial, limit: limit)
  }

  /// The rows whose to-one relation is the owner.
  ///
  /// - Parameters:
  ///   - inverse: That relation.
  ///   - order: The order, as `ORDER BY` says it; rows that it leaves alike, and all where it is `nil`, follow by their keys.
  ///   - initial: How many ``fetch()`` fetches at first.
  ///   - limit: How many it fetches each time from then on.
  public convenience init<Owner: TableModel>(
    _ inverse: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable,
    orderedBy order: String? = nil,
    initial: Int = 150, limit: Int = 50
  ) {
    self.init(
      .inverse(InverseRelation(inverse), order: order), initial: initial, limit: limit)
  }

  init(_ kind: Kind, initial: Int, limit: Int) {
    self.kind = kind
    self.initial = Swift.max(1, initial)
    self.limit = Swift.max(1, limit)
    state = Mutex(State())
  }

  /// Runs `body` with the state of the one that is the property by now.
  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, successor) = state.withLock { state -> (Result?, ManyRelation?) in
      if let successor = state.successor { return (nil, successor) }
      return (body(&state), nil)
    }
    if let result { return result }
    guard let successor else { return with(body) }
    return successor.with(body)
  }

  // MARK: What is there

  /// The rows that were fetched, and those that were added behind them.
  public var items: [Target] { with { $0.elements.map(\.object) } }

  /// Whether any were fetched, or the owner is new, and so has none.
  public var isLoaded: Bool { with(\.isLoaded) }

  /// The rows that were fetched, and those that were added behind them: ``items``, where any were fetched.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/notLoaded`` where none were fetched: a list that is empty is none
  ///   that was not asked for.
  public func loaded() throws(RelationError) -> [Target] {
    let (items, property) = with { state -> ([Target]?, String?) in
      (state.isLoaded ? state.elements.map(\.object) : nil, state.property)
    }
    if let items { return items }
    throw RelationError(
      .notLoaded, "the list was not fetched", table: Target.Row.tableName, column: property)
  }

  /// Whether there are rows that are not in ``items``: as far as is known, and after ``append(_:)`` until the next
  /// ``fetch()``.
  public var hasMore: Bool { with { $0.hasUnfetched || $0.hasAppended } }

  // MARK: Changing it

  /// Adds rows at the end.
  ///
  /// A list of links has them behind all others, whether these were fetched or not. Rows of an owner that they refer to refer to
  /// this one from now on. They are saved with the owner, if they are new or refer to it only now.
  public func append(_ objects: [Target]) { change { $0.append(objects) } }

  /// Puts rows before the one at an index of ``items``.
  public func insert(_ objects: [Target], at index: Int) {
    change { $0.insert(objects, at: index) }
  }

  /// Takes the row at an index of ``items`` out of the list. It is not deleted.
  public func remove(at index: Int) { change { $0.remove(at: index) } }

  /// Takes the row at an index of ``items`` to another place.
  ///
  /// - Parameter destination: The index that it has then.
  public func move(from source: Int, to destination: Int) {
    change { state in
      guard state.elements.indices.contains(source) else { return [] }
      let object = state.elements[source].object
      _ = state.remove(at: source)
      return state.insert([object], at: destination)
    }
  }

  private func change(_ body: (inout State) -> [Move]) {
    let (moves, owner) = with { state -> ([Move], RelationOwner?) in
      let moves = body(&state)
      if !moves.isEmpty { state.isChanged = true }
      return (moves, state.owner)
    }
    if moves.isEmpty { return }
    if case .inverse(let inverse, _) = kind {
      for move in moves { inverse.setOwner(move.object, move.isAdded ? owner : nil, true) }
    }
    owner?.noteChange()
  }

  struct Move: Sendable {
    let object: Target
    let isAdded: Bool
  }
}

extension ManyRelation.State {
  fileprivate mutating func append(_ objects: [Target]) -> [ManyRelation<Target>.Move] {
    if objects.isEmpty { return [] }
    if isLoaded, !hasUnfetched {
      elements += objects.map { ManyRelation<Target>.Element(object: $0) }
    } else {
      tail += objects
    }
    hasAppended = true
    return objects.map { ManyRelation<Target>.Move(object: $0, isAdded: true) }
  }

  fileprivate mutating func insert(
    _ objects: [Target], at index: Int
  ) -> [ManyRelation<Target>.Move] {
    let place = Swift.min(Swift.max(index, 0), elements.count)
    elements.insert(
      contentsOf: objects.map { ManyRelation<Target>.Element(object: $0) }, at: place)
    return objects.map { ManyRelation<Target>.Move(object: $0, isAdded: true) }
  }

  fileprivate mutating func remove(at index: Int) -> [ManyRelation<Target>.Move] {
    guard elements.indices.contains(index) else { return [] }
    let element = elements.remove(at: index)
    if let position = element.position { removed.append(position) }
    return [ManyRelation<Target>.Move(object: element.object, isAdded: false)]
  }
}

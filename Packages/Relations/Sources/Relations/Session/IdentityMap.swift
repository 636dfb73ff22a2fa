internal import SQLiteCore
internal import Synchronization

/// The instances of one model in a session.
final class IdentityMap<M: Model>: Sendable {
  struct Entry: Sendable {
    weak var model: M?
    /// The row as it is in the database, as far as is known; `nil` for one that is new.
    var saved: M.Value?
    /// The relations of the row, in the order in which they are encoded.
    var relations: [any AnyRelation]
    /// The instance, while it has changes that somebody told of.
    var held: M?
  }

  private struct State: Sendable {
    var entries: [M.ID: Entry] = [:]
    /// Those that get their keys as they are saved.
    var unkeyed: [Entry] = []
    var sweepCount = 64
  }

  private let state = Mutex(State())

  // MARK: Finding

  func model(for id: M.ID) -> M? { state.withLock { $0.entries[id]?.model } }

  /// The entry of an instance; `nil` where the session does not know it.
  func entry(of model: M) -> Entry? {
    let id = model.value.id
    return state.withLock { state in
      if let entry = state.entries[id], entry.model === model { return entry }
      return state.unkeyed.first { $0.model === model }
    }
  }

  /// All that are held by anyone.
  var models: [M] {
    state.withLock { state in
      state.entries.values.compactMap(\.model) + state.unkeyed.compactMap(\.model)
    }
  }

  // MARK: Adding

  /// The instance of a row: the one that there is, which becomes what the row says unless it has changes, or a new one.
  func instance(of fetched: FetchedRow<M.Value>, in session: ModelSession) -> M {
    let id = fetched.row.id
    if let known = model(for: id) {
      refresh(known, with: fetched, in: session)
      return known
    }
    let made = M(fetched.row)
    let found = state.withLock { state -> M in
      if let known = state.entries[id]?.model { return known }
      state.entries[id] = Entry(model: made, saved: fetched.row, relations: fetched.relations)
      sweep(&state)
      return made
    }
    guard found === made else {
      refresh(found, with: fetched, in: session)
      return found
    }
    attach(made, fetched.relations, in: session)
    return made
  }

  private func attach(_ model: M, _ relations: [any AnyRelation], in session: ModelSession) {
    if relations.isEmpty { return }
    let owner = RelationOwner(
      session: session, type: M.Value.self, key: model.value.id, model: model)
    relations.attach(owner)
  }

  /// Takes in an instance that is new, or was made by hand.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/foreignModel`` where another instance has the key.
  func add(_ model: M, in session: ModelSession) throws {
    let relations = try RelationList.of(model.value)
    let id = model.value.id
    try state.withLock { state throws in
      let entry = Entry(model: model, saved: nil, relations: relations, held: model)
      if id.isUnset {
        state.unkeyed.append(entry)
      } else {
        if let other = state.entries[id]?.model, other !== model {
          throw RelationError(
            .foreignModel, "another instance stands for the row", table: M.Value.tableName,
            key: id.literal)
        }
        state.entries[id] = entry
        sweep(&state)
      }
    }
    attach(model, relations, in: session)
    for case let list as any AnyManyRelation in relations { list.noteNewOwner() }
  }

  /// Makes an instance what its row says by now, unless it has changes: those stay, and so does what they began with.
  private func refresh(
    _ model: M, with fetched: FetchedRow<M.Value>, in session: ModelSession
  ) {
    guard let entry = entry(of: model), let saved = entry.saved, !isChanged(model, entry) else {
      return
    }
    guard fetched.row != saved else { return }
    for (relation, former) in zip(fetched.relations, entry.relations) {
      relation.takeOver(former)
    }
    model.value = fetched.row
    attach(model, fetched.relations, in: session)
    update(model) { entry in
      entry.saved = fetched.row
      entry.relations = fetched.relations
    }
  }

  private func update(_ model: M, _ change: (inout Entry) -> Void) {
    let id = model.value.id
    state.withLock { state in
      guard var entry = state.entries[id], entry.model === model else { return }
      change(&entry)
      state.entries[id] = entry
    }
  }

  // MARK: Changes

  /// Whether an instance is not as its row.
  func isChanged(_ model: M, _ entry: Entry) -> Bool {
    guard let saved = entry.saved else { return true }
    return model.value != saved || entry.relations.contains { $0.isChanged }
  }

  /// Holds an instance until it is saved.
  func hold(_ model: M) {
    let id = model.value.id
    state.withLock { state in
      if state.entries[id]?.model === model {
        state.entries[id]?.held = model
      } else if let place = state.unkeyed.firstIndex(where: { $0.model === model }) {
        state.unkeyed[place].held = model
      }
    }
  }

  /// Forgets what has gone.
  private func sweep(_ state: inout State) {
    guard state.entries.count > state.sweepCount else { return }
    state.entries = state.entries.filter { $0.value.model != nil }
    state.unkeyed.removeAll { $0.model == nil }
    state.sweepCount = Swift.max(64, 2 * state.entries.count)
  }
}

/// Those of any model.
protocol AnyIdentityMap: Sendable {
  /// The instances that are not as their rows.
  var changed: [any Model] { get }

  /// Notes that rows were deleted: of this table, or of one that its rows refer to.
  func noteDeleted(
    _ deleted: any Table.Type, _ keys: [[SQLiteValue]], in session: ModelSession
  ) async throws
}

extension IdentityMap: AnyIdentityMap {
  var changed: [any Model] {
    models.filter { model in entry(of: model).map { isChanged(model, $0) } ?? false }
  }
}

extension IdentityMap {
  /// Notes that an instance was saved.
  ///
  /// - Parameter row: As it was written, with its key.
  func noteSaved(_ model: M, _ row: M.Value, _ relations: [any AnyRelation]) {
    let id = row.id
    state.withLock { state in
      state.unkeyed.removeAll { $0.model === model || $0.model == nil }
      state.entries[id] = Entry(model: model, saved: row, relations: relations, held: nil)
      sweep(&state)
    }
  }

  /// Notes that a row is gone.
  func remove(_ id: M.ID) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }
}

extension [any AnyRelation] {
  /// Says whose properties they are, in the order in which the type encodes them.
  func attach(_ owner: RelationOwner) {
    // It was made as the row was fetched.
    guard !isEmpty, let shape = try? TableShape.of(owner.type) else { return }
    for (relation, property) in zip(self, shape.relationNames) {
      relation.attach(owner, property)
    }
  }
}

/// The relations of a row, in the order in which it encodes them.
enum RelationList {
  static func of(_ row: some Table) throws -> [any AnyRelation] {
    guard try !TableShape.of(type(of: row)).relations.isEmpty else { return [] }
    return try EncodedProperties(of: row).all.compactMap { $0.value as? any AnyRelation }
  }
}

/// Goes over instances of one type to find which columns of theirs have changed, where that is all that can have: what is written
/// and noted of them is no more than that.
///
/// It is so of types that are read directly, without hooks, versions or conflicts that matter. An instance whose relations have
/// changed, or lead to others, is left to ``SaveBuilder/add(_:)``.
@usableFromInline
struct PlainSearch {
  private let shape: TableMetadata
  /// The mark of what the save writes.
  private let moment: UInt64
  /// Whether the instances were asked for themselves: one whose row is gone is not left out then, but more of it is asked.
  private let areAsked: Bool
  private var place = -1
  /// The key of the row of the instance that is looked at.
  @usableFromInline private(set) var key = StoredKey.none
  /// When it was told that the instance has changes, where it is held for that.
  private var heldAt: UInt64?
  /// What has changed of the instance that is looked at, and of others before it.
  @usableFromInline var changes = ColumnChanges()
  /// What was found.
  private(set) var saves: PlainSaves

  init(
    _ identities: [Identity], _ shape: TableMetadata, plannedAt moment: UInt64, areAsked: Bool
  ) {
    saves = PlainSaves(of: identities)
    self.shape = shape
    self.moment = moment
    self.areAsked = areAsked
  }

  /// What is known of the instance that is looked at.
  var identity: Identity { saves.identities[place] }

  /// Goes on to the next instance that may be there, and of which the save does not write columns yet.
  @usableFromInline
  mutating func next() -> FoundInstance? {
    changes.begin()
    while place < saves.identities.count - 1 {
      place += 1
      let identity = saves.identities[place]
      if identity.isPlanned(at: moment) { continue }
      if let known = identity.knownRow {
        (key, heldAt) = (known.key, known.heldAt)
        return FoundInstance(identity: identity, row: known.row)
      }
      if areAsked { return FoundInstance(identity: identity, row: nil) }
    }
    return nil
  }

  /// Adds what has changed of the instance, if anything has; one that is as its row is held no longer.
  ///
  /// - Parameter row: The row as it is by now.
  @usableFromInline
  mutating func add(
    _ model: consuming any AnyObject & Sendable, _ row: consuming AnyKeptRow,
    to builder: inout SaveBuilder
  ) {
    if changes.isUnchanged {
      if let heldAt { identity.release(toldUntil: heldAt) }
      return
    }
    if let former = changes.end(key, shape) { builder.append(former) }
    identity.notePlanned(at: moment)
    saves.append(model, row, place, changes.places, isFirst: changes.count == 1)
    if saves.count == 64 {
      // As many of the others have changed, perhaps.
      let more = (saves.identities.count - place) * 64 / (place + 1)
      saves.reserve(more)
      changes.reserve(more)
    }
  }

  /// Adds all that was found so far.
  mutating func flush(to builder: inout SaveBuilder) {
    if let run = changes.take(shape) { builder.append(run) }
  }
}

/// What is known of an instance that may be there.
@usableFromInline
struct FoundInstance {
  @usableFromInline let identity: Identity
  /// Its row as it is in the database; `nil` where it has none, or relations of it lead to instances.
  @usableFromInline let row: AnyKeptRow?
}

extension Identity {
  /// The row, its key, and when it was told that the instance has changes, where that is held; `nil` where the row is known to be gone.
  fileprivate var knownRow: (row: AnyKeptRow?, key: StoredKey, heldAt: UInt64?)? {
    with { state in
      if state.isGone || state.isForgotten { return nil }
      var row: AnyKeptRow?
      if case .row(let kept) = state.saved { row = kept }
      return (row, state.savedKey, state.held == nil ? nil : state.heldAt)
    }
  }
}

extension IdentityMap {
  /// Adds all models that are not as their rows, in the order in which they came.
  func addChanged(to builder: inout SaveBuilder) throws {
    let all = with(\.known)
    // What is no table may be told of, but is never of the session.
    if all.isEmpty { return }
    let shape = try TableMetadata.of(M.Value.self)
    guard shape.isPlain else {
      for model in changedModels() { try builder.add(model) }
      return
    }
    try add(all, shape, areAsked: false, to: &builder)
  }

  /// Adds instances that were asked for, in their order.
  func add(_ models: [M], to builder: inout SaveBuilder) throws {
    let shape = try TableMetadata.of(M.Value.self)
    guard shape.isPlain, let identities = identities(of: models) else {
      for model in models { try builder.add(model) }
      return
    }
    try add(identities, shape, areAsked: true, to: &builder)
  }

  private func add(
    _ identities: [Identity], _ shape: TableMetadata, areAsked: Bool,
    to builder: inout SaveBuilder
  ) throws {
    var search = PlainSearch(identities, shape, plannedAt: builder.moment, areAsked: areAsked)
    while saving.addChanged(&search, &builder) {
      search.flush(to: &builder)
      let identity = search.identity
      guard let model = identity.model as? M, areAsked || isToBeSaved(model, identity) else {
        continue
      }
      try builder.add(model)
    }
    search.flush(to: &builder)
    if search.saves.count > 0 { builder.models(M.self, shape).plain.append(search.saves) }
  }

  /// Notes that instances were saved of which columns alone were changed, and so nothing but their rows is other than it was.
  func noteSaved(_ saves: inout PlainSaves, plannedAt moment: UInt64, in session: ModelSession) {
    // A relation was loaded meanwhile, or the row fetched.
    for save in saves.note(at: clock.tick(), plannedAt: moment) {
      guard let model = save.model as? M, case .row(let kept) = save.row,
        let row = kept.row(as: M.Value.self), let relations = try? RelationList.of(row)
      else { continue }
      noteSaved(
        model, row, relations, plannedAt: moment, written: saves.written[Int(save.written)],
        in: session)
    }
  }
}

/// Instances of which columns alone are written, and their rows: in one shape for all types.
struct PlainSaves {
  struct Save {
    /// The instance is held until it is saved.
    let model: any AnyObject & Sendable
    /// Its place among ``identities``.
    let place: Int32
    /// The number of the columns that are written.
    let written: Int32
    /// The row as it is written; what it was before, as soon as that is noted.
    var row: SavedRow?
  }

  /// Those that were looked at.
  let identities: [Identity]
  private var all: [Save] = []
  /// The places of the columns that are written of some that follow one another.
  private(set) var written: [[Int]] = []

  init(of identities: [Identity]) { self.identities = identities }

  var count: Int { all.count }

  mutating func reserve(_ more: Int) { all.reserveCapacity(all.count + more) }

  /// - Parameters:
  ///   - places: The places of the columns that are written.
  ///   - isFirst: Whether they are others than of the instance before.
  mutating func append(
    _ model: consuming any AnyObject & Sendable, _ row: consuming AnyKeptRow, _ place: Int,
    _ places: [Int], isFirst: Bool
  ) {
    if isFirst { written.append(places) }
    all.append(
      Save(
        model: model, place: Int32(place), written: Int32(written.count - 1), row: .row(row)))
  }

  /// Notes that all were saved, but for those whose rows were noted otherwise since that was planned.
  ///
  /// - Returns: The latter.
  mutating func note(at now: UInt64, plannedAt moment: UInt64) -> [Save] {
    var others: [Save] = []
    for number in all.indices {
      let identity = identities[Int(all[number].place)]
      let isDone = identity.noteSaved(&all[number].row, at: now, plannedAt: moment)
      if !isDone { others.append(all[number]) }
    }
    return others
  }
}

extension Identity {
  /// Notes that the row was saved with nothing else changed but its columns.
  ///
  /// - Parameter row: The row as it was written; what was known before takes its place, to be let go behind the lock.
  /// - Returns: Whether it was known as it was read.
  fileprivate func noteSaved(
    _ row: inout SavedRow?, at now: UInt64, plannedAt moment: UInt64
  ) -> Bool {
    var held: (any Model)?
    let isDone = with { state -> Bool in
      guard !state.isGone, case .row = state.saved, state.savedAt <= moment else { return false }
      swap(&state.saved, &row)
      state.savedAt = now
      if state.held != nil, state.heldAt <= moment { swap(&state.held, &held) }
      return true
    }
    withExtendedLifetime(held) {}
    return isDone
  }
}

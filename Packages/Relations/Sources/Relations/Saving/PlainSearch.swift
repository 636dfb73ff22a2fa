/// A scan of instances of one type for changed columns. It handles instances that can only differ from their rows in
/// column values, so that only these are written and recorded.
///
/// It supports types with ``Table/properties`` that have no hooks, no versions and no conflict policy other than
/// `keepMine`. An instance whose relations have changed, or refer to instances, is left to ``SaveBuilder/add(_:)``.
@usableFromInline
struct PlainSearch {
  private let shape: TableMetadata
  /// The revision that identifies the save.
  private let moment: UInt64
  /// A Boolean value that indicates whether the caller requested to save these instances. An instance whose row was
  /// deleted is then not skipped, but left to ``SaveBuilder/add(_:)``.
  private let areAsked: Bool
  private var place = -1
  /// The key of the current instance's row.
  @usableFromInline private(set) var key = StoredKey.none
  /// The revision at which the current instance reported changes, if it is retained for them.
  private var heldAt: UInt64?
  /// The changes of the current instance and of instances before it.
  @usableFromInline var changes = ColumnChanges()
  /// The saves found so far.
  private(set) var saves: PlainSaves

  init(
    _ identities: [Identity], _ shape: TableMetadata, plannedAt moment: UInt64, areAsked: Bool
  ) {
    saves = PlainSaves(of: identities)
    self.shape = shape
    self.moment = moment
    self.areAsked = areAsked
  }

  /// The entry of the current instance.
  var identity: Identity { saves.identities[place] }

  /// Advances to the next instance that this save does not write yet.
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

  /// Adds the changes of the current instance, if there are any. An unchanged instance is released.
  ///
  /// - Parameter row: The current row.
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
      // Assumes that the same share of the remaining instances has changed.
      let more = (saves.identities.count - place) * 64 / (place + 1)
      saves.reserve(more)
      changes.reserve(more)
    }
  }

  /// Adds all changes found so far to the save.
  mutating func flush(to builder: inout SaveBuilder) {
    if let run = changes.take(shape) { builder.append(run) }
  }
}

/// An entry found by a scan. Its instance may have been released.
@usableFromInline
struct FoundInstance {
  @usableFromInline let identity: Identity
  /// The saved row; `nil` if there is none, or if its relations refer to instances.
  @usableFromInline let row: AnyKeptRow?
}

extension Identity {
  /// The saved row, its key, and the revision at which the instance reported changes, if it is retained for them; `nil`
  /// if the row was deleted.
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
  /// Adds all models that differ from their rows, in the order of their registration.
  func addChanged(to builder: inout SaveBuilder) throws {
    let all = with(\.known)
    // Changes may have been reported for a type that can't be a table, but the session has no instance of it.
    if all.isEmpty { return }
    let shape = try TableMetadata.of(M.Value.self)
    guard shape.isPlain else {
      for model in changedModels() { try builder.add(model) }
      return
    }
    try add(all, shape, areAsked: false, to: &builder)
  }

  /// Adds instances that the caller requested to save, in the given order.
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

  /// Records the save of instances whose columns were written but that have no other changes.
  func noteSaved(_ saves: inout PlainSaves, plannedAt moment: UInt64, in session: ModelSession) {
    // A relation was loaded, or the row was fetched, during the save.
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

/// The instances with changed columns only, and their rows, with the same layout for all types.
struct PlainSaves {
  struct Save {
    /// The instance, which is retained until it is saved.
    let model: any AnyObject & Sendable
    /// The index in ``identities``.
    let place: Int32
    /// The index in ``written``.
    let written: Int32
    /// The row to write; after the save is recorded, the former row.
    var row: SavedRow?
  }

  /// The scanned entries.
  let identities: [Identity]
  private var all: [Save] = []
  /// The indexes of the written columns, for each batch of consecutive instances.
  private(set) var written: [[Int]] = []

  init(of identities: [Identity]) { self.identities = identities }

  var count: Int { all.count }

  mutating func reserve(_ more: Int) { all.reserveCapacity(all.count + more) }

  /// Adds an instance.
  ///
  /// - Parameters:
  ///   - places: The indexes of the written columns.
  ///   - isFirst: Whether the columns differ from the previous instance's columns.
  mutating func append(
    _ model: consuming any AnyObject & Sendable, _ row: consuming AnyKeptRow, _ place: Int,
    _ places: [Int], isFirst: Bool
  ) {
    if isFirst { written.append(places) }
    all.append(
      Save(
        model: model, place: Int32(place), written: Int32(written.count - 1), row: .row(row)))
  }

  /// Records all saves, except for instances whose state has changed since the save was planned.
  ///
  /// - Returns: The saves that were not recorded.
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
  /// Records that the columns of the row were saved.
  ///
  /// - Parameter row: The written row. On return, the former row, to be released after the lock.
  /// - Returns: Whether the save was recorded: the entry still held the row that was read.
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

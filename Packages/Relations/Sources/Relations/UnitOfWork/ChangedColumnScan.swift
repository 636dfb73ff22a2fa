/// A scan of instances of one type for changed columns. It handles instances that can only differ
/// from their rows in column values, so that only these are written and recorded.
///
/// It supports types with ``Table/properties`` that have no hooks, no versions and no conflict
/// policy other than `keepMine`. An instance whose relations have changed, or refer to instances,
/// is left to ``UnitOfWork/add(_:)``.
@usableFromInline
struct ChangedColumnScan {
  private let metadata: TableMetadata
  /// The revision that identifies the save.
  private let revision: UInt64
  /// A Boolean value that indicates whether the caller requested to save these instances. An
  /// instance whose row was deleted is then not skipped, but left to ``UnitOfWork/add(_:)``.
  private let areExplicit: Bool
  private var index = -1
  /// The key of the current instance's row.
  @usableFromInline private(set) var key = StoredKey.none
  /// The revision at which the current instance reported changes, if it is retained for them.
  private var retainedSince: UInt64?
  /// The changes of the current instance and of instances before it.
  @usableFromInline var changes = ColumnChanges()
  /// The saves found so far.
  private(set) var saves: ColumnOnlySaves

  init(
    _ identities: [Identity], _ metadata: TableMetadata, plannedAt revision: UInt64,
    areExplicit: Bool
  ) {
    saves = ColumnOnlySaves(of: identities)
    self.metadata = metadata
    self.revision = revision
    self.areExplicit = areExplicit
  }

  /// The entry of the current instance.
  var identity: Identity { saves.identities[index] }

  /// Advances to the next instance that this save does not write yet.
  ///
  /// - Returns: The entry, whose instance may have been released, and the saved row; `nil` instead of
  ///   the row if there is none, or if its relations refer to instances.
  @usableFromInline
  mutating func next() -> (identity: Identity, row: AnyRowSnapshot?)? {
    changes.begin()
    while index < saves.identities.count - 1 {
      index += 1
      let identity = saves.identities[index]
      if identity.isMarkedPlanned(at: revision) { continue }
      if let saved = identity.snapshotForSaving {
        (key, retainedSince) = (saved.key, saved.retainedSince)
        return (identity, saved.row)
      }
      if areExplicit { return (identity, nil) }
    }
    return nil
  }

  /// Adds the changes of the current instance, if there are any. An unchanged instance is released.
  ///
  /// - Parameter row: The current row.
  @usableFromInline
  mutating func add(
    _ model: consuming any AnyObject & Sendable, _ row: consuming AnyRowSnapshot,
    to unitOfWork: inout UnitOfWork
  ) {
    if changes.isUnchanged {
      if let retainedSince { identity.release(changedUntil: retainedSince) }
      return
    }
    if let former = changes.end(key, metadata) { unitOfWork.append(former) }
    identity.markPlanned(at: revision)
    saves.append(model, row, index, changes.columns, isFirst: changes.count == 1)
    if saves.count == 64 {
      // Assumes that the same share of the remaining instances has changed.
      let more = (saves.identities.count - index) * 64 / (index + 1)
      saves.reserve(more)
      changes.reserve(more)
    }
  }

  /// Adds all changes found so far to the save.
  mutating func flush(to unitOfWork: inout UnitOfWork) {
    if let batch = changes.removeBatch(metadata) { unitOfWork.append(batch) }
  }
}

extension Identity {
  /// The saved row, its key, and the revision at which the instance reported changes, if it is
  /// retained for them; `nil` if the row was deleted.
  fileprivate var snapshotForSaving: (row: AnyRowSnapshot?, key: StoredKey, retainedSince: UInt64?)?
  {
    with { state in
      if state.isRowDeleted || state.isRemoved { return nil }
      var row: AnyRowSnapshot?
      if case .row(let snapshot) = state.saved { row = snapshot }
      return (row, state.savedKey, state.retainedModel == nil ? nil : state.retainedSince)
    }
  }
}

extension IdentityMap {
  /// Adds all models that differ from their rows, in the order of their registration.
  func addChanged(to unitOfWork: inout UnitOfWork) throws {
    let all = with(\.entries)
    // Changes may have been reported for a type that can't be a table, but the session has no
    // instance of it.
    if all.isEmpty { return }
    let metadata = try TableMetadata.of(M.Value.self)
    guard metadata.savesOnlyColumns else {
      for model in changedModels() { try unitOfWork.add(model) }
      return
    }
    try add(all, metadata, areExplicit: false, to: &unitOfWork)
  }

  /// Adds instances that the caller requested to save, in the given order.
  func add(_ models: [M], to unitOfWork: inout UnitOfWork) throws {
    let metadata = try TableMetadata.of(M.Value.self)
    guard metadata.savesOnlyColumns, let identities = identities(of: models) else {
      for model in models { try unitOfWork.add(model) }
      return
    }
    try add(identities, metadata, areExplicit: true, to: &unitOfWork)
  }

  private func add(
    _ identities: [Identity], _ metadata: TableMetadata, areExplicit: Bool,
    to unitOfWork: inout UnitOfWork
  ) throws {
    var scan = ChangedColumnScan(
      identities, metadata, plannedAt: unitOfWork.revision, areExplicit: areExplicit)
    while saving.addChanged(&scan, &unitOfWork) {
      scan.flush(to: &unitOfWork)
      let identity = scan.identity
      guard let model = identity.model as? M, areExplicit || needsSave(model, identity) else {
        continue
      }
      try unitOfWork.add(model)
    }
    scan.flush(to: &unitOfWork)
    if scan.saves.count > 0 {
      unitOfWork.models(M.self, metadata).columnOnlySaves.append(scan.saves)
    }
  }

  /// Records the save of instances whose columns were written but that have no other changes.
  func recordSave(
    _ saves: inout ColumnOnlySaves, plannedAt revision: UInt64, in session: ModelSession
  ) {
    // A relation was loaded, or the row was fetched, during the save.
    for save in saves.record(at: clock.tick(), plannedAt: revision) {
      guard let model = save.model as? M, case .row(let snapshot) = save.row,
        let row = snapshot.row(as: M.Value.self), let relations = try? row.relations()
      else { continue }
      recordSave(
        model, row, relations, plannedAt: revision, written: saves.written[Int(save.written)],
        in: session)
    }
  }
}

/// The instances with changed columns only, and their rows, with the same layout for all types.
struct ColumnOnlySaves {
  struct Save {
    /// The instance, which is retained until it is saved.
    let model: any AnyObject & Sendable
    /// The index in ``identities``.
    let index: Int32
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
  ///   - columns: The indexes of the written columns.
  ///   - isFirst: Whether the columns differ from the previous instance's columns.
  mutating func append(
    _ model: consuming any AnyObject & Sendable, _ row: consuming AnyRowSnapshot, _ index: Int,
    _ columns: [Int], isFirst: Bool
  ) {
    if isFirst { written.append(columns) }
    all.append(
      Save(
        model: model, index: Int32(index), written: Int32(written.count - 1), row: .row(row)))
  }

  /// Records all saves, except for instances whose state has changed since the save was planned.
  ///
  /// - Returns: The saves that were not recorded.
  mutating func record(at now: UInt64, plannedAt revision: UInt64) -> [Save] {
    var others: [Save] = []
    for number in all.indices {
      let identity = identities[Int(all[number].index)]
      let isDone = identity.recordSave(&all[number].row, at: now, plannedAt: revision)
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
  fileprivate func recordSave(
    _ row: inout SavedRow?, at now: UInt64, plannedAt revision: UInt64
  ) -> Bool {
    var retainedModel: (any Model)?
    let isDone = with { state -> Bool in
      guard !state.isRowDeleted, case .row = state.saved, state.savedAt <= revision else {
        return false
      }
      swap(&state.saved, &row)
      state.savedAt = now
      if state.retainedModel != nil, state.retainedSince <= revision {
        swap(&state.retainedModel, &retainedModel)
      }
      return true
    }
    withExtendedLifetime(retainedModel) {}
    return isDone
  }
}

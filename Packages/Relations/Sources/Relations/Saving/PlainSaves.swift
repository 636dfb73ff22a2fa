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

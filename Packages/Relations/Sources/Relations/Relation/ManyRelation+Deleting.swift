internal import SQLiteCore

extension ManyRelation {
  /// Takes rows that were deleted out of the list: nothing is left to be written of them.
  func noteDeleted(_ type: any Table.Type, _ keys: [[SQLiteValue]]) {
    guard type == Target.Row.self else { return }
    let gone = Set(keys)
    if let rows = quietly(\.rows),
      !Self.rows(of: rows).contains(where: { gone.contains($0.id.keyValues) })
    {
      return
    }
    let taken = with { state -> [Target] in
      guard !state.elements.isEmpty || !state.tail.isEmpty else { return [] }
      let all = (state.elements + state.tail).map(\.object)
      // Those of owners that refuse to be without them are there no longer either.
      state.elements.removeAll { gone.contains($0.object.id.keyValues) }
      state.tail.removeAll { gone.contains($0.object.id.keyValues) }
      return all
    }
    withExtendedLifetime(taken) {}
  }
}

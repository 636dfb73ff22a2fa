internal import SQLiteCore

extension IdentityMap {
  /// Notes that rows were deleted: of this table, or of one that its rows refer to.
  func noteDeleted(
    _ deleted: any Table.Type, _ keys: [[SQLiteValue]], in session: ModelSession
  ) async throws {
    if deleted == M.Value.self {
      let gone = Set(keys)
      for model in models where gone.contains(model.value.id.keyValues) { remove(model.value.id) }
    }
    let shape = try TableShape.of(M.Value.self)
    let follows = shape.references.contains { reference in
      [.cascade, .setNull, .setDefault].contains(reference.rules.onDelete)
    }
    if follows { try await refresh(in: session) }
  }

  /// Makes all instances what their rows say by now; those that are gone are forgotten.
  func refresh(in session: ModelSession) async throws {
    let known = models.filter { entry(of: $0)?.saved != nil }
    if known.isEmpty { return }
    let present = Set(try await session.fetch(M.self, known.map(\.value.id)).map(\.value.id))
    for model in known where !present.contains(model.value.id) { remove(model.value.id) }
  }
}

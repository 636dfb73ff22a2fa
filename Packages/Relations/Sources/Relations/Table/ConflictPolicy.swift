extension ModelSession {
  /// What becomes of changes of a row that was changed elsewhere since it was fetched.
  ///
  /// A type says it by ``Table/conflictPolicy``. It counts as a model is fetched anew that has changes, and as models are saved.
  ///
  /// | policy | fetching | saving |
  /// |---|---|---|
  /// | ``keepMine`` | columns that were not changed here become what the row says, the others stay | only columns that were changed here are written |
  /// | ``takeTheirs`` | the model becomes what the row says | nothing is written of the model, which becomes what the row says |
  /// | ``throw`` | the model stays as it is | an error, and nothing is saved |
  public enum ConflictPolicy: Hashable, Sendable {
    case keepMine
    case takeTheirs
    case `throw`
  }
}

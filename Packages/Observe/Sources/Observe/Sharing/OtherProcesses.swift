extension DatabaseObservation {
  /// How the commits of other processes to a database's file are observed.
  public enum CrossProcess: Hashable, Sendable {
    /// The file is watched. Which tables another process has changed is not known, so that all that is
    /// observed is fetched anew after each of its commits.
    case watched
    /// The file is watched, and processes that do this tell each other which tables and columns their commits have
    /// changed, in a small file beside the database whose name has `-changes` after the database's. What a
    /// process commits that does not tell is noticed, as with ``watched``.
    case exchanged
  }
}

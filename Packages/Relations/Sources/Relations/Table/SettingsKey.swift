/// Which database a table is in.
///
/// Nothing need be set up: a database is opened when the first row of its tables is asked for. See ``ModelSession/shared(for:)``
/// for where it lies.
public enum SettingsKey: Hashable, Sendable {
  /// The application's database.
  case regular
  /// One whose content can be made anew: it lies where the system may delete it.
  case cache
  /// One in memory, which is gone with the process.
  case memory
  /// The database at a path.
  case path(String)
}

/// A provider of files in SPON: database files as the original writes them, and arrays of objects.
///
/// ```swift
/// let provider = SPONProvider.shared
/// try provider.openSource("Test.spon")
/// try provider.execute("CREATE TABLE IF NOT EXISTS Person (ID INTEGER PRIMARY KEY, Name TEXT)")
/// try provider.closeSource()
/// ```
///
/// A file that is made anew is a database file, which holds all that tables of SQLite do: types, keys, checks and
/// references, indexes, views and triggers, and each value as it is. Columns, types and rows are where the original has them; the
/// rest is in pairs that it passes over. It loses no table by the brackets in a text, as it does with those of its own
/// making, but reads some escapes in such texts as they are written, and knows none of SQLite's types beside its own nine.
///
/// Where only the original's description of a table is there, its rows are seen before it is made: a key that rows share,
/// or lack, is none, a column whose values SQLite would change has no type, and where a check has no like in SQL it is
/// kept, but not held against rows.
///
/// Other files are an array of objects, which is one table named like the file, or an object of such arrays, each a table. What
/// is of one type makes a column of that type. Where values of a column are of types that SQLite can't tell apart, each
/// is a text in SPON, and the column `SPON TEXT`. They are written as arrays again, without what these can't hold: keys, checks,
/// indexes, views, triggers, computed columns and `user_version` hold until the file is closed.
public final class SPONProvider: DataProvider {
  public static let shared = SPONProvider()

  public let session: SourceSession

  public convenience init() { self.init(place: .memory) }

  /// - Parameters:
  ///   - place: Where tables are held while a file is open.
  ///   - directories: Where sources are looked for by their names.
  public init(place: SourceSession.StagingPlace, directories: SourceSession.Directories = .standard)
  {
    session = SourceSession(
      store: SourceSession.FileStore(format: SPONFormat(), place: place), directories: directories)
  }
}

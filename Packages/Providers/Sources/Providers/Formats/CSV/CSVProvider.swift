/// A provider of files in CSV, TSV, and what else is like them.
///
/// A file is one table, named like it. Its delimiter, its quotes and its header are found by its beginning, and the
/// types of its columns by all of its records; ``CSVProvider/Options`` can tell them instead. A field with nothing in it is
/// `NULL`, and `""` an empty text.
///
/// ```swift
/// let provider = CSVProvider()
/// try provider.openSource(.path("people.csv"))
/// print(try provider.query("SELECT town, count(*) FROM people GROUP BY town"))
/// try provider.closeSource()
/// ```
///
/// It is written as it was: in its encoding, with its delimiter, its line breaks and its quotes. Numbers have the digits
/// behind the point that they had, and dates and other texts their letters. A file can hold neither blobs nor a second table, a
/// view, a trigger, a computed column or a `user_version`: with one of them it is not written. Constraints and indexes hold
/// until it is closed.
public final class CSVProvider: DataProvider {
  public static let shared = CSVProvider()

  public let session: SourceSession

  public convenience init() { self.init(options: Options()) }

  /// - Parameters:
  ///   - options: What is known of the files.
  ///   - place: Where tables are held while a file is open.
  ///   - directories: Where sources are looked for by their names.
  public init(
    options: Options, place: SourceSession.StagingPlace = .memory,
    directories: SourceSession.Directories = .standard
  ) {
    session = SourceSession(
      store: SourceSession.FileStore(format: CSVFormat(options: options), place: place),
      directories: directories)
  }
}

/// Files in JSON as sources of tables.
///
/// ```swift
/// let provider = JSONProvider()
/// try provider.openSource("people.json")  // [{"name": "Ada", "address": {"city": "London"}}, …]
/// print(try provider.query(#"SELECT name, "address.city" FROM people"#))
/// ```
///
/// A file that a provider makes is in Holt's own layout, which holds all that a database does: constraints, indexes, views,
/// triggers, blobs, integers of 64 bits. Other files are taken as they come, and written as they came:
///
/// - An array of objects is a table named like the file; so are objects that stand in a line each.
/// - An object is one row of such a table; its members that are arrays of objects are tables of their own.
/// - The members of an object in a row are columns, `address.city`; arrays are columns of JSON. ``JSONProvider/Options`` has other
///   ways.
///
/// The types of columns are those of all their values: see ``TableCollector``. A number that 64 bits don't hold makes a
/// column of JSON, in which it keeps its digits.
///
/// An ordinary file holds values, and nothing about them: where there is a view, a trigger, a constraint beside the
/// primary key, or a blob, it is not written, but for an error ``ProviderError/Code/unrepresentable``. Types, defaults and
/// indexes that are not unique are left out. ``JSONProvider/Options/writesDatabases`` keeps all.
public final class JSONProvider: DataProvider {
  public static let shared = JSONProvider()
  public let session: SourceSession

  public convenience init() { self.init(options: Options()) }

  /// - Parameters:
  ///   - options: How files are taken.
  ///   - directories: Where files are that are named without a folder.
  ///   - place: Where their tables are held.
  public init(
    options: Options, directories: SourceSession.Directories = .standard,
    place: SourceSession.StagingPlace = .memory
  ) {
    let store = SourceSession.FileStore(format: JSONFormat(options), place: place)
    session = SourceSession(store: store, directories: directories)
  }
}

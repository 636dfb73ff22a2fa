/// Files in XML as sources of tables.
///
/// ```swift
/// let provider = XMLProvider()
/// try provider.openSource("people.xml")  // <people><person id="1"><name>Ada</name>…</person>…</people>
/// print(try provider.query(#"SELECT "@id", name, "address/city" FROM person"#))
/// ```
///
/// A file that a provider makes is in Holt's own layout, which holds all that a database does: constraints, indexes,
/// views, triggers, blobs. Other files are taken as they come, and written as they came:
///
/// - The elements that repeat in another are rows, and their name is the table's. Where several kinds do, each is a
///   table. Where none does, the document is a single row, or the only element in it is. ``XMLProvider/Options/rows`` names
///   others. `item`, `entry`, `row` and `record` are taken for rows if there is only one, too.
/// - Attributes are columns, `@id`; so are elements, by their names, and elements in those, by their paths,
///   `address/city` and `link/@href`. A row's own text is `#text`. Names have the prefixes with which they come first.
/// - An element that repeats in a row is a row of a table of its own, `person_phone`, whose column `#parent` is the
///   `#row` of the row that it is in, and `#position` its place among the elements there. It is deleted with that row.
/// - Where elements of several kinds stand in turns, each of their tables has `#position`.
/// - What has texts and elements, or comments, side by side is a text of XML, in a column whose path ends in `#xml`.
/// - An attribute or element that is not there is NULL; one that is empty is an empty text. A row, or an element with
///   attributes, has no text where it is written `<a/>`, and an empty one where it is `<a></a>`.
/// - What is around rows stays as it is: attributes, other elements, comments, instructions.
///
/// The types of columns are those of all their values: see ``TableCollector``.
///
/// Files are UTF-8, UTF-16, ISO-8859-1 or US-ASCII, and are written in UTF-8. They are indented as they were, by any
/// number of spaces or not at all. Elements and attributes of a row come in the order in which they were first seen.
/// Comments and instructions between rows, or between the elements of a row, are lost when a file is written.
/// No entity is followed and nothing that a file names is opened: see ``ProviderError/Code/forbidden``.
///
/// An ordinary file holds values, and nothing about them: where there is a new table, a view, a trigger, a constraint
/// beside the primary key, or a blob, it is not written, but for an error ``ProviderError/Code/unrepresentable``. Types,
/// defaults and indexes that are not unique are left out. ``XMLProvider/Options/writesDatabases`` keeps all.
public final class XMLProvider: DataProvider {
  public static let shared = XMLProvider()
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
    let store = SourceSession.FileStore(format: XMLFormat(options), place: place)
    session = SourceSession(store: store, directories: directories)
  }
}

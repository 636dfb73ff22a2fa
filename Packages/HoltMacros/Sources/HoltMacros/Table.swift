@_exported public import Relations
@_exported public import SQLiteCore

/// Generates the code that reads, compares and writes a table's rows without `Codable`.
///
/// ```swift
/// @Table
/// struct Track {
///   var id: AutoId = 0
///   var title = ""
///   var seconds: Double?
///   var album = OneRelation<Album>()
/// }
///
/// let long = try await Track.fetchQuery(
///   "WHERE \(Track.columns.seconds > 180) ORDER BY \(Track.columns.title)")
/// ```
///
/// On a struct, the macro generates the conformance to `Table`, `init(row:)`, `Table/properties`, and `columns` with a
/// typed expression for each column. A column has the name of its property, or the name in `CodingKeys`. A list or a
/// struct is stored as JSON.
///
/// On a final class with a nested struct `Value`, the macro generates the conformance to `Model`, a value that is
/// guarded by a lock, so that the class is `Sendable`, and forwarding properties for those properties of the value
/// whose types are written or follow from a literal:
///
/// ```swift
/// @Table
/// final class Album: Model {
///   @Table
///   struct Value {
///     static let tableName = "Album"
///     var id: AutoId = 0
///     var name = ""
///     var tracks = ManyRelation<Track>(\.album)
///   }
/// }
/// let album = Album(.init())
/// album.name = "Faith"
/// ```
///
/// Each access takes the lock; two successive accesses are not atomic. A change of the value calls `didChange()`, so
/// the session retains the instance until it is saved.
///
/// The macro reports an error for a type with a custom `init(from:)` or `encode(to:)`, for properties within `#if`, and
/// for lazy properties.
@attached(member, names: named(storage), named(init(_:)), named(value), arbitrary)
@attached(
  extension, conformances: Table, Model,
  names: named(init(row:)), named(init()), named(properties), named(Columns), named(columns))
public macro Table() = #externalMacro(module: "HoltMacrosPlugin", type: "TableMacro")

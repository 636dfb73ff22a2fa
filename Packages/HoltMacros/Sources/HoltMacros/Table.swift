@_exported public import Relations
@_exported public import SQLiteCore

/// Writes the code by which a table's rows are read, compared and written without `Codable`.
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
/// On a struct, the macro writes the conformance to `Table`, `init(row:)`, `Table/properties`, and `columns` with a
/// typed expression for each column. A column has the name of its property, or that which `CodingKeys` give it. A list or a struct
/// is stored as JSON.
///
/// On a final class with a nested struct `Value`, the macro writes the conformance to `Model`, a value that is guarded by a lock,
/// so that the class is `Sendable`, and the value's properties as properties of the class if their types are written or are
/// those of a literal:
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
/// Each access takes the lock; two in a row are two. A change of the value calls `didChange()`, so the session keeps the instance
/// until it is saved.
///
/// The macro refuses a type with an `init(from:)` or `encode(to:)` of its own, properties within `#if`, and lazy properties.
@attached(member, names: named(storage), named(init(_:)), named(value), arbitrary)
@attached(
  extension, conformances: Table, Model,
  names: named(init(row:)), named(init()), named(properties), named(Columns), named(columns))
public macro Table() = #externalMacro(module: "HoltMacrosPlugin", type: "TableMacro")

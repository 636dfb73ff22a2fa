/// A class with one instance for each row, for as long as somebody holds it.
///
/// ```swift
/// final class Album: Model, @unchecked Sendable {
///   struct Value: Table {
///     static let tableName = "Album"
///     var id: AutoId = 0
///     var name = ""
///     var tracks = ManyRelation<Track>(\.album)
///   }
///   var value: Value
///   init(_ value: Value) { self.value = value }
///   var tracks: ManyRelation<Track> { value.tracks }
/// }
///
/// let album = try await Album.fetchId(7)
/// album.value.name = "Faith"
/// try await Album.saveChanges()
/// ```
///
/// A session keeps what each instance was when it was fetched or saved, and finds by comparing what has changed. An instance
/// that is let go takes changes with it that nobody has told of: where that may be, write
/// `var value: Value { didSet { didChange() } }`, and the session holds it until it is saved.
///
/// A model is written to by whoever uses it, and by the functions that they wait for: fetching, saving, loading and
/// `ModelSession.followChanges()` change it on the actor that calls them. Use the models of one session on one actor, or
/// guard them yourself, as `@unchecked Sendable` says that you do.
public protocol Model: AnyObject, TableModel where Row == Value, ID == Value.ID {
  /// The table's rows.
  associatedtype Value: Table
  override associatedtype ID = Value.ID

  /// The row as it is here.
  var value: Value { get set }

  init(_ value: Value)

  /// How instances are made and saved. There is one for every type.
  static var saving: RowSaving<Value> { get }
}

extension Model {
  @inlinable public static var saving: RowSaving<Value> { RowSaving(Self.self) }

  public var id: Value.ID { value.id }
  public var row: Value { value }
  public init(row: Value) { self.init(row) }

  public static func instance(of fetched: ModelSession.FetchedRow<Value>, in session: ModelSession)
    -> Self
  {
    session.identities(of: Self.self).instance(of: fetched, in: session)
  }

  public static func instances(
    of fetched: ModelSession.FetchedRows<Value>, in session: ModelSession
  ) -> [Self] {
    session.identities(of: Self.self).instances(of: fetched, in: session)
  }
}

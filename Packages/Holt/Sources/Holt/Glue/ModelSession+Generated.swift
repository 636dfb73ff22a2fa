public import QueryGen
public import Relations

extension ModelSession {
  /// Creates a session for the models of a generated database: the generated structs are the
  /// models' rows, and only the migrations create tables.
  ///
  /// `querygen.yaml` adapts the structs to models: properties are encoded under the column names, a
  /// foreign key column becomes a to-one relation, and to-many relations are additional properties.
  ///
  /// ```yaml
  /// codable: true
  /// coding_keys: columns
  /// tables:
  ///   album:
  ///     properties: { tracks: 'ManyRelation<TrackModel> = ManyRelation(\.album)' }
  ///   track:
  ///     columns:
  ///       album_id: { name: album, type: OneRelation<AlbumModel>, holds_null: true }
  /// ```
  ///
  /// ```swift
  /// extension Album: Table {
  ///   static let tableName = "album"
  ///   init() { self.init(id: 0, title: "") }
  /// }
  ///
  /// final class AlbumModel: Model, @unchecked Sendable {
  ///   typealias Value = Album
  ///   var value: Album
  ///   init(_ value: Album) { self.value = value }
  /// }
  ///
  /// let session = ModelSession(try DB(path: path))
  /// let albums = try await session.fetchAll(AlbumModel.self, "ORDER BY title")
  /// try await albums.fetchAll(\.tracks)
  /// ```
  ///
  /// The session never changes the tables: see `ModelSession.SchemaPolicy.verified`. If a type
  /// doesn't match its table, fetching its rows throws `RelationError` with code
  /// `RelationError.Code.schemaMismatch`, which names the table and the column.
  ///
  /// - Parameters:
  ///   - db: The generated database.
  ///   - saveDelay: The time that `Model.saveChangesLater(isolation:)` waits for further changes.
  public convenience init(_ db: some GeneratedDatabase, saveDelay: Duration = .seconds(3)) {
    self.init(db.database, schema: .verified, saveDelay: saveDelay)
  }
}
